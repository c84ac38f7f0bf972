// The ways to come by the mesh of a body: generators, files, and the tetrahedral mesher.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

namespace {

Field tet_element() {
  return fallback("element", "\"tet4\"",
                  make(ChoiceSchema{"element", {{"tet4", "linear"}, {"tet10", "quadratic"}}}),
                  "kind of elements");
}
Names solid_elements() {
  return {{"tet4", "linear"}, {"tet10", "quadratic"}, {"hex8", "trilinear"}};
}
Field solid_element() {
  return fallback("element", "\"tet4\"", make(ChoiceSchema{"element", solid_elements()}),
                  "kind of elements");
}
Field edge_length() { return required("size", positive("m"), "wished length of the mesh's edges"); }
Field radius() { return required("radius", positive("m"), "radius"); }

SchemaRef box_record() {
  return record({required("size", triple(positive("m")), "edge lengths"),
                 required("cells", triple(integer(1, 1000000)), "number of cells along x, y, z"),
                 solid_element(),
                 fallback("split", "5", integer(5, 6),
                          "tetrahedra per cell: 5 (alternating) or 6; hex8 does not use it")});
}

SchemaRef sheet_record() {
  return record(
      {required("size", list(positive("m"), 2, 2), "lengths along x and z"),
       required("cells", list(integer(1, 1000000), 2, 2), "number of cells along x and z"),
       fallback(
           "element", "\"tri3\"",
           make(ChoiceSchema{
               "element", {{"tri3", "two triangles to a cell"}, {"quad4", "one quadrilateral"}}}),
           "kind of elements")});
}

std::vector<Alternative> generators() {
  return {
      {required("box", box_record(), "a box of regular cells, centred on the origin")},
      {required("sphere", record({radius(), edge_length(), solid_element()}), "a ball")},
      {required("cylinder",
                record({radius(), required("length", positive("m"), "length along y"),
                        edge_length(), solid_element()}),
                "a cylinder along y")},
      {required("capsule",
                record({radius(),
                        required("length", positive("m"), "length of the straight part, along y"),
                        edge_length(), solid_element()}),
                "a cylinder along y with round ends")},
      {required(
          "torus",
          record({required("radius", positive("m"), "from the centre to the middle of the tube"),
                  required("tube", positive("m"), "radius of the tube, below `radius`"),
                  edge_length(), solid_element()}),
          "a ring around y")},
      {required("sheet", sheet_record(), "cloth in the plane y = 0")},
      {required("cable",
                record({required("from", triple(number("m")), "one end"),
                        required("to", triple(number("m")), "the other end"),
                        required("segments", integer(1, 1000000), "number of segments")}),
                "a straight cable; it is not centred")}};
}

SchemaRef mesh_record() {
  const SchemaRef path = text(TextSchema::Form::path);
  std::vector<Alternative> ways = generators();
  const Field element = optional(
      "element",
      make(ChoiceSchema{"element", {{"tet4", "as it is"}, {"tet10", "middles of edges added"}}}),
      "\"tet10\" makes quadratic tetrahedra of linear ones");
  ways.push_back(
      {required("file", path, "a volume, cloth or cable mesh, relative to the scene's folder"),
       {element}});
  ways.push_back({required("surface", path, "a closed surface to fill with tetrahedra"),
                  {edge_length(), tet_element()}});
  ways.push_back({required("sdf", named("sdf"), "a signed-distance body to fill with tetrahedra"),
                  {edge_length(), tet_element()}});
  return record({OneOf{"mesh", std::move(ways)}});
}

SchemaRef sdf_record() {
  const SchemaRef parts = list(named("sdf"), 1, 1000);
  const Field length = required("length", positive("m"), "length along y");
  return record(
      {OneOf{"body",
             {{required("sphere", record({radius()}), "a ball")},
              {required("box", record({required("size", triple(positive("m")), "edge lengths")}),
                        "a box")},
              {required("capsule", record({radius(), length}), "round ends beyond `length`")},
              {required("cylinder", record({radius(), length}), "a cylinder along y")},
              {required("torus",
                        record({radius(), required("tube", positive("m"), "radius of the tube")}),
                        "a ring around y")},
              {required("plane", named("plane"), "the half space behind the plane")},
              {required("union", parts, "all that is in any of them")},
              {required("intersection", parts, "all that is in each of them")},
              {required("difference", parts, "the first less the others")}}},
       fallback("rotate", "[0, 0, 0]", triple(number("degrees")), "about x, then y, then z"),
       fallback("translate", "[0, 0, 0]", triple(number("m")), "after the rotation")});
}

}  // namespace

std::vector<Definition> mesh_definitions() {
  return {{"mesh", "Where the body's mesh comes from; generated meshes are centred on the origin.",
           mesh_record()},
          {"sdf", "Primitives, centred on the origin, moved about and combined.", sdf_record()}};
}

}  // namespace pliant
