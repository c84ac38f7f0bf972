#include <pliant/mesh/polygonize.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace pliant {
namespace {

constexpr double kMostCubes = 1 << 24;
// Points keep away from those of the lattice, by this part of an edge: no triangle becomes a point.
constexpr double kMargin = 0.03;

// The six ways from a cube's first corner to its last along the axes: each passes four corners.
constexpr std::array<std::array<int, 4>, 6> tetrahedra = {
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

class Polygonizer {
 public:
  Polygonizer(const std::function<double(const Vec3&)>& phi, const PolygonizeSpec& spec,
              std::string_view where)
      : phi_(phi), where_(where) {
    double cubes = 1;
    for (int i = 0; i < 3; ++i) {
      const double cells = std::max(1.0, std::ceil(spec.bounds.sizes()[i] / spec.size - 1e-9));
      cubes *= cells;
      if (!(cubes <= kMostCubes))
        throw InputError(fmt::format(
            "{}: cubes of {} m would be more than {} in its bounds; a larger size would do", where,
            spec.size, kMostCubes));
      h_[i] = spec.bounds.sizes()[i] / cells;
      // A layer around it in which the function counts as positive closes the surface.
      points_[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(cells) + 3;
    }
    origin_ = spec.bounds.min() - h_;
  }

  Mesh run() {
    sample();
    for (std::int64_t k = 0; k + 1 < points_[2]; ++k)
      for (std::int64_t j = 0; j + 1 < points_[1]; ++j)
        for (std::int64_t i = 0; i + 1 < points_[0]; ++i) add_cube(i, j, k);
    if (block_.nodes.empty())
      throw InputError(fmt::format(
          "{}: is nowhere negative in its bounds, [{}, {}, {}] to [{}, {}, {}]; give others with "
          "\"bounds\"",
          where_, low().x(), low().y(), low().z(), high().x(), high().y(), high().z()));
    block_.region.assign(block_.nodes.size() / 3, 0);
    mesh_.blocks.push_back(std::move(block_));
    return std::move(mesh_);
  }

 private:
  Vec3 low() const { return origin_ + h_; }
  Vec3 high() const {
    return origin_ + h_.cwiseProduct(Vec3(static_cast<double>(points_[0] - 2),
                                          static_cast<double>(points_[1] - 2),
                                          static_cast<double>(points_[2] - 2)));
  }
  std::int64_t number(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (k * points_[1] + j) * points_[0] + i;
  }
  Vec3 place(std::int64_t n) const {
    const std::int64_t i = n % points_[0], j = n / points_[0] % points_[1],
                       k = n / points_[0] / points_[1];
    return origin_ + h_.cwiseProduct(Vec3(static_cast<double>(i), static_cast<double>(j),
                                          static_cast<double>(k)));
  }
  bool outer(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::array<std::int64_t, 3> at = {i, j, k};
    for (std::size_t a = 0; a < 3; ++a)
      if (at[a] == 0 || at[a] == points_[a] - 1) return true;
    return false;
  }

  void sample() {
    inside_.assign(static_cast<std::size_t>(points_[0] * points_[1] * points_[2]), 0);
    for (std::int64_t k = 0; k < points_[2]; ++k)
      for (std::int64_t j = 0; j < points_[1]; ++j)
        for (std::int64_t i = 0; i < points_[0]; ++i) {
          if (outer(i, j, k)) continue;
          const Vec3 x = place(number(i, j, k));
          const double value = phi_(x);
          if (std::isnan(value))
            throw InputError(
                fmt::format("{}: is not a number at [{}, {}, {}]", where_, x.x(), x.y(), x.z()));
          inside_[static_cast<std::size_t>(number(i, j, k))] = value < 0;
        }
  }

  void add_cube(std::int64_t i, std::int64_t j, std::int64_t k) {
    std::array<std::int64_t, 8> corner{};
    int count = 0;
    for (int c = 0; c < 8; ++c) {
      corner[static_cast<std::size_t>(c)] = number(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
      count += inside_[static_cast<std::size_t>(corner[static_cast<std::size_t>(c)])];
    }
    if (count == 0 || count == 8) return;
    for (const auto& t : tetrahedra) {
      std::array<std::int64_t, 4> nodes{};
      for (std::size_t a = 0; a < 4; ++a) nodes[a] = corner[static_cast<std::size_t>(t[a])];
      add_tetrahedron(nodes);
    }
  }

  void add_tetrahedron(const std::array<std::int64_t, 4>& t) {
    std::array<std::int64_t, 4> in{}, out{};
    std::size_t ins = 0, outs = 0;
    for (const std::int64_t n : t)
      (inside_[static_cast<std::size_t>(n)] ? in[ins++] : out[outs++]) = n;
    if (ins == 0 || outs == 0) return;
    const Vec3 outwards = center(out, outs) - center(in, ins);
    if (ins == 1) {
      add({cut(in[0], out[0]), cut(in[0], out[1]), cut(in[0], out[2])}, outwards);
    } else if (ins == 3) {
      add({cut(in[0], out[0]), cut(in[1], out[0]), cut(in[2], out[0])}, outwards);
    } else {
      const Index a = cut(in[0], out[0]), b = cut(in[0], out[1]), c = cut(in[1], out[1]),
                  d = cut(in[1], out[0]);
      add({a, b, c}, outwards);
      add({a, c, d}, outwards);
    }
  }
  Vec3 center(const std::array<std::int64_t, 4>& nodes, std::size_t count) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t a = 0; a < count; ++a) sum += place(nodes[a]);
    return sum / static_cast<double>(count);
  }
  // A plane through edges from those inside to those outside has the former on one side: any pair
  // of them says which.
  void add(std::array<Index, 3> corners, const Vec3& outwards) {
    const auto at = [this](Index n) -> const Vec3& {
      return mesh_.points[static_cast<std::size_t>(n)];
    };
    const Vec3 normal = (at(corners[1]) - at(corners[0])).cross(at(corners[2]) - at(corners[0]));
    if (normal.dot(outwards) < 0) std::swap(corners[1], corners[2]);
    block_.nodes.insert(block_.nodes.end(), corners.begin(), corners.end());
  }

  // The point of the surface on an edge of the lattice; the same for all tetrahedra at that edge.
  Index cut(std::int64_t in, std::int64_t out) {
    const std::int64_t all = points_[0] * points_[1] * points_[2];
    const auto [found, fresh] =
        cuts_.try_emplace(static_cast<std::uint64_t>(std::min(in, out) * all + std::max(in, out)),
                          mesh_.point_count());
    if (fresh) mesh_.points.push_back(root(place(in), place(out), is_outer(out)));
    return found->second;
  }
  bool is_outer(std::int64_t n) const {
    return outer(n % points_[0], n / points_[0] % points_[1], n / points_[0] / points_[1]);
  }
  // By bisection: φ need not be smooth. Where it is cut off, at the bounds.
  Vec3 root(const Vec3& in, const Vec3& out, bool cut_off) const {
    double low = 0, high = 1;
    for (int step = 0; step < 24 && !cut_off; ++step) {
      const double middle = 0.5 * (low + high);
      (phi_(in + middle * (out - in)) < 0 ? low : high) = middle;
    }
    return in + std::clamp(cut_off ? 0 : low, kMargin, 1 - kMargin) * (out - in);
  }

  const std::function<double(const Vec3&)>& phi_;
  std::string_view where_;
  Vec3 h_, origin_;
  std::array<std::int64_t, 3> points_{};
  std::vector<char> inside_;
  std::unordered_map<std::uint64_t, Index> cuts_;
  Mesh mesh_;
  ElementBlock block_{ElementType::tri3, {}, {}};
};

}  // namespace

Mesh polygonize(const std::function<double(const Vec3&)>& phi, const PolygonizeSpec& spec,
                std::string_view where) {
  return Polygonizer(phi, spec, where).run();
}

}  // namespace pliant
