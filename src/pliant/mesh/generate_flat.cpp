// Box, sheet and cable: regular grids.
#include <pliant/mesh/generate_checks.hpp>
#include <pliant/mesh/hex_lattice.hpp>

namespace pliant {
namespace {

// −L/2 + L i/n, written so that both ends and the middle are exact and the grid is symmetric.
double coordinate(double length, Index i, Index n) { return length * (2.0 * i - n) / (2.0 * n); }

}  // namespace

Mesh make_box(const BoxSpec& spec) {
  generate::require_solid("box", spec.element);
  for (std::size_t i = 0; i < 3; ++i) {
    generate::require_positive("box", "size", spec.size[static_cast<Eigen::Index>(i)]);
    generate::require_count("box", "cells", spec.cells[i]);
  }
  if (spec.split != 5 && spec.split != 6)
    throw InputError(fmt::format("box/split: must be 5 or 6, got {}", spec.split));
  const auto [nx, ny, nz] = spec.cells;
  const double per_cell = spec.element == ElementType::hex8 ? 1 : spec.split;
  generate::require_below_limit("box", per_cell * nx * ny * nz);

  HexLattice lattice;
  for (Index k = 0; k <= nz; ++k)
    for (Index j = 0; j <= ny; ++j)
      for (Index i = 0; i <= nx; ++i) {
        lattice.points.emplace_back(coordinate(spec.size.x(), i, nx),
                                    coordinate(spec.size.y(), j, ny),
                                    coordinate(spec.size.z(), k, nz));
        lattice.colour.push_back(static_cast<char>((i + j + k) % 2));
      }
  const auto at = [nx = nx, ny = ny](Index i, Index j, Index k) {
    return i + (nx + 1) * (j + (ny + 1) * k);
  };
  for (Index k = 0; k < nz; ++k)
    for (Index j = 0; j < ny; ++j)
      for (Index i = 0; i < nx; ++i)
        lattice.hexes.push_back({at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k),
                                 at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1),
                                 at(i, j + 1, k + 1)});
  return make_mesh(lattice, spec.element, spec.split);
}

Mesh make_sheet(const SheetSpec& spec) {
  if (dimension(spec.element) != 2)
    throw InputError(
        fmt::format("sheet/element: must be tri3 or quad4, got {}", name_of(spec.element)));
  for (std::size_t i = 0; i < 2; ++i) {
    generate::require_positive("sheet", "size", spec.size[i]);
    generate::require_count("sheet", "cells", spec.cells[i]);
  }
  const auto [m, n] = spec.cells;
  generate::require_below_limit("sheet", 2.0 * m * n);

  Mesh mesh;
  ElementBlock& block = mesh.blocks.emplace_back();
  block.type = spec.element;
  for (Index k = 0; k <= n; ++k)
    for (Index i = 0; i <= m; ++i)
      mesh.points.emplace_back(coordinate(spec.size[0], i, m), 0, coordinate(spec.size[1], k, n));
  const auto add = [&](std::initializer_list<Index> nodes) {
    block.nodes.insert(block.nodes.end(), nodes);
  };
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < m; ++i) {
      // Counter-clockwise seen from +y, where z points down the page when x points right.
      const Index a = i + (m + 1) * k, b = a + m + 1, c = b + 1, d = a + 1;
      if (spec.element == ElementType::quad4)
        add({a, b, c, d});
      else if ((i + k) % 2 == 0)
        add({a, b, c, a, c, d});
      else
        add({a, b, d, b, c, d});
    }
  block.region.assign(static_cast<std::size_t>(block.size()), 0);
  return mesh;
}

Mesh make_cable(const CableSpec& spec) {
  generate::require_count("cable", "segments", spec.segments);
  generate::require_below_limit("cable", spec.segments);
  if (!spec.from.allFinite() || !spec.to.allFinite())
    throw InputError("cable: both ends must be finite");
  if (spec.from == spec.to) throw InputError("cable/to: must differ from `from`");
  Mesh mesh;
  ElementBlock& block = mesh.blocks.emplace_back();
  block.type = ElementType::segment2;
  for (Index i = 0; i <= spec.segments; ++i) {
    const double t = static_cast<double>(i) / spec.segments;
    mesh.points.push_back((1 - t) * spec.from + t * spec.to);
  }
  for (Index i = 0; i < spec.segments; ++i) block.nodes.insert(block.nodes.end(), {i, i + 1});
  block.region.assign(static_cast<std::size_t>(block.size()), 0);
  return mesh;
}

}  // namespace pliant
