// Sphere, capsule, cylinder and torus. A lattice with a bulged square (or cube) as its core is
// wrapped in layers that run from the core's sides to the round boundary; where three blocks meet,
// the bulge makes three angles of about 120°.
#include <pliant/mesh/generate_checks.hpp>
#include <pliant/mesh/hex_lattice.hpp>

#include <algorithm>
#include <numbers>

namespace pliant {
namespace {

using std::numbers::pi;

// Half the core's width over the radius, and how far its sides bulge: tan 15° / 2 = 0.134 turns
// each side by 15° at a corner, so that three angles of 120° meet there. Widths near ½ leave cells
// of like size inside and around the core; the tests hold the resulting angles to their bounds.
constexpr double disc_core = 0.52, disc_bulge = 0.13;
constexpr double ball_core = 0.48, ball_bulge = 0.13;

// A cube split into five tets has as many edges of length 1 as face diagonals: mean (1 + √2)/2.
double spacing(double size, ElementType element) {
  return element == ElementType::hex8 ? size : size / 1.2071;
}

struct Counts {
  Index core;    // cells across the core, even so that planes of symmetry carry points
  Index layers;  // cells from the core to the boundary
};

Counts counts_for(double radius, double h) {
  const auto at_least_one = [](double n) {
    return std::max<Index>(1, static_cast<Index>(std::lround(n)));
  };
  return {2 * at_least_one(0.62 * radius / h), at_least_one(0.4 * radius / h)};
}

// The direction of a point on the surface of the cube [−1, 1]³, equal angles for equal steps.
Vec3 direction(const Vec3& u) { return Vec3((u * (pi / 4)).array().tan()).normalized(); }

Vec3 ball_core_point(const Vec3& u, double radius) {
  const Vec3 bulge = Vec3::Ones() + ball_bulge * (Vec3::Ones() - u.cwiseProduct(u));
  return ball_core * radius *
         Vec3(u[0] * bulge[1] * bulge[2], u[1] * bulge[0] * bulge[2], u[2] * bulge[0] * bulge[1]);
}

// A box of lattice points (i, j, k) whose surface, all or in part, is extruded outwards in layers.
// Axis 1 (y) is stretched by `extra` cells in the middle. In the plane case (a disc) only the four
// sides around axis 1 are extruded and axis 1 has one level per copy of the disc.
class OGrid {
 public:
  OGrid(Counts counts, Index levels, bool closed_ends)
      : n_{counts.core, levels, counts.core}, layers_(counts.layers), closed_ends_(closed_ends) {
    number_surface();
  }

  // place(i, j, k, layer) gives the point; layer 0 is the core.
  template <class Place>
  HexLattice build(Place&& place) const {
    HexLattice lattice;
    for_points([&](Index i, Index j, Index k) { add(lattice, place(i, j, k, 0), i + j + k); });
    for (Index layer = 1; layer <= layers_; ++layer)
      for_points([&](Index i, Index j, Index k) {
        if (on_surface(i, j, k)) add(lattice, place(i, j, k, layer), i + j + k + layer);
      });
    add_core_cells(lattice);
    for (int axis = 0; axis < 3; ++axis)
      if (axis != 1 || closed_ends_)
        for (const bool upper : {false, true}) add_side_cells(lattice, axis, upper);
    return lattice;
  }

 private:
  using Corner = std::array<Index, 3>;

  template <class Visit>
  void for_points(Visit&& visit) const {
    for (Index k = 0; k <= n_[2]; ++k)
      for (Index j = 0; j <= n_[1]; ++j)
        for (Index i = 0; i <= n_[0]; ++i) visit(i, j, k);
  }
  static void add(HexLattice& lattice, const Vec3& x, Index steps) {
    lattice.points.push_back(x);
    lattice.colour.push_back(static_cast<char>(steps % 2));
  }
  bool on_surface(Index i, Index j, Index k) const {
    return i == 0 || i == n_[0] || k == 0 || k == n_[2] || (closed_ends_ && (j == 0 || j == n_[1]));
  }
  std::size_t lattice_index(const Corner& c) const {
    return static_cast<std::size_t>(c[0] + (n_[0] + 1) * (c[1] + (n_[1] + 1) * c[2]));
  }
  void number_surface() {
    for_points([&](Index i, Index j, Index k) {
      surface_number_.push_back(on_surface(i, j, k) ? surface_count_++ : -1);
    });
  }
  Index point(const Corner& c, Index layer) const {
    if (layer == 0) return static_cast<Index>(lattice_index(c));
    return static_cast<Index>(surface_number_.size()) + (layer - 1) * surface_count_ +
           surface_number_[lattice_index(c)];
  }

