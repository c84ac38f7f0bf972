#include <pliant/body/frames.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr std::size_t kMost = 4;  // frames that carry a point

// A tetrahedron about the origin.
const std::array<Vec3, 4>& directions() {
  static const std::array<Vec3, 4> all = {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1),
                                          Vec3(-1, -1, 1)};
  return all;
}

double distance_to_others(const std::vector<Vec3>& places, std::size_t k, double alone) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < places.size(); ++j)
    if (j != k) nearest = std::min(nearest, (places[j] - places[k]).norm());
  return std::isfinite(nearest) ? nearest : alone;
}

}  // namespace

std::vector<Vec3> spread_frames(std::span<const Vec3> points, std::size_t count) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : points) middle += x / static_cast<double>(points.size());
  std::vector<double> apart;  // from the nearest place so far
  for (const Vec3& x : points) apart.push_back(-(x - middle).norm());
  std::vector<Vec3> places;
  while (places.size() < std::min(count, points.size())) {
    const Vec3 next = points[static_cast<std::size_t>(std::max_element(apart.begin(), apart.end()) -
                                                      apart.begin())];
    for (std::size_t n = 0; n < points.size(); ++n) {
      const double d = (points[n] - next).norm();
      apart[n] = places.empty() ? d : std::min(apart[n], d);
    }
    places.push_back(next);
  }
  return places;
}

FrameSkin::FrameSkin(const FramesInput& input, Index first)
    : places_(input.places), power_(input.power), first_(first) {
  for (std::size_t k = 0; k < places_.size(); ++k)
    reach_.push_back(0.5 * distance_to_others(places_, k, 0.5 * input.size));
}

std::vector<Vec3> FrameSkin::corners() const {
  std::vector<Vec3> out;
  for (std::size_t k = 0; k < places_.size(); ++k)
    for (const Vec3& d : directions()) out.push_back(places_[k] + reach_[k] * d);
  return out;
}

MappedPoint FrameSkin::point(const Vec3& x) const {
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t k = 0; k < places_.size(); ++k) near.emplace_back((x - places_[k]).norm(), k);
  const std::size_t kept = std::min(kMost, near.size());
  const std::size_t sorted = std::min(kMost + 1, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(sorted), near.end());
  const double beyond = near.size() > kMost ? 1 / near[kMost].first : 0;
  std::array<double, kMost> weights{};
  double sum = 0;
  for (std::size_t k = 0; k < kept; ++k) {
    if (near[k].first == 0) {  // in the frame's own place
      weights = {}, weights[k] = sum = 1;
      break;
    }
    weights[k] = std::pow(near[0].first * (1 / near[k].first - beyond), power_);
    sum += weights[k];
  }
  // All as far away: none is nearer than the fifth.
  if (!(sum > 0)) weights.fill(1), sum = static_cast<double>(kept);
  MappedPoint out;
  for (std::size_t k = 0; k < kept; ++k) {
    if (weights[k] == 0) continue;
    const std::size_t frame = near[k].second;
    const Vec3 r = (x - places_[frame]) / reach_[frame];
    // β_a = ¼ (1 + r · d_a): Σ β = 1 and Σ β_a d_a = r, as Σ d_a d_aᵀ = 4.
    for (std::size_t a = 0; a < 4; ++a) {
      const auto at = static_cast<std::size_t>(out.count++);
      out.nodes[at] = first_ + 4 * static_cast<Index>(frame) + static_cast<Index>(a);
      out.weights[at] = weights[k] / sum * 0.25 * (1 + r.dot(directions()[a]));
    }
  }
  return out;
}

}  // namespace pliant
