// A body that moves like a finer mesh of the same shape.
#include <pliant/scene/scene_schema.hpp>

#include <nlohmann/json.hpp>

namespace pliant {

using namespace schema;

namespace {

void derive_modes(Json& record) {
  if (record.contains("ratios"))
    record["modes"] = record["ratios"].size();
  else
    record["modes"] = record["method"] == "dac" ? 1 : 10;
}

}  // namespace

std::vector<Definition> coarsen_definitions() {
  const Names methods = {{"eigenfit", "the lowest modes get the stiffness they have on it"},
                         {"dac", "one factor on the stiffness of the whole body"}};
  const SchemaRef refresh = either(
      {integer(1, 1e9), make(ChoiceSchema{"refresh",
                                          {{"never", "the modes of the first step"},
                                           {"auto", "where they have changed by some percent"}}})});
  Field modes = optional(
      "modes",
      either({integer(1, 1000), make(ChoiceSchema{"number of modes",
                                                  {{"auto",
                                                    "as far as the shapes of both "
                                                    "meshes agree, at most 20"}}})}),
      "how many of the lowest modes are corrected; of dac, how many the factor is a compromise of");
  modes.derive = derive_modes;
  modes.derived_doc = "10, of dac 1, as many as `ratios`";
  const SchemaRef coarsen = record(
      {fallback("method", "\"eigenfit\"", make(ChoiceSchema{"method", methods}),
                "how it is corrected"),
       OneOf{"fine mesh",
             {{required("fine", named("mesh"), "a fine mesh of the same shape in the same place")},
              {required("refine", within({1, 64, true}, "times"),
                        "the body's own mesh, made so many times finer")},
              {required("ratios", list(within({0, 1e6}), 1, 1000),
                        "without a fine mesh: squares of the ratios of frequencies, one per "
                        "mode")}}},
       modes,
       optional("subspace", integer(1, 1000),
                "how many modes are followed; as many as `modes` unless given"),
       fallback("refresh", "1", refresh,
                "steps between two computations of the modes; bodies of linear material need none"),
       fallback("pairing", "\"overlap\"",
                make(ChoiceSchema{"pairing",
                                  {{"overlap", "by what their shapes have in common"},
                                   {"index", "by number, which is wrong once modes cross"}}}),
                "how modes are known again"),
       fallback("on_failure", "\"warn\"",
                make(ChoiceSchema{"policy",
                                  {{"warn", "go on, and say so"},
                                   {"off", "fade the correction out until they are known again"},
                                   {"stop", "end the run"}}}),
                "what to do where fewer than half of the modes are known again"),
       fallback("show_fine", "true", boolean(),
                "the surface of the fine mesh goes along and is what is seen and touches")});
  return {{"coarsen", "A coarse mesh that moves like a fine one.", coarsen}};
}

}  // namespace pliant
