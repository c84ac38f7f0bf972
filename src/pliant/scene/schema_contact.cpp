// Contact, and the obstacles that bodies meet.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

namespace {

SchemaRef position() { return triple(number("m")); }

std::vector<Alternative> obstacle_shapes() {
  return {{required("plane", named("plane"), "all space behind a plane; the normal points out")},
          {required("sphere",
                    record({required("center", position(), "centre"),
                            required("radius", positive("m"), "radius")}),
                    "a ball")},
          {required("capsule",
                    record({required("from", position(), "one end of its axis"),
                            required("to", position(), "the other end"),
                            required("radius", positive("m"), "radius")}),
                    "a round rod with round ends")},
          {required("box",
                    record({required("center", position(), "centre"),
                            required("size", triple(positive("m")), "lengths of its edges")}),
                    "a box along the axes")},
          {required("mesh", text(TextSchema::Form::path),
                    "a surface from a file: a closed body or a thin sheet")},
          {required("implicit", text(TextSchema::Form::expression),
                    "all points where a formula of x, y, z (m) is negative"),
           {optional("size", positive("m"),
                     "edges of the cubes that the formula is sampled on, from which triangles are "
                     "made; a 48th of the longest edge of the bounds unless given"),
            optional("bounds", named("bounds"),
                     "where it is; what reaches out of them is cut off there; the box around all "
                     "bodies, grown by its diagonal on all sides, unless given")}}};
}

}  // namespace

std::vector<Definition> contact_definitions(const Vocabulary& vocabulary) {
  return {
      {"contact", "Contact between bodies and with obstacles.",
       record({fallback("method", "\"none\"",
                        make(ChoiceSchema{"contact method", vocabulary.contact, "contact methods"}),
                        "how contact is treated"),
               optional("distance", positive("m"),
                        "how near things begin to repel each other; 1e-3 of the diagonal of the "
                        "box around all bodies unless given"),
               fallback("self", "true", boolean(), "whether a body can touch itself"),
               fallback("allow_initial_intersections", "false", boolean(),
                        "whether bodies that touch or intersect a little at the start are moved "
                        "apart; they are refused otherwise"),
               fallback("groups", "[]", list(list(text(TextSchema::Form::name), 2)),
                        "lists of bodies and obstacles, by name, that pass through each other")},
              {"friction", "pairs", "stick", "slip_speed", "lag", "stiffness"})},
      {"obstacle", "Something rigid in the way, at rest or moving as prescribed.",
       record({required("name", text(TextSchema::Form::name), "unique name"),
               OneOf{"shape", obstacle_shapes()},
               optional("motion", named("motion"), "how it moves; without it, it rests")},
              {"friction"})},
      {"bounds", "A box in space.",
       record({required("min", position(), "lowest x, y, z"),
               required("max", position(), "highest x, y, z")})}};
}

}  // namespace pliant