  void add_core_cells(HexLattice& lattice) const {
    for (Index k = 0; k < n_[2]; ++k)
      for (Index j = 0; j < n_[1]; ++j)
        for (Index i = 0; i < n_[0]; ++i) {
          const auto at = [&](Index a, Index b, Index c) {
            return point({i + a, j + b, k + c}, 0);
          };
          lattice.hexes.push_back({at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1),
                                   at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)});
        }
  }

  // Cells over the side where coordinate `axis` is smallest or largest.
  void add_side_cells(HexLattice& lattice, int axis, bool upper) const {
    // (u, v, outwards) is right-handed: (axis + 1, axis + 2) on the upper side, swapped on the
    // lower.
    const auto u = static_cast<std::size_t>((axis + (upper ? 1 : 2)) % 3);
    const auto v = static_cast<std::size_t>((axis + (upper ? 2 : 1)) % 3);
    for (Index layer = 0; layer < layers_; ++layer)
      for (Index b = 0; b < n_[v]; ++b)
        for (Index a = 0; a < n_[u]; ++a) {
          const auto at = [&](Index du, Index dv, Index out) {
            Corner c{};
            c[static_cast<std::size_t>(axis)] = upper ? n_[static_cast<std::size_t>(axis)] : 0;
            c[u] = a + du;
            c[v] = b + dv;
            return point(c, layer + out);
          };
          lattice.hexes.push_back({at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1),
                                   at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)});
        }
  }

  std::array<Index, 3> n_;
  Index layers_;
  bool closed_ends_;
  std::vector<Index> surface_number_;
  Index surface_count_ = 0;
};

double step_of(Index i, Index n) { return (2.0 * i - n) / n; }  // from −1 to 1

// A disc in x and z: point (i, k) of the core, or of a layer over its rim.
Vec3 disc_point(Index i, Index k, double fraction, Index core) {
  const Vec3 u(step_of(i, core), 0, step_of(k, core));
  const Vec3 square = disc_core * Vec3(u.x() * (1 + disc_bulge * (1 - u.z() * u.z())), 0,
                                       u.z() * (1 + disc_bulge * (1 - u.x() * u.x())));
  return fraction == 0 ? square : ((1 - fraction) * square + fraction * direction(u)).eval();
}

// Joins the last level of a tube to the first: both hold the same points.
HexLattice close_ring(const HexLattice& tube, const std::vector<Index>& level, Index levels) {
  HexLattice ring;
  std::vector<Index> number(tube.points.size());
  std::vector<Index> first_level;
  for (std::size_t n = 0; n < tube.points.size(); ++n) {
    if (level[n] == levels) continue;
    number[n] = static_cast<Index>(ring.points.size());
    ring.points.push_back(tube.points[n]);
    ring.colour.push_back(tube.colour[n]);
    if (level[n] == 0) first_level.push_back(number[n]);
  }
  // Points of a level come in the same order in every level.
  auto first = first_level.begin();
  for (std::size_t n = 0; n < tube.points.size(); ++n)
    if (level[n] == levels) number[n] = *first++;
  for (std::array<Index, 8> hex : tube.hexes) {
    for (Index& n : hex) n = number[static_cast<std::size_t>(n)];
    ring.hexes.push_back(hex);
  }
  return ring;
}

void check_round(std::string_view shape, ElementType element, double size) {
  generate::require_solid(shape, element);
  generate::require_positive(shape, "size", size);
}

double cells_for(double volume, double size, ElementType element) {
  const double per_cell = element == ElementType::hex8 ? 1 : 5;
  return per_cell * volume / std::pow(spacing(size, element), 3);
}

