// The top of the scene, how a run is made (time, integrator, solver, contact), and the camera.
#include <pliant/scene/scene_schema.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace pliant {

using namespace schema;

namespace {

bool chooses_steps(const Json& time) { return time.at("dt").is_string(); }  // "auto"

// About 25 frames a second, about ten of a run that is shorter than 0.4 s, and a whole number of
// steps where they are fixed.
void derive_output_dt(Json& time) {
  const double wished = std::min(0.04, time.at("duration").get<double>() / 10);
  if (chooses_steps(time)) {
    time["output_dt"] = wished > 0 ? wished : 0.04;
    return;
  }
  const double dt = time.at("dt").get<double>();
  time["output_dt"] = dt * std::max(1.0, std::round(wished / dt));
}

void derive_min_dt(Json& time) {
  const double longest =
      chooses_steps(time) ? time.at("output_dt").get<double>() / 1024 : time.at("dt").get<double>();
  time["min_dt"] = longest / 1024;
}

void derive_tolerance(Json& time) {
  if (chooses_steps(time)) time["tolerance"] = 1e-3;
}

Definition time_definition() {
  const SchemaRef dt = either(
      {positive("s"), make(ChoiceSchema{"dt", {{"auto", "steps chosen by an error tolerance"}}})});
  Field output = optional(
      "output_dt", positive("s"),
      "time between frames, at least `dt`; the first and the last state are frames anyway");
  output.derive = derive_output_dt;
  output.derived_doc = "about 0.04, or `duration`/10 if that is less; a multiple of `dt`";
  Field least = optional("min_dt", positive("s"),
                         "a failing step is not halved, a chosen one not made shorter below this");
  least.derive = derive_min_dt;
  least.derived_doc = "`dt`/1024, with \"auto\" `output_dt`/2²⁰";
  Field tolerance = optional("tolerance", within({0, 1, true, true}),
                             "with `dt` \"auto\": error of one step relative to the motion so far");
  tolerance.derive = derive_tolerance;
  tolerance.derived_doc = "0.001 with \"auto\"";
  return {"time", "How long and in which steps.",
          record({fallback("dt", "0.005", dt,
                           "time step; every step has exactly this length, or \"auto\""),
                  fallback("duration", "1.0", nonnegative("s"),
                           "simulated time; rounded up to a whole number of steps of `dt`"),
                  output, least, tolerance})};
}

// The variants that are built, and one without members for all other names.
Variants by_name(std::string tag, const Names& names, const std::vector<Variant>& known) {
  Variants variants{std::move(tag), {}};
  std::vector<std::string> plain;
  for (const auto& entry : names)
    if (entry.available) plain.push_back(entry.name);
  for (const Variant& variant : known) {
    Variant built{{}, variant.members};
    for (const std::string& name : variant.names)
      if (std::erase(plain, name) > 0) built.names.push_back(name);
    if (!built.names.empty()) variants.variants.push_back(std::move(built));
  }
  if (!plain.empty()) variants.variants.push_back({plain, {}});
  return variants;
}

// What IntegratorInfo::options of the list of integrators names, in the scene's words.
Variants integrator_options(const Vocabulary& vocabulary) {
  const SchemaRef refresh =
      either({integer(1, 1e9), make(ChoiceSchema{"refresh",
                                                 {{"never", "the modes of the first step"},
                                                  {"auto", "where the subspace has changed"}}})});
  const SchemaRef variant = make(ChoiceSchema{
      "variant",
      {{"exact", "the modes move by their own exact flow"}, {"paper", "as ASCHER prints it"}}});
  const std::vector<Member> modes = {
      fallback("modes", "10", integer(0, 100000),
               "how many of the lowest modes the exponential moves"),
      fallback("refresh", "1", refresh, "steps between two computations of the modes")};
  std::vector<Member> both = modes;
  both.push_back(fallback("variant", "\"exact\"", variant, "ours, or as printed in the paper"));
  const std::vector<Variant> with_options = {
      {{"generalized-alpha"},
       {fallback("rho_inf", "0.8", within({0, 1}),
                 "spectral radius at infinite frequency: 1 conserves, 0 damps most")}},
      {{"newmark"},
       {fallback("beta", "0.25", within({0, 1, true}), "weight of the new acceleration in q"),
        fallback("gamma", "0.5", within({0.5, 1}), "weight of the new acceleration in v")}},
      {{"ere"},
       {fallback("krylov_tolerance", "1e-8", within({0, 1, true, true}),
                 "relative error of the exponential's action")}},
      {{"siere", "beere", "trbdf2ere"}, modes},
      {{"bdf2ere", "sbdf2ere", "strbdf2ere"}, both}};
  return by_name("type", vocabulary.integrators, with_options);
}

Definition integrator_definition(const Vocabulary& vocabulary) {
  return {"integrator", "The time integrator with its options.",
          record({required("type",
                           make(ChoiceSchema{"integrator", vocabulary.integrators, "integrators"}),
                           "the method"),
                  integrator_options(vocabulary)})};
}

Definition solver_definition(const Vocabulary& vocabulary) {
  const SchemaRef type = make(ChoiceSchema{"solver", vocabulary.solvers, "solvers"});
  const SchemaRef linear =
      make(ChoiceSchema{"linear solver", vocabulary.linear_solvers, "linear solvers"});
  const SchemaRef geometric = make(ChoiceSchema{
      "geometric_stiffness",
      {{"exact", "all of it"},
       {"symmetric", "its symmetric part, which is all of it for constraints between points"},
       {"positive", "what makes the matrix more definite"},
       {"off", "nothing, for comparisons"}}});
  const SchemaRef precision = make(ChoiceSchema{
      "precision",
      {{"double", "as it is"},
       {"mixed", "single precision but for stiff contacts, and residuals in double"}}});
  const SchemaRef tolerance = either(
      {within({0, 1, true, true}),
       make(ChoiceSchema{"tolerance", {{"auto", "a part of the method's error, 1e-8 to 1e-4"}}})});
  return {"solver", "How an implicit stage is solved.",
          record({fallback("type", "\"newton\"", type, "the stage solver"),
                  fallback("tolerance", "1e-8", tolerance,
                           "of velocities, relative to the largest: what the last iteration may "
                           "still change"),
                  fallback("max_iterations", "50", integer(1, 100000),
                           "Newton iterations before a step counts as failed"),
                  fallback("max_work", "10000", integer(1, 1000000000),
                           "iterations of one step in all its stages, parts and repetitions, "
                           "before the run ends"),
                  fallback("iterations", "0", integer(0, 1000000),
                           "of admm in a stage, whether it has converged or not; 0: until it has"),
                  fallback("weights", "\"auto\"",
                           either({positive(), make(ChoiceSchema{"weights", {{"auto", "1"}}})}),
                           "of admm: a factor on what the stiffness of each element says"),
                  fallback("acceleration", "0", integer(0, 20),
                           "of admm, by Anderson: earlier iterations that the next one goes by; 0: "
                           "none"),
                  fallback("linear", "\"auto\"", linear,
                           "the linear solver; with constraints auto factorises and minres "
                           "iterates, the others are for scenes without"),
                  fallback("precision", "\"double\"", precision,
                           "of the matrix in conjugate gradients, where pcg or auto choose them; "
                           "answers are as exact either way"),
                  fallback("geometric_stiffness", "\"exact\"", geometric,
                           "how much of the stiffness that comes from the forces of constraints "
                           "is in the matrix"),
                  fallback("stabilize", "\"auto\"",
                           either({boolean(),
                                   make(ChoiceSchema{"stabilize",
                                                     {{"auto",
                                                       "velocities, with the methods that "
                                                       "need it: generalized-alpha, esdirk43"}}})}),
                           "after each step, positions are moved onto hard constraints and "
                           "velocities along them: true is for the solver linear, whose "
                           "constraints drift"),
                  fallback("reuse", "true", boolean(),
                           "Newton keeps factors over stages and steps while that converges fast"),
                  fallback("fast", "false", boolean(),
                           "more BLAS threads; results may differ in the last bits")})};
}

SchemaRef energy_choice() {
  return make(ChoiceSchema{"energy",
                           {{"redo", "made anew with be, and said where that gains as well"},
                            {"warn", "said, and taken"},
                            {"stop", "the run ends before it"},
                            {"off", "taken; history.csv and summary.json tell of it"}}});
}

Definition camera_definition() {
  return {"camera", "Where pictures and films are taken from; up is y.",
          record({required("eye", triple(number("m")), "where the camera is"),
                  required("target", triple(number("m")), "what it looks at"),
                  fallback("fov", "32", within({1, 150}, "°"),
                           "field of view, from the lower to the upper edge of the picture")})};
}

}  // namespace

