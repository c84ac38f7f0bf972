// Bodies and what is said about them: placement, start, pins, selections of their nodes.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

namespace {

SchemaRef position() { return triple(number("m")); }

std::vector<Alternative> selection_alternatives() {
  return {{required("box",
                    record({required("min", position(), "lowest corner"),
                            required("max", position(), "highest corner")}),
                    "nodes in a box, its faces included")},
          {required("sphere",
                    record({required("center", position(), "centre"),
                            required("radius", positive("m"), "radius")}),
                    "nodes in a ball, its surface included")},
          {required("plane", named("plane"), "nodes on the side the normal points to")},
          {required("region", text(TextSchema::Form::name), "nodes of a region of the mesh")},
          {required("node_set", text(TextSchema::Form::name), "a named set of nodes of the mesh")},
          {required("nodes", list(integer(0, 2147483647), 1), "nodes by number, from 0")},
          {required("all", mark(), "every node")}};
}

SchemaRef motion_record() {
  return record(
      {fallback("velocity", "[0, 0, 0]", triple(number("m/s")), "constant velocity"),
       fallback("angular_velocity", "[0, 0, 0]", triple(number("rad/s")), "about `center`"),
       fallback("center", "[0, 0, 0]", position(), "a point of the axis of turning"),
       optional(
           "until", nonnegative("s"),
           "what moves with a velocity stops there and then; it goes on for ever unless given"),
       optional(
           "curve", curve(3, "m"),
           "rows [t, x, y, z]: displacement (m) over time (s) from where things are when the "
           "motion "
           "begins, smooth between, instead; begin with zeros, as what it is then is taken from "
           "every row"),
       optional(
           "cache", text(TextSchema::Form::path),
           "a vertex cache (.mdd, .pc2) with the places of all vertices of the body, or of the "
           "obstacle's mesh, instead: each node follows its vertex, smooth between frames"),
       optional("start", number("s"),
                "of a cache: when its first frame is; as the file says unless given"),
       optional("dt", positive("s"), "of a cache that counts frames (.pc2): from one to the next"),
       optional("speed", positive("times"), "of a cache: so many times as fast; 1 unless given")});
}

SchemaRef pin_record() {
  Names axes;
  for (const char* subset : {"xyz", "xy", "xz", "yz", "x", "y", "z"}) axes.push_back({subset, ""});
  return record(
      {selection_keys(),
       fallback("axes", "\"xyz\"", make(ChoiceSchema{"axes", axes}), "which coordinates are held"),
       optional("motion", named("motion"), "how the pinned nodes move; without it they rest"),
       fallback("from", "0.0", nonnegative("s"), "when the pin takes hold"),
       optional("until", positive("s"), "when it lets go; never unless given")});
}

SchemaRef body_material() {
  const SchemaRef name = text(TextSchema::Form::name);
  return record(
      {OneOf{"material",
             {{required("name", name, "the material")},
              {required("default", name, "the material of regions that are not listed"),
               {fallback("regions", "{}", make(MapSchema{name, "region"}),
                         "material of each region")}}}},
       optional("young", named("field"), "Young's modulus (Pa) in place of the material's")});
}

std::vector<Member> elastic_members() {
  return {required("mesh", named("mesh"), "the undeformed shape"),
          required("material", either({text(TextSchema::Form::name), named("body_material")}),
                   "a material's name, or materials by region"),
          fallback("transform", "{}", named("transform"), "placement of the undeformed shape"),
          fallback("initial", "{}", named("initial"), "the state at time 0"),
          fallback("pin", "[]", list(named("pin")), "nodes whose motion is prescribed"),
          fallback("damping", "[]", list(named("damping")), "damping of this body"),
          fallback("mass", "\"consistent\"",
                   make(ChoiceSchema{
                       "mass matrix",
                       {{"consistent", "of the finite elements"}, {"lumped", "diagonal"}}}),
                   "mass matrix"),
          fallback("point_masses", "[]", list(named("point_mass")), "additional masses")};
}

std::vector<Member> with(std::vector<Member> members, std::vector<Member> more) {
  members.insert(members.end(), more.begin(), more.end());
  return members;
}

SchemaRef plasticity_record() {
  return record({required("yield", nonnegative("m/m"), "the strain up to which it is elastic"),
                 optional("creep", positive("1/s"),
                          "how fast strain above that becomes permanent; at once unless given"),
                 optional("max", nonnegative("m/m"), "the most of it; no limit unless given")});
}

std::vector<Member> solid_members() {
  return with(
      elastic_members(),
      {optional("plasticity", named("plasticity"), "shape that is kept after a strong pull"),
       optional("embed", named("mesh"),
                "a fine surface, or the surface of a mesh, that goes along: it is what is "
                "seen and touches")});
}

std::vector<Member> cloth_members() {
  const Names models = {{"auto", "quadratic where the sheet is flat at rest, else shell"},
                        {"quadratic", "Bergou et al. 2006; for flat sheets"},
                        {"shell", "discrete shells, Grinspun et al. 2003; for any rest shape"}};
  return with(elastic_members(),
              {fallback("thickness", "0.001", positive("m"), "for stiffness, mass and contact"),
               optional("bending", nonnegative("N·m"),
                        "flexural rigidity; that of the material unless given"),
               fallback("bending_model", "\"auto\"", make(ChoiceSchema{"bending model", models}),
                        "how it bends")});
}

std::vector<Member> cable_members() {
  return with(elastic_members(),
              {fallback("radius", "0.005", positive("m"), "for stiffness, mass and contact"),
               optional("bending", nonnegative("N·m²"),
                        "flexural rigidity E I; that of the material unless given")});
}

std::vector<Member> rigid_members() {
  const Names formulations = {
      {"affine",
       "kept in shape by a very stiff potential, which any integrator takes; beside constraints, "
       "as "
       "se3"},
      {"se3", "exactly rigid, by constraints; takes a method that keeps those"}};
  return {
      required("mesh", named("mesh"), "the shape: a solid, or its closed surface"),
      OneOf{"mass",
            {{required("density", positive("kg/m³"), "of what it is made of")},
             {required("mass_total", positive("kg"), "what it weighs"),
              {optional("inertia", list(number("kg·m²"), 3, 6),
                        "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz] about its centre, along the "
                        "axes of the mesh; that of its shape unless given"),
               optional("center", position(),
                        "with `inertia`: where its centre of mass is, in the coordinates of the "
                        "mesh, before `transform`; the centroid of the mesh unless given")}}}},
      fallback("formulation", "\"affine\"", make(ChoiceSchema{"formulation", formulations}),
               "how it is kept rigid"),
      optional(
          "stiffness", positive("Pa"),
          "of the potential that keeps an affine one in shape; unless given, such that strains "
          "stay near 1e-6"),
      fallback("transform", "{}", named("transform"), "placement"),
      fallback("initial", "{}", named("initial"), "the state at time 0"),
      fallback("pin", "[]", list(named("pin")), "its motion as a whole is prescribed"),
      fallback("damping", "[]", list(named("damping")), "of its motion: alpha of rayleigh alone"),
      fallback("point_masses", "[]", list(named("point_mass")), "additional masses")};
}

std::vector<Member> frames_members() {
  const Names weights = {{"smooth", "shared with the neighbours"},
                         {"sharp", "parts move more like one piece each"}};
  return with(solid_members(),
              {required("frames", either({integer(1, 10000), list(position(), 1)}),
                        "where the frames are in the undeformed body, or how many to spread over "
                        "it"),
               fallback("weights", "\"smooth\"", make(ChoiceSchema{"weights", weights}),
                        "how the frames share the body")});
}

std::vector<Member> coarse_members() {
  return with(solid_members(),
              {optional("coarsen", named("coarsen"), "moves like a finer mesh of the same shape")});
}

SchemaRef body_record(const Vocabulary& vocabulary) {
  return record(
      {required("name", text(TextSchema::Form::name), "unique name"),
       fallback("type", "\"solid\"",
                make(ChoiceSchema{"body type", vocabulary.bodies, "body types"}), "kind of body"),
       Variants{"type",
                {{{"solid"}, coarse_members()},
                 {{"cloth"}, cloth_members()},
                 {{"cable"}, cable_members()},
                 {{"rigid"}, rigid_members()},
                 {{"frames"}, frames_members()}}}});
}

SchemaRef transform_record() {
  return record({fallback("scale", "1.0", either({positive(), triple(positive())}),
                          "factor, or one for each axis; first"),
                 fallback("rotate", "[0, 0, 0]", triple(number("degrees")),
                          "about x, then y, then z; second"),
                 fallback("translate", "[0, 0, 0]", position(), "last")});
}

SchemaRef initial_record() {
  return record(
      {fallback("velocity", "[0, 0, 0]", triple(number("m/s")), "of every node"),
       fallback("angular_velocity", "[0, 0, 0]", triple(number("rad/s")), "about the centroid"),
       fallback("deform", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", matrix(),
                "matrix applied to the positions about the centroid"),
       optional("positions", text(TextSchema::Form::path),
                "a mesh file whose points are the positions at time 0")});
}

}  // namespace

