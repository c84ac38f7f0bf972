// The light data of XDMF 3. Source: the XDMF model and format (xdmf.org), as ParaView's readers
// take it: a temporal collection of uniform grids that share one topology.
#include <pliant/exports/xdmf.hpp>

#include <pliant/io/encoding.hpp>
#include <pliant/io/numbered_name.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pliant::exports {
namespace {

struct XdmfType {
  std::string_view name;
  std::int32_t number;
  bool counted;  // in a mixed topology the number of nodes follows that of the type
};

// By ElementType. The order of nodes is VTK's, and so ours.
constexpr std::array<XdmfType, 6> types = {{{"Polyline", 2, true},
                                            {"Triangle", 4, false},
                                            {"Quadrilateral", 5, false},
                                            {"Tetrahedron", 6, false},
                                            {"Tetrahedron_10", 38, false},
                                            {"Hexahedron", 9, false}}};

const XdmfType& xdmf_type(ElementType type) { return types[static_cast<std::size_t>(type)]; }

std::string item(const XdmfShape& shape, const std::string& kind, const std::string& dimensions,
                 const std::string& path) {
  return fmt::format("<DataItem {} Dimensions=\"{}\" Format=\"HDF\">{}:{}</DataItem>", kind,
                     dimensions, xml_escaped(shape.data_file), path);
}

std::string topology(const XdmfShape& shape) {
  const std::string integers = "NumberType=\"Int\" Precision=\"4\"";
  if (!shape.type)
    return fmt::format(
        "<Topology TopologyType=\"Mixed\" NumberOfElements=\"{}\">{}</Topology>\n", shape.cells,
        item(shape, integers, std::to_string(shape.topology_size), "/cells/topology"));
  const int nodes = nodes_per_element(*shape.type);
  return fmt::format(
      "<Topology TopologyType=\"{}\" NodesPerElement=\"{}\" NumberOfElements=\"{}\">{}"
      "</Topology>\n",
      xdmf_type(*shape.type).name, nodes, shape.cells,
      item(shape, integers, fmt::format("{} {}", shape.cells, nodes), "/cells/topology"));
}

std::string attribute(const std::string& name, const char* kind, const char* center,
                      const std::string& data) {
  return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">{}</Attribute>\n",
                     name, kind, center, data);
}

std::string grid(const XdmfShape& shape, std::size_t k) {
  const std::string reals = "NumberType=\"Float\" Precision=\"8\"";
  const std::string vectors = fmt::format("{} 3", shape.points),
                    cells = std::to_string(shape.cells);
  const auto at = [&](const char* name) { return fmt::format("{}/{}", frame_group(k), name); };
  std::string text = fmt::format("<Grid Name=\"{}\" GridType=\"Uniform\">\n<Time Value=\"{}\"/>\n",
                                 frame_group(k).substr(1), shape.times[k]);
  text += topology(shape);
  text += fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                      item(shape, reals, vectors, at("points")));
  text += attribute("velocity", "Vector", "Node", item(shape, reals, vectors, at("velocity")));
  for (const char* name : {"von_mises", "det_F"})
    text += attribute(name, "Scalar", "Cell", item(shape, reals, cells, at(name)));
  text += attribute("body", "Scalar", "Cell",
                    item(shape, "NumberType=\"Int\" Precision=\"4\"", cells, "/cells/body"));
  return text + "</Grid>\n";
}

}  // namespace

XdmfShape make_xdmf_shape(const Job& job, const Volume& volume) {
  XdmfShape shape;
  shape.data_file = std::filesystem::path(job.out).replace_extension(".h5").filename().string();
  for (const ResultBody& body : job.bodies()) shape.points += static_cast<std::size_t>(body.nodes);
  shape.cells = volume.types.size();
  const auto differs = [&](ElementType type) { return type != volume.types.front(); };
  if (std::none_of(volume.types.begin(), volume.types.end(), differs))
    shape.type = volume.types.front();
  for (std::size_t k = 0; k < job.frames().size(); ++k) shape.times.push_back(job.time(k));
  shape.topology_size = make_topology(volume, shape).size();
  return shape;
}

std::vector<std::int32_t> make_topology(const Volume& volume, const XdmfShape& shape) {
  if (shape.type) return volume.nodes;
  std::vector<std::int32_t> numbers;
  auto next = volume.nodes.begin();
  for (const ElementType type : volume.types) {
    const int count = nodes_per_element(type);
    numbers.push_back(xdmf_type(type).number);
    if (xdmf_type(type).counted) numbers.push_back(count);
    numbers.insert(numbers.end(), next, next + count);
    next += count;
  }
  return numbers;
}

std::string frame_group(std::size_t k) { return numbered_name("/frame_", k, ""); }

std::string make_xdmf(const XdmfShape& shape) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
      "<Grid Name=\"frames\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (std::size_t k = 0; k < shape.times.size(); ++k) text += grid(shape, k);
  return text + "</Grid>\n</Domain>\n</Xdmf>\n";
}

}  // namespace pliant::exports
