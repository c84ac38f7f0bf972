// Constraints between points of bodies, and of bodies with the world.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

std::vector<Definition> constraint_definitions() {
  const Names types = {{"distance", "two points keep their distance: a rod"},
                       {"point", "two points stay together"},
                       {"line", "a point stays on a line through the other"},
                       {"plane", "a point stays on a plane through the other"},
                       {"ball", "two points stay together, and bodies turn about them"},
                       {"hinge", "rigid bodies turn about one axis"},
                       {"slider", "rigid bodies slide along one axis and do not turn"},
                       {"fixed", "rigid bodies are held in place and direction"},
                       {"universal", "rigid bodies turn about a point, but not about the axis"},
                       {"volume", "a closed surface keeps its volume", false},
                       {"bind", "surfaces that stay together", false},
                       {"strain", "elements keep their shape", false}};
  const SchemaRef motor =
      record({OneOf{"motor",
                    {{required("speed", number("rad/s, m/s"), "it turns or slides at this speed")},
                     {required("angle", number("rad"), "a hinge is driven to this angle")},
                     {required("position", number("m"), "a slider is driven to this place")},
                     {required("curve", curve(1, "rad, m"), "rows [t, angle or position]")}}},
              optional("max", positive("N·m, N"),
                       "the largest torque or force; without it as much as is "
                       "needed"),
              fallback("compliance", "0.0", nonnegative("rad/(N·m), m/N"),
                       "how far it lets itself be turned: a spring of stiffness 1/compliance")});
  const SchemaRef end = either({text(TextSchema::Form::name), triple(number("m"))});
  return {{"constraint", "What ties points of bodies to each other or to the world.",
           record({required("type", make(ChoiceSchema{"constraint", types}), "what it holds"),
                   optional("name", text(TextSchema::Form::name),
                            "what messages call it; its type and number unless given"),
                   required("between", list(end, 4, 4),
                            "[body, point, body or \"world\", point]: undeformed positions"),
                   optional("axis", triple(number()),
                            "direction of the line, normal of the plane, or axis of the joint"),
                   optional("rest", nonnegative("m"),
                            "the distance that is kept; that of the points unless given"),
                   optional("limits", list(number("rad, m"), 2, 2),
                            "[least, largest] angle of a hinge, way of a slider, or distance"),
                   optional("motor", motor, "what drives a hinge or a slider"),
                   fallback("compliance", "0.0", nonnegative("m/N, rad/(N·m)"),
                            "how far it yields to a force or a torque; 0: not at all")},
                  {"damping"})}};
}

}  // namespace pliant
