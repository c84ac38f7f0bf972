// The top of the scene, and how a run is made: time, integrator, solver, contact.
#include <pliant/scene/scene_schema.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace pliant {

using namespace schema;

namespace {

// About 25 frames a second, about ten of a run that is shorter than 0.4 s, and a whole number of
// steps.
void derive_output_dt(Json& time) {
  const double dt = time.at("dt").get<double>();
  const double wished = std::min(0.04, time.at("duration").get<double>() / 10);
  time["output_dt"] = dt * std::max(1.0, std::round(wished / dt));
}

void derive_min_dt(Json& time) { time["min_dt"] = time.at("dt").get<double>() / 1024; }

Definition time_definition() {
  const SchemaRef dt =
      either({positive("s"), make(ChoiceSchema{"dt", {{"auto", "adaptive", false}}})});
  Field output = optional(
      "output_dt", positive("s"),
      "time between frames, at least `dt`; the first and the last state are frames anyway");
  output.derive = derive_output_dt;
  output.derived_doc = "about 0.04, or `duration`/10 if that is less; a multiple of `dt`";
  Field least = optional("min_dt", positive("s"), "a failing step is not halved below this");
  least.derive = derive_min_dt;
  least.derived_doc = "`dt`/1024";
  return {"time", "How long and in which steps.",
          record({fallback("dt", "0.005", dt, "time step; every step has exactly this length"),
                  fallback("duration", "1.0", nonnegative("s"),
                           "simulated time; rounded up to a whole number of steps"),
                  output, least},
                 {"tolerance"})};
}

Definition integrator_definition(const Vocabulary& vocabulary) {
  return {"integrator", "The time integrator with its options.",
          record({required("type",
                           make(ChoiceSchema{"integrator", vocabulary.integrators, "integrators"}),
                           "the method")},
                 {"rho_inf", "beta", "gamma", "modes", "refresh", "krylov_tolerance", "variant"})};
}

Definition solver_definition(const Vocabulary& vocabulary) {
  const SchemaRef type = make(ChoiceSchema{"solver", vocabulary.solvers, "solvers"});
  const SchemaRef linear =
      make(ChoiceSchema{"linear solver", vocabulary.linear_solvers, "linear solvers"});
  return {"solver", "How an implicit stage is solved.",
          record({fallback("type", "\"newton\"", type, "the stage solver"),
                  fallback("tolerance", "1e-8", within({0, 1, true, true}),
                           "relative, independent of units"),
                  fallback("max_iterations", "50", integer(1, 100000),
                           "Newton iterations before a step counts as failed"),
                  fallback("linear", "\"auto\"", linear, "the linear solver"),
                  fallback("fast", "false", boolean(),
                           "more BLAS threads; results may differ in the last bits")},
                 {"geometric_stiffness", "iterations", "weights"})};
}

Definition contact_definition(const Vocabulary& vocabulary) {
  return {
      "contact", "Contact between bodies.",
      record({fallback("method", "\"none\"",
                       make(ChoiceSchema{"contact method", vocabulary.contact, "contact methods"}),
                       "how contact is treated")},
             {"distance", "friction", "pairs", "stick", "slip_speed", "lag", "stiffness", "groups",
              "self", "allow_initial_intersections"})};
}

}  // namespace

std::vector<Definition> run_definitions(const Vocabulary& vocabulary) {
  return {time_definition(), integrator_definition(vocabulary), solver_definition(vocabulary),
          contact_definition(vocabulary)};
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
       fallback("integrator", "\"sdirk2\"", integrator, "the time integrator, or its name alone"),
       fallback("solver", "{}", named("solver"), "how an implicit stage is solved"),
       required("materials", make(MapSchema{named("material"), "material"}), "materials by name"),
       required("bodies", list(named("body"), 1), "what moves"),
       fallback("forces", "[]", list(named("force")), "loads besides gravity"),
       fallback("contact", "{}", named("contact"), "contact between bodies"),
       fallback("probes", "[]", list(named("probe")),
                "points whose positions history.csv records")},
      {"constraints", "obstacles"});
  for (std::vector<Definition> part :
       {run_definitions(vocabulary), material_definitions(vocabulary), body_definitions(vocabulary),
        mesh_definitions(), load_definitions()})
    std::move(part.begin(), part.end(), std::back_inserter(scene.definitions));
  return scene;
}

}  // namespace pliant
