#include <pliant/robots/mjcf_geoms.hpp>

#include <pliant/core/suggest.hpp>
#include <pliant/io/mesh_cursor.hpp>
#include <pliant/robots/shapes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant::robots {
namespace {

const std::vector<std::string> kTypes = {"plane",    "sphere", "capsule", "ellipsoid",
                                         "cylinder", "box",    "mesh"};

unsigned bits_of(const XmlElement& geom, std::string_view attribute) {
  const double number = optional_number(geom, attribute).value_or(1);
  if (number < 0 || number > 4294967295.0 || number != std::floor(number))
    geom.fail(fmt::format("{} must be a whole number from 0 on, got {}", attribute, number));
  return static_cast<unsigned>(number);
}

// The first so many numbers of `size`, of which a class may give more than are used.
std::vector<double> sizes_of(const XmlElement& geom, std::size_t count) {
  std::vector<double> sizes;
  if (const std::string* value = geom.find("size")) sizes = numbers_of(geom, "size", *value);
  if (sizes.size() < count)
    geom.fail(fmt::format("size must have {} number{}, got {}", count, count == 1 ? "" : "s",
                          sizes.size()));
  sizes.resize(count);
  for (const double size : sizes) checked_length(geom, "size", size);
  return sizes;
}

}  // namespace

MjcfGeoms::MjcfGeoms(const XmlElement& root, const MjcfSettings& settings,
                     const MjcfDefaults& defaults, const ReadOptions& options, Warnings& warnings)
    : settings_(settings), options_(options), warnings_(warnings) {
  for (const XmlElement* assets : root.all("asset"))
    for (const XmlElement* element : assets->all("mesh")) {
      const XmlElement mesh = defaults.resolved(*element, "");
      Asset asset;
      asset.where = mesh.where();
      if (const std::string* file = mesh.find("file")) asset.file = *file;
      asset.scale =
          checked_factors(mesh, "scale", optional_vec3(mesh, "scale").value_or(Vec3::Ones()));
      const std::string* given = mesh.find("name");
      const std::string name = given ? *given : std::filesystem::path(asset.file).stem().string();
      if (!assets_.emplace(name, asset).second)
        mesh.fail(fmt::format("there is another mesh called {}", in_quotes(name)));
    }
}

MjcfGeom MjcfGeoms::read(const XmlElement& geom) const {
  MjcfGeom out;
  std::string type = geom.find("type") ? *geom.find("type") : "sphere";
  if (type == "hfield" || type == "sdf") {
    warnings_.add("geom " + type, geom.where(),
                  fmt::format("a geom of the type \"{}\" is not supported and left out", type));
    return out;
  }
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end())
    geom.fail(fmt::format("unknown type {}{}", in_quotes(type), suggestion(type, kTypes)));
  const Pose pose = mjcf_pose(geom, settings_);
  const std::string name = geom.find("name") ? *geom.find("name") : "";
  const unsigned pushes = bits_of(geom, "contype"), yields = bits_of(geom, "conaffinity");
  out.touches = pushes != 0 || yields != 0;
  if (const std::string* value = geom.find("friction")) {
    const std::vector<double> friction = numbers_of(geom, "friction", *value);
    if (friction.empty() || friction[0] < 0) geom.fail("friction must not be negative");
    out.friction = friction[0];
  }
  if (type == "plane") {
    out.plane = Plane{name, pose.p, pose.R.col(2)};
    return out;
  }
  if (type == "mesh" || geom.find("mesh")) {
    if (type != "mesh") {
      warnings_.add("geom fitted to a mesh", geom.where(),
                    fmt::format("a {} that is fitted to a mesh is taken as the mesh itself", type));
    }
    const std::string wanted = required_text(geom, "mesh");
    const auto found = assets_.find(wanted);
    if (found != assets_.end() && found->second.file.empty()) {
      warnings_.add("mesh without a file", found->second.where,
                    fmt::format("the mesh \"{}\" has no file: its geoms are left out", wanted));
      return out;
    }
    out.shape = mesh_shape(geom);
    out.shape->pose = pose;
  } else {
    out.shape = simple_shape(geom, type);
    if (type == "sphere" || !geom.find("fromto")) out.shape->pose = pose;
  }
  out.shape->name = name;
  out.shape->where = geom.where();
  out.shape->pushes = pushes;
  out.shape->yields = yields;
  read_mass(geom, *out.shape);
  return out;
}

void MjcfGeoms::read_mass(const XmlElement& geom, Shape& shape) const {
  shape.density = optional_number(geom, "density").value_or(1000);
  if (shape.density < 0) geom.fail(fmt::format("the density is negative: {}", shape.density));
  shape.mass = optional_number(geom, "mass");
  if (shape.mass && *shape.mass < 0)
    geom.fail(fmt::format("the mass is negative: {}", *shape.mass));
}

// Sizes of MuJoCo are half lengths.
Shape MjcfGeoms::simple_shape(const XmlElement& geom, const std::string& type) const {
  Shape shape;
  const auto ends = optional_numbers(geom, "fromto", 6);
  double half = 0;
  if (ends && type != "sphere") {
    const Vec3 from((*ends)[0], (*ends)[1], (*ends)[2]), to((*ends)[3], (*ends)[4], (*ends)[5]);
    half = 0.5 * (to - from).norm();
    checked_length(geom, "the way of fromto", half);
    shape.pose = {from_z_axis(from - to), 0.5 * (from + to)};
  }
  if (type == "sphere") {
    shape.kind = ShapeKind::sphere;
    shape.size.x() = sizes_of(geom, 1)[0];
    return shape;
  }
  if (type == "capsule" || type == "cylinder") {
    shape.kind = type == "capsule" ? ShapeKind::capsule : ShapeKind::cylinder;
    const std::vector<double> sizes = sizes_of(geom, half > 0 ? 1 : 2);
    shape.size = Vec3(sizes[0], 2 * (half > 0 ? half : sizes[1]), 1);
    return shape;
  }
  std::vector<double> sizes = sizes_of(geom, half > 0 ? 2 : 3);
  if (half > 0) sizes.push_back(half);
  shape.kind = type == "box" ? ShapeKind::box : ShapeKind::ellipsoid;
  shape.size = Vec3(sizes[0], sizes[1], sizes[2]) * (type == "box" ? 2.0 : 1.0);
  return shape;
}

Shape MjcfGeoms::mesh_shape(const XmlElement& geom) const {
  const std::string name = required_text(geom, "mesh");
  const auto found = assets_.find(name);
  if (found == assets_.end()) {
    std::vector<std::string> known;
    for (const auto& [one, asset] : assets_) known.push_back(one);
    geom.fail(fmt::format("unknown mesh {}{}", in_quotes(name), suggestion(name, known)));
  }
  Shape shape;
  shape.kind = ShapeKind::mesh;
  shape.size = found->second.scale;
  std::filesystem::path file = found->second.file;
  if (settings_.strip_path) file = file.filename();
  shape.file =
      find_mesh_file(file.string(), options_.folder, settings_.mesh_folder, found->second.where);
  return shape;
}

}  // namespace pliant::robots
