#include <pliant/scene/resolve.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scene/example.hpp"

namespace pliant {
namespace {

using test::message_of;
using testing::HasSubstr;
using testing::StartsWith;

Json resolved(const Json& scene) { return resolve(scene, test::example_vocabulary()); }

// The message for the full scene after one change at a JSON pointer.
std::string refusal_of_setting_text(const char* pointer, const char* value) {
  Json scene = parse_json(test::full_scene(), "scene.json");
  scene[Json::json_pointer(pointer)] = Json::parse(value);
  return message_of([&] { resolved(scene); });
}

std::string refusal_without(const char* parent, const char* key) {
  Json scene = parse_json(test::full_scene(), "scene.json");
  scene.at(Json::json_pointer(parent)).erase(key);
  return message_of([&] { resolved(scene); });
}

TEST(Resolve, AcceptsTheExamples) {
  EXPECT_EQ(message_of([] { resolved(parse_json(test::full_scene(), "t")); }), "");
  EXPECT_EQ(message_of([] { resolved(parse_json(test::small_scene(), "t")); }), "");
}

TEST(Resolve, FillsDefaults) {
  const Json scene = resolved(parse_json(test::small_scene(), "t"));
  EXPECT_EQ(scene["gravity"], Json::parse("[0, -9.81, 0]"));
  EXPECT_EQ(scene["integrator"], "sdirk2");
  EXPECT_EQ(
      scene["solver"],
      Json::parse(
          R"({"type": "newton", "tolerance": 1e-8, "max_iterations": 50, "max_work": 10000, "iterations": 0, "weights": "auto",
                                             "acceleration": 0, "linear": "auto", "precision": "double", "geometric_stiffness": "exact", "stabilize": "auto", "reuse": true, "fast": false})"));
  EXPECT_EQ(scene["contact"], Json::parse(R"({"method": "none", "self": true,
                            "allow_initial_intersections": false, "groups": [],
                            "stiffness": "auto", "energy_guard": true, "friction": 0.0, "pairs": [], "stick": true,
                            "lag": 6})"));
  EXPECT_EQ(scene["materials"]["jelly"]["poisson"], 0.4);
  const Json& body = scene["bodies"][0];
  EXPECT_EQ(body["type"], "solid");
  EXPECT_EQ(body["mesh"]["box"]["element"], "tet4");
  EXPECT_EQ(body["mesh"]["box"]["split"], 5);
  EXPECT_EQ(body["initial"]["deform"], Json::parse("[[1,0,0],[0,1,0],[0,0,1]]"));
  EXPECT_EQ(body["pin"], Json::array());
}

TEST(Resolve, ChoosesTheIntegratorByStepsAndConstraints) {
  const auto chosen = [](const char* changes) {
    Json scene = parse_json(test::small_scene(), "t");
    scene.merge_patch(Json::parse(changes));
    return resolved(scene)["integrator"];
  };
  const std::string tied = R"("constraints": [{"type": "volume", "body": "beam"}])";
  EXPECT_EQ(chosen("{}"), "sdirk2");
  EXPECT_EQ(chosen(("{" + tied + "}").c_str()), "trbdf2");
  EXPECT_EQ(chosen(R"({"time": {"dt": "auto"}})"), "esdirk32");
  EXPECT_EQ(chosen((R"({"time": {"dt": "auto"}, )" + tied + "}").c_str()), "esdirk32");
  EXPECT_EQ(chosen(R"({"time": {"dt": "auto"}, "integrator": "be"})"), "be");
}

TEST(Resolve, ChoosesWhatBecomesOfEnergyFromNothing) {
  const auto chosen = [](const char* changes) {
    Json scene = parse_json(test::small_scene(), "t");
    scene.merge_patch(Json::parse(changes));
    return resolved(scene)["energy"];
  };
  EXPECT_EQ(chosen("{}"), "warn");
  EXPECT_EQ(chosen(R"({"contact": {"method": "barrier"}})"), "redo");
  EXPECT_EQ(chosen(R"({"contact": {"method": "qp"}})"), "warn");
  EXPECT_EQ(chosen(R"({"constraints": [{"type": "volume", "body": "beam"}]})"), "redo");
  EXPECT_EQ(chosen(R"({"constraints": [{"type": "volume", "body": "beam", "compliance": 1e-9}]})"),
            "warn");
  EXPECT_EQ(chosen(R"({"contact": {"method": "barrier"}, "energy": "off"})"), "off");
}

TEST(Resolve, TakesABlockAboutContactForContact) {
  Json scene = parse_json(test::small_scene(), "t");
  scene["contact"] = {{"friction", 0.4}};
  EXPECT_EQ(resolved(scene)["contact"]["method"], "barrier");
  scene["contact"] = {{"friction", 0.4}, {"method", "none"}};
  EXPECT_EQ(resolved(scene)["contact"]["method"], "none");
}

TEST(Resolve, KnowsWhereTheScaleOfAMeshStands) {
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/mesh/scale", "0.01"),
            "scene.json#/bodies/0/mesh/scale: unknown key; it stands in \"transform\" beside "
            "\"mesh\": {\"transform\": {\"scale\": …}}, and lengths of the mesh, such as "
            "\"size\", are those before it");
}

TEST(Resolve, DerivesTimesFromTheStep) {
  Json scene = parse_json(test::small_scene(), "t");
  scene["time"] = {{"dt", 0.01}};
  EXPECT_DOUBLE_EQ(resolved(scene)["time"]["output_dt"].get<double>(), 0.04);
  EXPECT_DOUBLE_EQ(resolved(scene)["time"]["min_dt"].get<double>(), 0.01 / 1024);
  scene["time"] = {{"dt", 0.5}};  // longer than a frame
  EXPECT_DOUBLE_EQ(resolved(scene)["time"]["output_dt"].get<double>(), 0.5);
  scene["time"] = {{"dt", 0.001}, {"duration", 0.1}};  // ten frames of a short run
  EXPECT_DOUBLE_EQ(resolved(scene)["time"]["output_dt"].get<double>(), 0.01);
  scene["time"] = {{"dt", 0.001}, {"duration", 0.0}};
  EXPECT_DOUBLE_EQ(resolved(scene)["time"]["output_dt"].get<double>(), 0.001);
}

TEST(Resolve, ChangesNothingTheSecondTime) {
  Json partial = parse_json(test::small_scene(), "t");
  partial["time"] = {{"min_dt", 1e-6}};  // one of two derived defaults given
  for (const Json& scene :
       {parse_json(test::small_scene(), "t"), parse_json(test::full_scene(), "t"), partial}) {
    const Json once = resolved(scene);
    EXPECT_EQ(resolved(once).dump(), once.dump());
    EXPECT_EQ(resolved(parse_json(pretty(once), "t")).dump(), once.dump());
    EXPECT_NE(once.dump(), scene.dump());
  }
}

TEST(Resolve, KeepsWhatTheSceneSays) {
  const Json scene = parse_json(test::full_scene(), "t");
  const Json given = scene.flatten(), complete = resolved(scene).flatten();
  for (const auto& [pointer, value] : given.items()) {
    ASSERT_TRUE(complete.contains(pointer)) << pointer;
    EXPECT_EQ(complete[pointer], value) << pointer;
  }
}

TEST(Resolve, NamesBoundAndValue) {
  EXPECT_EQ(refusal_of_setting_text("/materials/jelly/poisson", "0.5"),
            "scene.json#/materials/jelly/poisson: must be below 0.5, got 0.5");
  EXPECT_EQ(refusal_of_setting_text("/materials/jelly/poisson", "-1"),
            "scene.json#/materials/jelly/poisson: must be above -1, got -1");
  EXPECT_EQ(refusal_of_setting_text("/time/dt", "0"),
            "scene.json#/time/dt: must be above 0, got 0");
  EXPECT_EQ(refusal_of_setting_text("/time/duration", "-1"),
            "scene.json#/time/duration: must be at least 0, got -1");
  EXPECT_EQ(refusal_of_setting_text("/materials/jelly/young", "0"),
            "scene.json#/materials/jelly/young: must be above 0, got 0");
  EXPECT_EQ(refusal_of_setting_text("/materials/jelly/density", "-5"),
            "scene.json#/materials/jelly/density: must be above 0, got -5");
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/mesh/box/cells/1", "0"),
            "scene.json#/bodies/0/mesh/box/cells/1: must be at least 1, got 0");
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/damping/0/beta", "-1e-3"),
            "scene.json#/bodies/0/damping/0/beta: must be at least 0, got -0.001");
}

