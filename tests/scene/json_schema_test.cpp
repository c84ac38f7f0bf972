// The published schema, held against an independent validator (valijson): it must accept and refuse
// the same scenes as our own walk.
#include <pliant/scene/json_schema.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/scene_schema.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "scene/example.hpp"

namespace pliant {
namespace {

class JsonSchema : public testing::Test {
 protected:
  JsonSchema() {
    // The adapter knows nlohmann::json only, so documents go over as text.
    const auto text = json_schema(scene_schema(test::example_vocabulary())).dump();
    source_ = nlohmann::json::parse(text);
    const valijson::adapters::NlohmannJsonAdapter adapter(source_);
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(adapter, schema_);
  }

  bool accepted_by_schema(const Json& scene) {
    const auto document = nlohmann::json::parse(scene.dump());
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    return valijson::Validator().validate(schema_, adapter, nullptr);
  }

  static bool accepted_by_us(const Json& scene) {
    return test::message_of([&] { resolve(scene, test::example_vocabulary()); }).empty();
  }

  nlohmann::json source_;
  valijson::Schema schema_;
};

TEST_F(JsonSchema, AcceptsScenesAsWrittenAndAsResolved) {
  for (const char* text : {test::small_scene(), test::full_scene()}) {
    const Json scene = parse_json(text, "t");
    EXPECT_TRUE(accepted_by_schema(scene));
    EXPECT_TRUE(accepted_by_schema(resolve(scene, test::example_vocabulary())));
  }
}

TEST_F(JsonSchema, RefusesBrokenScenesLikeOurOwnWalk) {
  const char* changes[][2] = {{"/time/dt", "0"},
                              {"/time/dt", "\"automatic\""},
                              {"/time/dtt", "1"},
                              {"/gravity", "[1, 2]"},
                              {"/gravity/0", "\"x\""},
                              {"/integrator", "\"sdrik2\""},
                              {"/integrator", "\"bdf2\""},
                              {"/integrator", "{}"},
                              {"/integrator", "7"},
                              {"/solver/tolerance", "1"},
                              {"/solver/max_iterations", "0"},
                              {"/solver/max_iterations", "1.5"},
                              {"/solver/type", "\"admm\""},
                              {"/materials/jelly/poisson", "0.5"},
                              {"/materials/jelly/model", "\"jelly\""},
                              {"/materials/jelly/c10", "1"},
                              {"/materials/rubber/young", "1e5"},
                              {"/materials/wood/young", "1e5"},
                              {"/materials/graded/young", "{\"formula\": \"x\"}"},
                              {"/materials/new", "{\"model\": \"linear\"}"},
                              {"/materials/a,b", "{\"model\": \"linear\", \"young\": 1}"},
                              {"/bodies", "[]"},
                              {"/bodies/0/type", "\"rigid\""},
                              {"/bodies/0/name", "\"\""},
                              {"/bodies/0/name", "\"a\\\"b\""},
                              {"/bodies/0/name", "\"a\\nb\""},
                              {"/bodies/0/mesh", "{}"},
                              {"/bodies/0/mesh/file", "\"a.msh\""},
                              {"/bodies/0/mesh/size", "0.1"},
                              {"/bodies/0/mesh/box/cells", "[0, 1, 1]"},
                              {"/bodies/0/mesh/box/split", "4"},
                              {"/bodies/0/material", "[]"},
                              {"/bodies/0/material/name", "\"jelly\""},
                              {"/bodies/0/transform/scale", "[1, 1]"},
                              {"/bodies/0/initial/deform", "[[1, 0], [0, 1]]"},
                              {"/bodies/0/pin/0", "{}"},
                              {"/bodies/0/pin/0/all", "true"},
                              {"/bodies/0/pin/0/axes", "\"yx\""},
                              {"/bodies/0/damping/0/model", "\"drag\""},
                              {"/bodies/0/plasticity", "{}"},
                              {"/bodies/6/mesh", "{\"surface\": \"a.off\"}"},
                              {"/bodies/7/mesh/sdf/difference/0", "{\"box\": {}}"},
                              {"/bodies/7/mesh/sdf/difference/1/blob", "1"},
                              {"/forces/0", "{\"tendon\": {}}"},
                              {"/forces/6/spring/stiffness", "0"},
                              {"/forces/6/spring/between", "[\"ball\", [0, 0, 0]]"},
                              {"/forces/7/tendon/path", "[[\"ball\", [0, 0, 0]]]"},
                              {"/forces/7/tendon/curve", "[[0, 1]]"},
                              {"/forces/8/tendon/rest_length", "-1"},
                              {"/forces/10/muscle/activation", "1.5"},
                              {"/forces/10/muscle/strength", "0"},
                              {"/forces/0/wind/curve", "[[0, 1, 0, 0]]"},
                              {"/forces/0/wind/drag", "-1"},
                              {"/forces/2/point/force", "3"},
                              {"/forces/3/point/all", "false"},
                              {"/forces/5/pressure/curve", "[]"},
                              {"/forces/5/pressure/curve/0", "[1]"},
                              {"/contact/method", "\"lcp\""},
                              {"/contact/distance", "0"},
                              {"/constraints", "[{\"type\": \"distance\"}]"},
                              {"/probes/0/point", "[0, 0]"},
                              {"/probes/0/force_on", "\"beam\""},
                              {"/extra", "1"}};
  for (const auto& [pointer, value] : changes) {
    Json scene = parse_json(test::full_scene(), "t");
    scene[Json::json_pointer(pointer)] = Json::parse(value);
    EXPECT_FALSE(accepted_by_us(scene)) << pointer << " = " << value;
    EXPECT_FALSE(accepted_by_schema(scene)) << pointer << " = " << value;
  }
}

TEST_F(JsonSchema, AgreesWhenAnyKeyIsRemoved) {
  const Json scene = parse_json(test::full_scene(), "t");
  const Json flat = scene.flatten();
  int refused = 0, accepted = 0;
  for (const auto& entry : flat.items()) {
    // Every object on the way to every leaf loses its key in turn.
    for (Json::json_pointer at(entry.key()); !at.empty(); at = at.parent_pointer()) {
      Json less = scene;
      Json& parent = less.at(at.parent_pointer());
      if (!parent.is_object()) continue;
      parent.erase(at.back());
      const bool ours = accepted_by_us(less);
      EXPECT_EQ(accepted_by_schema(less), ours) << at;
      ++(ours ? accepted : refused);
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(accepted, 50);
}

TEST_F(JsonSchema, DocumentsEveryKey) {
  std::size_t properties = 0;
  const std::function<void(const nlohmann::json&)> walk = [&](const nlohmann::json& node) {
    if (node.is_object() && node.contains("properties") && node["properties"].is_object())
      for (const auto& [key, property] : node["properties"].items()) {
        ++properties;
        EXPECT_TRUE(property.contains("description") && !property["description"].empty()) << key;
      }
    for (const auto& item : node)
      if (item.is_structured()) walk(item);
  };
  walk(source_);
  EXPECT_GT(properties, 80u);
}

}  // namespace
}  // namespace pliant
