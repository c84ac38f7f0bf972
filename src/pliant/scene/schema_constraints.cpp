// Constraints between points of bodies, and of bodies with the world.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

namespace {

Field compliance() {
  return fallback("compliance", "0.0", nonnegative("m/N, rad/(N·m)"),
                  "how far it yields to a force or a torque; 0: not at all");
}

Field damping() {
  return fallback("damping", "0.0", nonnegative("N·s/m, N·m·s"),
                  "beside a compliance: what resists how fast it yields");
}

Field body() { return required("body", text(TextSchema::Form::name), "the body's name"); }

std::vector<Member> joint_members(const SchemaRef& motor) {
  const SchemaRef end = either({text(TextSchema::Form::name), triple(number("m"))});
  return {required("between", list(end, 4, 4),
                   "[body, point, body or \"world\", point]: undeformed positions"),
          optional("axis", triple(number()),
                   "direction of the line, normal of the plane, or axis of the joint"),
          optional("rest", nonnegative("m"),
                   "the distance that is kept; that of the points unless given"),
          optional("limits", list(number("rad, m"), 2, 2),
                   "[least, largest] angle of a hinge, way of a slider, or distance"),
          optional("motor", motor, "what drives a hinge or a slider"),
          compliance(),
          damping()};
}

std::vector<Member> volume_members() {
  return {body(),
          optional("rest", positive("m³"), "the volume that is kept; that at rest unless given"),
          optional("curve", curve(1, "m³"),
                   "rows [t, volume]: the volume over time (s), smooth between, in place of rest"),
          compliance(), damping()};
}

std::vector<Member> bind_members() {
  return {body(), selection_keys(),
          required("to", text(TextSchema::Form::name),
                   "the body that the selected nodes go along with, as if they were a part of it"),
          compliance(), damping()};
}

std::vector<Member> edges_members() {
  return {body(),
          fallback("diagonals", "true", boolean(),
                   "also the longest edge of each triangle; false: threads along two directions "
                   "only, so that the sheet can shear"),
          compliance(), damping()};
}

std::vector<Member> strain_members() {
  const Names measures = {
      {"auto", "green for stvk and orthotropic, else corotational"},
      {"green", "½ (FᵀF − 1)"},
      {"corotational", "the stretch without the rotation, RᵀF − 1"},
      {"principal", "the principal stretches less one: half as many rows; isotropic materials"}};
  return {body(), fallback("measure", "\"auto\"", make(ChoiceSchema{"strain measure", measures}),
                           "which strain is held")};
}

}  // namespace

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
                       {"volume", "a closed surface keeps its volume"},
                       {"bind", "nodes of a body go along with another body"},
                       {"edges", "all edges of cloth or a cable keep their length"},
                       {"strain", "a body's elasticity as constraints, which any stiffness suits"}};
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
                       "how far it lets itself be turned: a spring of stiffness 1/compliance"),
              fallback("damping", "0.0", nonnegative("N·m·s, N·s/m"), "of that spring")});
  return {{"constraint", "What ties points of bodies to each other or to the world.",
           record({required("type", make(ChoiceSchema{"constraint", types}), "what it holds"),
                   optional("name", text(TextSchema::Form::name),
                            "what messages call it; its type and number unless given"),
                   Variants{"type",
                            {{{"distance", "point", "line", "plane", "ball", "hinge", "slider",
                               "fixed", "universal"},
                              joint_members(motor)},
                             {{"volume"}, volume_members()},
                             {{"bind"}, bind_members()},
                             {{"edges"}, edges_members()},
                             {{"strain"}, strain_members()}}}})}};
}

}  // namespace pliant
