#include <pliant/mesh/tetrahedralize.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/locality.hpp>
#include <pliant/mesh/mesher.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/mesh/surface_check.hpp>
#include <pliant/mesh/validate.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

// Tetrahedra per size³ of volume where the mean edge is `size`: measured on balls and cubes of a
// few thousand. Regular tetrahedra alone would give 6√2 ≈ 8.5; thin and curved parts take more.
constexpr double tets_per_cube = 11;

void require_size(double size, double volume, std::string_view source) {
  if (!(size > 0) || !std::isfinite(size))
    throw InputError(fmt::format("{}: size must be above 0, got {}", source, size));
  const double count = estimate_tet_count(volume, size);
  if (!(count <= tet_count_limit))
    throw InputError(
        fmt::format("{}: size {} would give about {:.2g} tetrahedra, the limit is {:.2g}; size "
                    "{:.3g} gives 50000",
                    source, size, count, tet_count_limit, size_for_tet_count(volume, 5e4)));
}

// Ten times the points expected, and room for small bodies whose surface rules.
mesher::Limits limits_for(double size, double volume) {
  return {size, static_cast<std::size_t>(2 * estimate_tet_count(volume, size)) + 200000};
}

Mesh finish(Mesh mesh, std::string_view source, const Log& log) {
  if (mesh.element_count() == 0)
    throw InputError(fmt::format("{}: the mesher found nothing to fill at this size", source));
  require_valid(mesh, source, log);
  renumber_for_locality(mesh);
  return mesh;
}

// Whatever the mesher throws is the input's fault as far as the user is concerned.
template <class Fill>
Mesh guarded(std::string_view source, Fill&& fill) {
  try {
    return fill();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: the mesher ran out of memory; choose a larger size", source));
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: the mesher failed: {}", source, error.what()));
  }
}

}  // namespace

double estimate_tet_count(double volume, double size) {
  return tets_per_cube * volume / (size * size * size);
}

double size_for_tet_count(double volume, double count) {
  return std::cbrt(tets_per_cube * volume / count);
}

Mesh fill_surface(const Mesh& surface, double size, std::string_view source, const Log& log) {
  if (surface.top_dimension() != 2)
    throw InputError(fmt::format("{}: must be a surface of triangles or quadrilaterals", source));
  std::vector<std::array<Index, 3>> triangles = make_surface(surface).triangles;
  require_closed(check_surface(surface.points, triangles), source);
  double volume = enclosed_volume(surface.points, triangles);
  if (volume < 0) {
    for (auto& t : triangles) std::swap(t[1], t[2]);
    volume = -volume;
    log.warn(fmt::format("{}: the surface faced inwards and was turned", source));
  }
  require_size(size, volume, source);
  Mesh mesh = guarded(source, [&] {
    return mesher::fill(mesher::TriangleSoup{surface.points, triangles}, limits_for(size, volume));
  });
  return finish(std::move(mesh), source, log);
}

Mesh fill_sdf(const Sdf& body, double size, std::string_view source, const Log& log) {
  require_valid(body, source);
  const SdfBounds box = bounds(body);
  if (!box.finite())
    throw InputError(fmt::format("{}: the body has no end; intersect it with a box", source));
  if (!(box.min.array() < box.max.array()).all())
    throw InputError(fmt::format("{}: the body is empty", source));
  const double volume = (box.max - box.min).prod();  // an upper bound
  require_size(size, volume, source);
  Mesh mesh = guarded(source, [&] { return mesher::fill(body, box, limits_for(size, volume)); });
  return finish(std::move(mesh), source, log);
}

}  // namespace pliant
