#include <pliant/mesh/tubes.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numbers>

namespace pliant {
namespace {

constexpr Index kSides = 12;  // of a tube: 30° from face to face is shaded as round
// Of the size of what is shown: the least radius of each kind that is seen.
constexpr std::array<double, kThreadKinds> kVisible = {0.002, 0.003, 0.003, 0.006, 0.002};
// Where a thread turns back sharply its ring would become endlessly wide.
constexpr double kWidest = 2;

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

// Directions of the segments; one without length has that of its neighbour.
std::vector<Vec3> directions_of(const std::vector<Index>& points, std::span<const Vec3> centres) {
  std::vector<Vec3> out;
  Vec3 last = Vec3::Zero();
  for (std::size_t s = 0; s + 1 < points.size(); ++s) {
    const Vec3 along = centres[at(points[s + 1])] - centres[at(points[s])];
    if (along.norm() > 0) last = along.normalized();
    out.push_back(last);
  }
  Vec3 next = last.isZero(0) ? Vec3(Vec3::UnitY()) : last;
  for (auto direction = out.rbegin(); direction != out.rend(); ++direction) {
    if (direction->isZero(0)) *direction = next;
    next = *direction;
  }
  return out;
}

struct Ring {
  Vec3 along;       // across which it lies, of length one
  double wide = 1;  // as much wider it is where the thread bends
  Vec3 bend;        // along which
};

// Between two segments the ring lies in the plane that halves their angle.
Ring ring_between(const Vec3& before, const Vec3& behind) {
  const Vec3 sum = before + behind;
  if (sum.norm() < 1e-6) return {behind, 1, Vec3::Zero()};
  const Vec3 along = sum.normalized(), turn = behind - before;
  const double wide = std::min(kWidest, 1 / along.dot(behind));
  return {along, wide, turn.norm() > 0 ? Vec3(turn.normalized()) : Vec3(Vec3::Zero())};
}

}  // namespace

double drawn_radius(const Thread& thread, double size) {
  return std::max(thread.radius, kVisible[static_cast<std::size_t>(thread.kind)] * size);
}

std::vector<std::vector<Index>> chains_of(std::span<const std::array<Index, 2>> segments) {
  std::map<Index, std::vector<std::size_t>> around;  // segments at each node
  for (std::size_t s = 0; s < segments.size(); ++s)
    for (const Index n : segments[s]) around[n].push_back(s);
  std::vector<char> used(segments.size(), 0);
  std::vector<std::vector<Index>> chains;
  const auto walk = [&](Index n, std::size_t s) {
    std::vector<Index> chain = {n};
    for (bool on = true; on;) {
      used[s] = 1;
      n = segments[s][0] == n ? segments[s][1] : segments[s][0];
      chain.push_back(n);
      const std::vector<std::size_t>& here = around[n];
      on = here.size() == 2;
      if (!on) break;
      s = here[0] == s ? here[1] : here[0];
      on = used[s] == 0;
    }
    chains.push_back(std::move(chain));
  };
  for (const auto& [n, here] : around)
    if (here.size() != 2)
      for (const std::size_t s : here)
        if (!used[s]) walk(n, s);
  for (std::size_t s = 0; s < segments.size(); ++s)  // those that are closed
    if (!used[s]) walk(segments[s][0], s);
  return chains;
}

Tubes::Tubes(std::vector<Thread> threads, double size) : threads_(std::move(threads)) {
  for (std::size_t k = 0; k < threads_.size(); ++k) {
    assert(threads_[k].points.size() >= 2);
    radius_.push_back(drawn_radius(threads_[k], size));
    add_triangles(static_cast<Index>(k));
  }
}

// Rings one after the other, then the middles of both ends.
void Tubes::add_triangles(Index thread) {
  const std::vector<Index>& points = threads_[at(thread)].points;
  const auto first = static_cast<Index>(source_.size());
  for (const Index n : points) source_.insert(source_.end(), kSides, n);
  source_.push_back(points.front());
  source_.push_back(points.back());
  thread_of_vertex_.resize(source_.size(), thread);
  const auto last = static_cast<Index>(points.size()) - 1, end = static_cast<Index>(source_.size());
  for (Index i = 0; i < kSides; ++i) {
    const Index j = (i + 1) % kSides;
    for (Index r = 0; r < last; ++r) {
      const Index a = first + r * kSides, b = a + kSides;
      triangles_.push_back({a + i, a + j, b + j});
      triangles_.push_back({a + i, b + j, b + i});
    }
    triangles_.push_back({end - 2, first + j, first + i});
    triangles_.push_back({end - 1, first + last * kSides + i, first + last * kSides + j});
  }
  thread_of_triangle_.resize(triangles_.size(), thread);
}

std::vector<Vec3> Tubes::vertices(std::span<const Vec3> centres) const {
  std::vector<Vec3> out;
  out.reserve(source_.size());
  for (std::size_t k = 0; k < threads_.size(); ++k) {
    const std::vector<Index>& points = threads_[k].points;
    const std::vector<Vec3> along = directions_of(points, centres);
    Vec3 u = along[0].unitOrthogonal(), before = along[0];
    for (std::size_t r = 0; r < points.size(); ++r) {
      const Ring ring =
          ring_between(along[r == 0 ? 0 : r - 1], along[std::min(r, along.size() - 1)]);
      u = Eigen::Quaterniond::FromTwoVectors(before, ring.along) * u;
      u = (u - u.dot(ring.along) * ring.along).normalized();
      before = ring.along;
      const Vec3 w = ring.along.cross(u);
      for (Index i = 0; i < kSides; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / kSides;
        Vec3 spoke = radius_[k] * (std::cos(angle) * u + std::sin(angle) * w);
        spoke += (ring.wide - 1) * spoke.dot(ring.bend) * ring.bend;
        out.push_back(centres[at(points[r])] + spoke);
      }
    }
    out.push_back(centres[at(points.front())]);
    out.push_back(centres[at(points.back())]);
  }
  return out;
}

}  // namespace pliant
