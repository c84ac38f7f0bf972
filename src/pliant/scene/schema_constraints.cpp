// Constraints between points of bodies, and of bodies with the world.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

std::vector<Definition> constraint_definitions() {
  const Names types = {{"distance", "two points keep their distance: a rod"},
                       {"point", "two points stay together"},
                       {"line", "a point stays on a line through the other"},
                       {"plane", "a point stays on a plane through the other"},
                       {"ball", "a ball and socket", false},
                       {"hinge", "turns about one axis", false},
                       {"slider", "slides along one axis", false},
                       {"fixed", "held in place and direction", false},
                       {"universal", "turns about two axes", false},
                       {"volume", "a closed surface keeps its volume", false},
                       {"bind", "surfaces that stay together", false},
                       {"strain", "elements keep their shape", false}};
  const SchemaRef end = either({text(TextSchema::Form::name), triple(number("m"))});
  return {
      {"constraint", "What ties points of bodies to each other or to the world.",
       record({required("type", make(ChoiceSchema{"constraint", types}), "what it holds"),
               optional("name", text(TextSchema::Form::name),
                        "what messages call it; its type and number unless given"),
               required("between", list(end, 4, 4),
                        "[body, point, body or \"world\", point]: undeformed positions"),
               optional("axis", triple(number()), "direction of the line, or normal of the plane"),
               optional("rest", nonnegative("m"),
                        "the distance that is kept; that of the points unless given"),
               fallback("compliance", "0.0", nonnegative("m/N"),
                        "how far it yields to a force; 0: not at all")},
              {"limits", "damping", "motor"})}};
}

}  // namespace pliant
