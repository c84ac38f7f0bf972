// Geoms of MJCF: shapes with masses, planes, and the meshes they name.
#pragma once

#include <pliant/robots/mjcf_elements.hpp>
#include <pliant/robots/readers.hpp>

#include <map>

namespace pliant::robots {

struct MjcfGeom {
  std::optional<Shape> shape;  // nothing: a plane, or what is not supported
  std::optional<Plane> plane;  // in the body
  bool touches = true;
  double friction = 1;  // of sliding
};

class MjcfGeoms {
 public:
  MjcfGeoms(const XmlElement& root, const MjcfSettings& settings, const MjcfDefaults& defaults,
            const ReadOptions& options, Warnings& warnings);

  MjcfGeom read(const XmlElement& resolved) const;

 private:
  struct Asset {
    std::string file, where;
    Vec3 scale = Vec3::Ones();
  };
  Shape simple_shape(const XmlElement& geom, const std::string& type) const;
  Shape mesh_shape(const XmlElement& geom) const;
  void read_mass(const XmlElement& geom, Shape& shape) const;

  const MjcfSettings& settings_;
  const ReadOptions& options_;
  Warnings& warnings_;
  std::map<std::string, Asset> assets_;
};

}  // namespace pliant::robots