std::vector<Definition> run_definitions(const Vocabulary& vocabulary) {
  return {time_definition(), integrator_definition(vocabulary), solver_definition(vocabulary),
          camera_definition()};
}

DocumentSchema scene_schema(const Vocabulary& vocabulary) {
  const SchemaRef integrator =
      either({make(ChoiceSchema{"integrator", vocabulary.integrators, "integrators"}),
              named("integrator")});
  DocumentSchema scene;
  scene.title = "Pliant scene";
  scene.root = record(
      {optional("$schema", text(), "for editors; ignored"),
       optional("name", text(TextSchema::Form::name), "what the scene is called"),
       optional("description", text(), "what the scene shows"),
       fallback("time", "{}", named("time"), "how long and in which steps"),
       fallback("gravity", "[0, -9.81, 0]", triple(number("m/s²")), "acceleration; y is up"),
       fallback(
           "integrator", "\"sdirk2\"", integrator,
           "the time integrator, or its name alone; unless given, esdirk32 with `dt` \"auto\" and "
           "otherwise trbdf2 with constraints"),
       fallback("solver", "{}", named("solver"), "how an implicit stage is solved"),
       fallback("energy", "\"warn\"", energy_choice(),
                "what becomes of a step that makes more energy from nothing than the error of a "
                "method explains; unless given, redo with contact method barrier and with hard "
                "constraints"),
       required("materials", make(MapSchema{named("material"), "material"}), "materials by name"),
       required("bodies", list(named("body"), 1), "what moves"),
       fallback("forces", "[]", list(named("force")), "loads besides gravity"),
       fallback("contact", "{}", named("contact"), "contact between bodies and with obstacles"),
       fallback("obstacles", "[]", list(named("obstacle")),
                "what is in the way and does not yield"),
       fallback("constraints", "[]", list(named("constraint")),
                "what ties points of bodies to each other and to the world"),
       fallback("probes", "[]", list(named("probe")),
                "points whose positions, and bodies the force on which, history.csv records"),
       optional(
           "camera", named("camera"),
           "where pictures are taken from; without it, from where all of the motion is seen")});
  for (std::vector<Definition> part :
       {run_definitions(vocabulary), material_definitions(vocabulary),
        damping_definitions(vocabulary), body_definitions(vocabulary), mesh_definitions(),
        load_definitions(), contact_definitions(vocabulary), constraint_definitions(),
        coarsen_definitions()})
    std::move(part.begin(), part.end(), std::back_inserter(scene.definitions));
  return scene;
}

}  // namespace pliant