TEST(Resolve, NamesTheExpectedKind) {
  EXPECT_EQ(refusal_of_setting_text("/time/duration", "\"long\""),
            "scene.json#/time/duration: must be a number (s), got \"long\"");
  EXPECT_EQ(refusal_of_setting_text("/time/dt", "null"),
            "scene.json#/time/dt: must be a number (s) or \"auto\", got null");
  EXPECT_EQ(refusal_of_setting_text("/time", "3"), "scene.json#/time: must be an object, got 3");
  EXPECT_EQ(refusal_of_setting_text("/gravity", "[0, 1]"),
            "scene.json#/gravity: must be a list of 3 numbers (m/s²), got a list of 2");
  EXPECT_EQ(refusal_of_setting_text("/gravity", "-9.81"),
            "scene.json#/gravity: must be a list of 3 numbers (m/s²), got -9.81");
  EXPECT_EQ(refusal_of_setting_text("/gravity/1", "\"down\""),
            "scene.json#/gravity/1: must be a number (m/s²), got \"down\"");
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/mesh/box/cells/0", "1.5"),
            "scene.json#/bodies/0/mesh/box/cells/0: must be a whole number, got 1.5");
  EXPECT_EQ(refusal_of_setting_text("/bodies", "[]"),
            "scene.json#/bodies: must be a list of at least 1 items, got an empty list");
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/material", "7"),
            "scene.json#/bodies/0/material: must be a string or an object, got 7");
  EXPECT_EQ(
      refusal_of_setting_text("/bodies/1/transform/scale", "\"big\""),
      "scene.json#/bodies/1/transform/scale: must be a number or a list of 3 numbers, got \"big\"");
  EXPECT_EQ(
      refusal_of_setting_text("/materials/jelly/young", "[1]"),
      "scene.json#/materials/jelly/young: must be a number (Pa) or an object, got a list of 1");
  EXPECT_EQ(refusal_of_setting_text("/solver/fast", "1"),
            "scene.json#/solver/fast: must be true or false, got 1");
  EXPECT_EQ(refusal_of_setting_text("/forces/3/point/all", "false"),
            "scene.json#/forces/3/point/all: must be true, or left out, got false");
  EXPECT_EQ(message_of([] { resolved(Json::array()); }),
            "scene.json: must be an object, got an empty list");
}

