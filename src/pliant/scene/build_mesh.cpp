#include <pliant/core/error.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/mesh/tetrahedralize.hpp>
#include <pliant/mesh/validate.hpp>
#include <pliant/scene/build.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// Only tetrahedra can be asked to change their order.
Mesh with_element(Mesh mesh, ElementType wanted, std::string_view where) {
  if (wanted == ElementType::tet10) {
    for (const ElementBlock& block : mesh.blocks)
      if (dimension(block.type) == 3 && block.type != ElementType::tet4 && block.type != wanted)
        throw InputError(fmt::format("{}: only tet4 meshes can become tet10, this one has {}",
                                     where, name_of(block.type)));
    return make_quadratic(mesh);
  }
  for (const ElementBlock& block : mesh.blocks)
    if (dimension(block.type) == 3 && block.type != wanted)
      throw InputError(fmt::format("{}: the mesh has {} elements, not {}", where,
                                   name_of(block.type), name_of(wanted)));
  return mesh;
}

Mesh read_body(const FileMesh& file, std::string_view where, const Log& log) {
  Mesh mesh = read_named_mesh(file.file, fmt::format("{}/file", where), log);
  require_valid(mesh, file.file.written, log);
  return file.element ? with_element(std::move(mesh), *file.element, where) : mesh;
}

Mesh fill(const SurfaceMesh& filled, std::string_view where, const Log& log) {
  const Mesh surface = read_named_mesh(filled.surface, fmt::format("{}/surface", where), log);
  return with_element(fill_surface(surface, filled.size, filled.surface.written, log),
                      filled.element, where);
}

// Generators know their shape and not the scene; what they refuse is given its place here.
template <class Spec>
Mesh generate(Mesh (*make)(const Spec&), const Spec& spec, std::string_view where) {
  try {
    return make(spec);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}/{}", where, error.what()));
  }
}

// Points of a round boundary lie on it, so the elements between them lack a little volume.
struct ExactVolume {  // m³
  constexpr static double pi = std::numbers::pi;
  double operator()(const SphereSpec& s) const { return 4 * pi / 3 * std::pow(s.radius, 3); }
  double operator()(const CylinderSpec& s) const { return pi * s.radius * s.radius * s.length; }
  double operator()(const CapsuleSpec& s) const {
    return pi * s.radius * s.radius * (s.length + 4 * s.radius / 3);
  }
  double operator()(const TorusSpec& s) const { return 2 * pi * pi * s.radius * s.tube * s.tube; }
};

constexpr double kWorthAWord = 0.01;  // of the volume

template <class Spec>
Mesh generate_round(Mesh (*make)(const Spec&), const Spec& spec, std::string_view shape,
                    std::string_view where, const Log& log) {
  Mesh mesh = generate(make, spec, where);
  const double lacking = 1 - statistics_of(mesh).measure / ExactVolume()(spec);
  if (lacking > kWorthAWord)
    log.info(
        fmt::format("{}: volume and mass of the mesh are {:.1f} % less than the exact {}'s; a "
                    "smaller size brings "
                    "them closer",
                    where, 100 * lacking, shape));
  return mesh;
}

}  // namespace

Mesh read_named_mesh(const FilePath& file, std::string_view where, const Log& log) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file.resolved, ignored);
  const char* what = std::filesystem::is_directory(status) ? "is a folder, not a mesh"
                     : !std::filesystem::exists(status)    ? "does not exist"
                                                           : nullptr;
  if (what)
    throw InputError(
        fmt::format("{}: {} ({}) {}", where, file.written,
                    std::filesystem::absolute(file.resolved).lexically_normal().string(), what));
  return read_mesh(file.resolved, log);
}

Mesh build_mesh(const MeshDescription& description, std::string_view where, const Log& log) {
  struct Visitor {
    std::string_view where;
    const Log& log;
    Mesh operator()(const BoxSpec& spec) const { return generate(make_box, spec, where); }
    Mesh operator()(const SphereSpec& spec) const {
      return generate_round(make_sphere, spec, "sphere", where, log);
    }
    Mesh operator()(const CylinderSpec& spec) const {
      return generate_round(make_cylinder, spec, "cylinder", where, log);
    }
    Mesh operator()(const CapsuleSpec& spec) const {
      return generate_round(make_capsule, spec, "capsule", where, log);
    }
    Mesh operator()(const TorusSpec& spec) const {
      return generate_round(make_torus, spec, "torus", where, log);
    }
    Mesh operator()(const SheetSpec& spec) const { return generate(make_sheet, spec, where); }
    Mesh operator()(const CableSpec& spec) const { return generate(make_cable, spec, where); }
    Mesh operator()(const FileMesh& file) const { return read_body(file, where, log); }
    Mesh operator()(const SurfaceMesh& filled) const { return fill(filled, where, log); }
    Mesh operator()(const SdfMesh& sdf) const {
      return with_element(fill_sdf(sdf.body, sdf.size, where, log), sdf.element, where);
    }
  };
  return std::visit(Visitor{where, log}, description);
}

}  // namespace pliant
