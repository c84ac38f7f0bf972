#include <pliant/mesh/seeds.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace pliant::mesher {
namespace {

// Seeds of one part that are not too close to each other, in the order given.
void add_spread(const std::vector<Seed>& part, double size, std::vector<Seed>& seeds) {
  Vec3 low = part[0].inside, high = low;
  for (const Seed& seed : part) {
    low = low.cwiseMin(seed.inside);
    high = high.cwiseMax(seed.inside);
  }
  const double apart = std::min(0.7 * size, 0.25 * (high - low).norm());
  const std::size_t first = seeds.size();
  for (const Seed& seed : part) {
    const auto close = [&](const Seed& other) {
      return (seed.inside - other.inside).norm() < apart;
    };
    if (std::none_of(seeds.begin() + static_cast<std::ptrdiff_t>(first), seeds.end(), close))
      seeds.push_back(seed);
  }
}

// The lowest point of the connected part that each triangle belongs to.
std::vector<Index> connected_parts(const TriangleSoup& surface) {
  std::vector<Index> root(surface.points.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](Index n) {
    while (root[static_cast<std::size_t>(n)] != n) {
      Index& up = root[static_cast<std::size_t>(n)];
      n = up = root[static_cast<std::size_t>(up)];
    }
    return n;
  };
  for (const auto& t : surface.triangles)
    for (std::size_t k = 1; k < 3; ++k) {
      const Index a = find(t[0]), b = find(t[k]);
      root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<Index> part;
  part.reserve(surface.triangles.size());
  for (const auto& t : surface.triangles) part.push_back(find(t[0]));
  return part;
}

Seed seed_on(const TriangleSoup& surface, const std::array<Index, 3>& t) {
  const Vec3& a = surface.points[static_cast<std::size_t>(t[0])];
  const Vec3& b = surface.points[static_cast<std::size_t>(t[1])];
  const Vec3& c = surface.points[static_cast<std::size_t>(t[2])];
  const Vec3 doubled_area = (b - a).cross(c - a);
  const Vec3 step = doubled_area / std::sqrt(doubled_area.norm()) * 1e-3;
  const Vec3 middle = (a + b + c) / 3;
  return {middle - step, middle + step};
}

// Signs of a distance on a regular lattice, and the connected parts of its inside.
class SignLattice {
 public:
  SignLattice(const Sdf& body, const SdfBounds& bounds, double size) : low_(bounds.min) {
    constexpr double most_cells = 96;
    const Vec3 extent = bounds.max - bounds.min;
    const double step = std::max(size / 2, extent.maxCoeff() / most_cells);
    for (int i = 0; i < 3; ++i) {
      // One more cell than needed and half a step beyond both ends, so that faces of the body do
      // not fall on lattice planes and the rim is outside.
      n_[i] = std::max(4, static_cast<int>(std::ceil(extent[i] / step)) + 2);
      step_[i] = extent[i] / (n_[i] - 2);
    }
    low_ -= step_ / 2;
    inside_.resize(static_cast<std::size_t>(n_[0]) * n_[1] * n_[2]);
    for (std::size_t p = 0; p < inside_.size(); ++p) inside_[p] = distance(body, at(p)) < 0;
    label_parts();
  }

  std::map<int, std::vector<Seed>> crossings() const {
    std::map<int, std::vector<Seed>> parts;
    for (std::size_t p = 0; p < inside_.size(); ++p)
      if (inside_[p])
        for_neighbours(p, [&](std::size_t q) {
          if (!inside_[q]) parts[part_[p]].push_back({at(p), at(q)});
        });
    return parts;
  }

 private:
  std::array<int, 3> place(std::size_t p) const {
    const int i = static_cast<int>(p);
    return {i % n_[0], i / n_[0] % n_[1], i / n_[0] / n_[1]};
  }
  Vec3 at(std::size_t p) const {
    const auto [i, j, k] = place(p);
    return low_ + step_.cwiseProduct(Vec3(i, j, k));
  }
  template <class Visit>
  void for_neighbours(std::size_t p, Visit&& visit) const {
    const std::array<int, 3> c = place(p);
    const std::array<std::ptrdiff_t, 3> stride = {1, n_[0],
                                                  static_cast<std::ptrdiff_t>(n_[0]) * n_[1]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto here = static_cast<std::ptrdiff_t>(p);
      if (c[axis] > 0) visit(static_cast<std::size_t>(here - stride[axis]));
      if (c[axis] + 1 < n_[axis]) visit(static_cast<std::size_t>(here + stride[axis]));
    }
  }
  void label_parts() {
    part_.assign(inside_.size(), -1);
    int parts = 0;
    std::vector<std::size_t> open;
    for (std::size_t p = 0; p < inside_.size(); ++p) {
      if (!inside_[p] || part_[p] >= 0) continue;
      part_[p] = parts;
      for (open = {p}; !open.empty();) {
        const std::size_t next = open.back();
        open.pop_back();
        for_neighbours(next, [&](std::size_t q) {
          if (!inside_[q] || part_[q] >= 0) return;
          part_[q] = parts;
          open.push_back(q);
        });
      }
      ++parts;
    }
  }

  Vec3 low_, step_;
  std::array<int, 3> n_{};
  std::vector<char> inside_;
  std::vector<int> part_;
};

}  // namespace

std::vector<Seed> make_seeds(const TriangleSoup& surface, double size) {
  constexpr std::size_t per_part = 40;  // triangles looked at, evenly over the part's list
  std::map<Index, std::vector<std::size_t>> parts;
  const std::vector<Index> part = connected_parts(surface);
  for (std::size_t t = 0; t < part.size(); ++t) parts[part[t]].push_back(t);
  std::vector<Seed> seeds;
  for (const auto& [first, members] : parts) {
    const std::size_t stride = std::max<std::size_t>(1, members.size() / per_part);
    std::vector<Seed> some;
    for (std::size_t i = 0; i < members.size(); i += stride)
      some.push_back(seed_on(surface, surface.triangles[members[i]]));
    add_spread(some, size, seeds);
  }
  return seeds;
}

std::vector<Seed> make_seeds(const Sdf& body, const SdfBounds& bounds, double size) {
  std::vector<Seed> seeds;
  for (const auto& [label, crossings] : SignLattice(body, bounds, size).crossings())
    add_spread(crossings, size, seeds);
  return seeds;
}

}  // namespace pliant::mesher