TEST(Resolve, SuggestsKeysAndNames) {
  EXPECT_EQ(refusal_of_setting_text("/materials/jelly/yuong", "1"),
            "scene.json#/materials/jelly/yuong: unknown key, did you mean \"young\"?");
  EXPECT_EQ(refusal_of_setting_text("/gravty", "1"),
            "scene.json#/gravty: unknown key, did you mean \"gravity\"?");
  EXPECT_EQ(refusal_of_setting_text("/integrator", "\"sdrik2\""),
            "scene.json#/integrator: unknown integrator \"sdrik2\", did you mean \"sdirk2\"?");
  EXPECT_EQ(refusal_of_setting_text("/integrator/type", "\"sdrik2\""),
            "scene.json#/integrator/type: unknown integrator \"sdrik2\", did you mean \"sdirk2\"?");
  EXPECT_EQ(refusal_of_setting_text("/materials/jelly/model", "\"stable-neohookean\""),
            "scene.json#/materials/jelly/model: unknown material model \"stable-neohookean\", did "
            "you mean "
            "\"stable-neo-hookean\"?");
  EXPECT_EQ(
      refusal_of_setting_text("/solver/linear", "\"choleski\""),
      "scene.json#/solver/linear: unknown linear solver \"choleski\", did you mean \"cholesky\"?");
  EXPECT_EQ(
      refusal_of_setting_text("/bodies/0/mesh/box/element", "\"prism\""),
      "scene.json#/bodies/0/mesh/box/element: unknown element \"prism\", known: tet4, tet10, hex8");
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/pin/1/axes", "\"yx\""),
            "scene.json#/bodies/0/pin/1/axes: unknown axes \"yx\", did you mean \"xy\"?");
}

