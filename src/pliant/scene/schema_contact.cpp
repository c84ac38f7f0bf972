// Contact, and the obstacles that bodies meet.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

namespace {

SchemaRef place() { return triple(number("m")); }

std::vector<Alternative> obstacle_shapes() {
  return {{required("plane", named("plane"), "all space behind a plane; the normal points out")},
          {required("sphere",
                    record({required("center", place(), "centre"),
                            required("radius", positive("m"), "radius")}),
                    "a ball")},
          {required("capsule",
                    record({required("from", place(), "one end of its axis"),
                            required("to", place(), "the other end"),
                            required("radius", positive("m"), "radius")}),
                    "a round rod with round ends")},
          {required("box",
                    record({required("center", place(), "centre"),
                            required("size", triple(positive("m")), "lengths of its edges")}),
                    "a box along the axes")},
          {required("points", list(place(), 1), "points, such as nails"),
           {optional("radius", nonnegative("m"), "around each; 0 unless given")}},
          {required("segments", list(list(place(), 2, 2), 1), "straight wires, each its two ends"),
           {optional("radius", nonnegative("m"), "around each; 0 unless given")}},
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

namespace {

std::vector<Member> friction_members() {
  const SchemaRef mu = nonnegative();
  const SchemaRef lag = either(
      {integer(1, 1000),
       make(ChoiceSchema{"lag",
                         {{"converged", "until they change by less than 0.1 %"},
                          {"exact", "until they no longer change, as gradients need it"}}})});
  return {
      fallback("friction", "0.0", mu,
               "Coulomb's coefficient of all pairs that have none of their own"),
      fallback("pairs", "[]",
               list(record({required("a", text(TextSchema::Form::name), "a body or an obstacle"),
                            required("b", text(TextSchema::Form::name), "another, or the same"),
                            required("friction", mu, "their coefficient")})),
               "coefficients of single pairs"),
      fallback("stick", "true", boolean(),
               "what is pushed by less than friction holds, for ever; false: smoothed in the "
               "sliding speed, which lets it creep"),
      optional("slip_speed", positive("m/s"),
               "without `stick`: friction has its full size from this sliding speed on; 1e-3 of "
               "the diagonal of the box around all bodies per second unless given"),
      fallback("lag", "6", lag,
               "how often a stage is solved with normal forces found anew, at most; it ends early "
               "where they change by less than 0.1 %")};
}

}  // namespace

std::vector<Definition> contact_definitions(const Vocabulary& vocabulary) {
  std::vector<Member> members = friction_members();
  const SchemaRef stiffness =
      either({positive("Pa"), make(ChoiceSchema{"stiffness", {{"auto", "Young's modulus"}}})});
  members.insert(
      members.begin(),
      {fallback(
           "method", "\"none\"",
           make(ChoiceSchema{"contact method", vocabulary.contact, "contact methods"}),
           "how contact is treated; barrier where there is a block \"contact\" that does not say"),
       optional("distance", positive("m"),
                "how near things begin to repel each other with barrier, 1e-3 of the "
                "diagonal of the box around all bodies unless given, but no more than a quarter of "
                "the edges of a surface; the gap that they keep with qp, unilateral and admm, "
                "1e-4 of the diagonal unless given"),
       fallback("self", "true", boolean(), "whether a body can touch itself"),
       fallback("allow_initial_intersections", "false", boolean(),
                "whether bodies that touch or intersect a little at the start are moved apart; "
                "they are refused otherwise"),
       fallback("groups", "[]", list(list(text(TextSchema::Form::name), 2)),
                "lists of bodies and obstacles, by name, that pass through each other"),
       fallback("stiffness", "\"auto\"", stiffness,
                "the pressure that is borne at a tenth of `distance`; \"auto\": Young's "
                "modulus of the softer body, or the pressure of impacts where that is more"),
       fallback("energy_guard", "true", boolean(),
                "a step that would gain energy in contact is made with be instead"),
       optional("restitution", within({.min = 0, .max = 1}),
                "the part of the speed of impact that contact gives back, what a body keeps in its "
                "own strain not being contact's: with barrier at most, 1 unless given; with "
                "unilateral, 0 unless given")});
  return {{"contact", "Contact between bodies and with obstacles.", record(std::move(members))},
          {"obstacle", "Something rigid in the way, at rest or moving as prescribed.",
           record({required("name", text(TextSchema::Form::name), "unique name"),
                   OneOf{"shape", obstacle_shapes()},
                   optional("transform", named("transform"), "how it is placed"),
                   optional("motion", named("motion"), "how it moves; without it, it rests"),
                   optional("friction", nonnegative(),
                            "Coulomb's coefficient of everything that meets it")})},
          {"bounds", "A box in space.",
           record({required("min", place(), "lowest x, y, z"),
                   required("max", place(), "highest x, y, z")})}};
}

}  // namespace pliant