OneOf selection_keys() {
  OneOf keys{"selection", selection_alternatives()};
  keys.alternatives.push_back(
      {required("selection", named("selection"), "one of the above, nested")});
  return keys;
}

std::vector<Definition> body_definitions(const Vocabulary& vocabulary) {
  const SchemaRef mass = record({required("point", position(), "where; it moves with the body"),
                                 required("mass", positive("kg"), "how much")});
  const SchemaRef plane = record({required("point", position(), "a point of the plane"),
                                  required("normal", triple(number()), "of any length but zero")});
  return {
      {"body", "One body.", body_record(vocabulary)},
      {"body_material", "Materials by region, or a modulus that varies in space.", body_material()},
      {"transform", "Scale, then rotate, then translate.", transform_record()},
      {"initial", "The state at time 0.", initial_record()},
      {"pin", "Nodes whose motion is prescribed, at rest unless `motion` is given.", pin_record()},
      {"motion", "How pinned nodes move.", motion_record()},
      {"selection", "Nodes of a body, by their undeformed positions in the world.",
       record({OneOf{"selection", selection_alternatives()}})},
      {"plane", "A plane.", plane},
      {"plasticity", "How a solid keeps a part of a strong deformation.", plasticity_record()},
      {"point_mass", "A mass at a point of the body.", mass}};
}

}  // namespace pliant