TEST(Resolve, NamesWhatIsMissing) {
  EXPECT_EQ(refusal_without("/materials/jelly", "young"),
            "scene.json#/materials/jelly: needs \"young\", a number (Pa) or an object");
  EXPECT_EQ(refusal_without("", "materials"), "scene.json: needs \"materials\", an object");
  EXPECT_EQ(refusal_without("/bodies/6/mesh", "size"),
            "scene.json#/bodies/6/mesh: needs \"size\", a number (m)");
  EXPECT_EQ(refusal_without("/bodies/0/pin/0", "box"),
            "scene.json#/bodies/0/pin/0: needs a selection: one of \"box\", \"sphere\", \"plane\", "
            "\"region\", "
            "\"node_set\", \"nodes\", \"all\" or \"selection\"");
}

TEST(Resolve, RefusesKeysThatExcludeEachOther) {
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/mesh/file", "\"a.msh\""),
            "scene.json#/bodies/0/mesh: \"box\" and \"file\" exclude each other: give one of "
            "\"box\", \"sphere\", "
            "\"cylinder\", \"capsule\", \"torus\", \"sheet\", \"cable\", \"file\", \"surface\" or "
            "\"sdf\"");
  EXPECT_THAT(refusal_of_setting_text("/forces/0/wind/curve", "[[0, 1, 0, 0]]"),
              HasSubstr("\"velocity\" and \"curve\" exclude each other"));
}

TEST(Resolve, RefusesKeysOfAnotherAlternative) {
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/mesh/size", "0.1"),
            "scene.json#/bodies/0/mesh/size: \"size\" does not apply to \"box\"");
  EXPECT_EQ(
      refusal_of_setting_text("/materials/jelly/c10", "1"),
      "scene.json#/materials/jelly/c10: \"c10\" does not apply to model \"stable-neo-hookean\"");
}

TEST(Resolve, AnswersWhatIsReservedWithNotYet) {
  const char* reserved[][3] = {{"/integrator", "\"bdf2\"", "bdf2"},
                               {"/integrator", "{\"type\": \"siere\"}", "siere"},
                               {"/solver/linear", "\"minres\"", "minres"},
                               {"/solver/linear", "\"petsc\"", "petsc"}};
  for (const auto& [pointer, value, word] : reserved)
    EXPECT_THAT(refusal_of_setting_text(pointer, value),
                HasSubstr("\"" + std::string(word) + "\" is not yet available"))
        << pointer << " = " << value;
}

TEST(Resolve, RefusesPathsThatAreNone) {
  EXPECT_EQ(
      refusal_of_setting_text("/forces/7/tendon/path", R"([["ball", [0, 0, 0]]])"),
      "scene.json#/forces/7/tendon/path: must be a list of 2 to 100 rows of 2 items, got a list of "
      "1");
  EXPECT_EQ(refusal_of_setting_text("/forces/6/spring/stiffness", "-3"),
            "scene.json#/forces/6/spring/stiffness: must be above 0, got -3");
  EXPECT_EQ(refusal_of_setting_text("/forces/10/muscle/activation", "1.2"),
            "scene.json#/forces/10/muscle/activation: must be at most 1, got 1.2");
  EXPECT_EQ(refusal_of_setting_text("/forces/10/muscle/strenght", "1"),
            "scene.json#/forces/10/muscle/strenght: unknown key, did you mean \"strength\"?");
  EXPECT_THAT(refusal_of_setting_text("/forces/7/tendon/stiffness", "5"), HasSubstr("tension"));
}