Mesh ball_with_waist(const CapsuleSpec& spec, Index waist) {
  const double radius = spec.radius;
  const Counts counts = counts_for(radius, spacing(spec.size, spec.element));
  const Index half = counts.core / 2;
  const auto place = [&](Index i, Index j, Index k, Index layer) -> Vec3 {
    // Levels half … half + waist are the straight part; the rest belongs to the two half balls.
    const Index in_waist = std::clamp<Index>(j - half, 0, waist);
    const double shift = waist == 0 ? 0 : spec.length / 2 * step_of(in_waist, waist);
    const Vec3 u(step_of(i, counts.core), step_of(j - in_waist, counts.core),
                 step_of(k, counts.core));
    const double fraction = static_cast<double>(layer) / counts.layers;
    const Vec3 core = ball_core_point(u, radius);
    const Vec3 x =
        layer == 0 ? core : ((1 - fraction) * core + fraction * radius * direction(u)).eval();
    return x + Vec3(0, shift, 0);
  };
  const OGrid grid(counts, counts.core + waist, true);
  return make_mesh(grid.build(place), spec.element, 5);
}

}  // namespace

Mesh make_sphere(const SphereSpec& spec) {
  check_round("sphere", spec.element, spec.size);
  generate::require_positive("sphere", "radius", spec.radius);
  const double volume = 4 * pi / 3 * std::pow(spec.radius, 3);
  generate::require_below_limit("sphere", cells_for(volume, spec.size, spec.element));
  return ball_with_waist({spec.radius, 0, spec.size, spec.element}, 0);
}

Mesh make_capsule(const CapsuleSpec& spec) {
  check_round("capsule", spec.element, spec.size);
  generate::require_positive("capsule", "radius", spec.radius);
  generate::require_positive("capsule", "length", spec.length);
  const double volume = pi * spec.radius * spec.radius * (4 * spec.radius / 3 + spec.length);
  generate::require_below_limit("capsule", cells_for(volume, spec.size, spec.element));
  const double h = spacing(spec.size, spec.element);
  return ball_with_waist(spec,
                         std::max<Index>(1, static_cast<Index>(std::lround(spec.length / h))));
}

Mesh make_cylinder(const CylinderSpec& spec) {
  check_round("cylinder", spec.element, spec.size);
  generate::require_positive("cylinder", "radius", spec.radius);
  generate::require_positive("cylinder", "length", spec.length);
  const double volume = pi * spec.radius * spec.radius * spec.length;
  generate::require_below_limit("cylinder", cells_for(volume, spec.size, spec.element));
  const double h = spacing(spec.size, spec.element);
  const Counts counts = counts_for(spec.radius, h);
  const Index levels = std::max<Index>(1, static_cast<Index>(std::lround(spec.length / h)));
  const auto place = [&](Index i, Index j, Index k, Index layer) -> Vec3 {
    const double fraction = static_cast<double>(layer) / counts.layers;
    return spec.radius * disc_point(i, k, fraction, counts.core) +
           Vec3(0, spec.length / 2 * step_of(j, levels), 0);
  };
  return make_mesh(OGrid(counts, levels, false).build(place), spec.element, 5);
}

Mesh make_torus(const TorusSpec& spec) {
  check_round("torus", spec.element, spec.size);
  generate::require_positive("torus", "tube", spec.tube);
  generate::require_positive("torus", "radius", spec.radius);
  if (!(spec.radius > spec.tube))
    throw InputError(
        fmt::format("torus/radius: must be above tube = {}, got {}", spec.tube, spec.radius));
  const double volume = 2 * pi * pi * spec.radius * spec.tube * spec.tube;
  generate::require_below_limit("torus", cells_for(volume, spec.size, spec.element));
  const double h = spacing(spec.size, spec.element);
  const Counts counts = counts_for(spec.tube, h);
  // Even, so that colours still alternate where the ring closes; eight keep a coarse one round.
  const Index around =
      2 * std::max<Index>(4, static_cast<Index>(std::lround(pi * spec.radius / h)));
  std::vector<Index> level;
  const auto place = [&](Index i, Index j, Index k, Index layer) -> Vec3 {
    level.push_back(j);
    const double fraction = static_cast<double>(layer) / counts.layers;
    const Vec3 d = spec.tube * disc_point(i, k, fraction, counts.core);
    const double angle =
        2 * pi * j / around;  // from x towards z: (x, along, z) maps to (r, angle, −y)
    const double r = spec.radius + d.x();
    return {r * std::cos(angle), -d.z(), r * std::sin(angle)};
  };
  const HexLattice tube = OGrid(counts, around, false).build(place);
  return make_mesh(close_ring(tube, level, around), spec.element, 5);
}

}  // namespace pliant