TEST(Resolve, ReservedTypesHideTheirOwnKeysOnly) {
  // One clear sentence instead of one per key that only such methods have.
  EXPECT_EQ(refusal_of_setting_text("/integrator", R"({"type": "siere", "modes": "many"})"),
            "scene.json#/integrator/type: \"siere\" is not yet available");
}

TEST(Resolve, ReportsSeveralProblemsAtOnce) {
  Json scene = parse_json(test::full_scene(), "t");
  scene["time"]["dt"] = -1;
  scene["gravty"] = 1;
  scene["materials"]["jelly"]["poisson"] = 0.7;
  EXPECT_EQ(message_of([&] { resolved(scene); }),
            "scene.json#/time/dt: must be above 0, got -1\n"
            "scene.json#/materials/jelly/poisson: must be below 0.5, got 0.7\n"
            "scene.json#/gravty: unknown key, did you mean \"gravity\"?");
}

TEST(Resolve, StopsAfterTenProblems) {
  Json scene = parse_json(test::small_scene(), "t");
  for (int i = 0; i < 100; ++i) scene["materials"][std::to_string(i)] = 0;
  const std::string message = message_of([&] { resolved(scene); });
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 9);
}

TEST(Resolve, ChecksFormulasWhereTheyStand) {
  EXPECT_EQ(refusal_of_setting_text("/materials/graded/young/field", "\"1e4 + * x\""),
            "scene.json#/materials/graded/young/field: expression, column 7: expected a value, got "
            "\"*\"");
  EXPECT_THAT(refusal_of_setting_text("/materials/graded/young/field", "\"1e4 + t\""),
              HasSubstr("unknown name \"t\""));
}

TEST(Resolve, ChecksNamesAndPaths) {
  EXPECT_EQ(
      refusal_of_setting_text("/bodies/0/name", "\"a,b\""),
      "scene.json#/bodies/0/name: must not contain commas, quotation marks or control characters");
  EXPECT_EQ(refusal_of_setting_text("/bodies/0/name", "\"\""),
            "scene.json#/bodies/0/name: must not be empty");
  EXPECT_EQ(refusal_of_setting_text("/bodies/5/mesh/file", "\"\""),
            "scene.json#/bodies/5/mesh/file: must not be empty");
  EXPECT_THAT(refusal_of_setting_text("/materials/a,b", "{\"model\": \"linear\", \"young\": 1}"),
              StartsWith("scene.json#/materials/a,b: a material's name must not contain"));
}

TEST(Resolve, EscapesPointers) {
  EXPECT_THAT(refusal_of_setting_text("/materials/a~1b", "3"),
              StartsWith("scene.json#/materials/a~1b: must be an object"));
}

TEST(Resolve, RefusesNonFiniteNumbersThatNoTextCanHold) {
  Json scene = parse_json(test::small_scene(), "t");
  scene["time"]["dt"] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(message_of([&] { resolved(scene); }),
              HasSubstr("#/time/dt: must be a finite number"));
}

TEST(Resolve, TakesWholeNumbersWrittenWithAPoint) {
  Json scene = parse_json(test::small_scene(), "t");
  scene["bodies"][0]["mesh"]["box"]["cells"][0] = 4.0;
  EXPECT_EQ(resolved(scene)["bodies"][0]["mesh"]["box"]["cells"].dump(), "[4,2,2]");
}

TEST(CompleteVocabulary, AddsPromisedNamesOnlyWhereTheyAreMissing) {
  const Vocabulary vocabulary = test::example_vocabulary();
  EXPECT_TRUE(find_name(vocabulary.integrators, "be")->available);
  EXPECT_FALSE(find_name(vocabulary.integrators, "siere")->available);
  EXPECT_EQ(available_names(vocabulary.integrators),
            (std::vector<std::string>{"be", "sdirk2", "trbdf2", "esdirk32", "rk4"}));
  EXPECT_EQ(available_names(vocabulary.contact),
            (std::vector<std::string>{"none", "barrier", "qp", "unilateral", "admm"}));
  EXPECT_EQ(vocabulary.integrators.size(), 31u);  // as many as the interface lists
}

}  // namespace
}  // namespace pliant
