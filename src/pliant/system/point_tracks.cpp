#include <pliant/system/point_tracks.hpp>

#include <algorithm>
#include <cassert>

namespace pliant {

PointTracks::PointTracks(std::vector<double> times, std::size_t points, std::vector<float> places)
    : times_(std::move(times)), points_(points), places_(std::move(places)) {
  assert(!times_.empty() && places_.size() == 3 * points_ * times_.size());
}

Vec3 PointTracks::place(std::size_t frame, std::size_t point) const {
  const float* x = places_.data() + 3 * (frame * points_ + point);
  return {x[0], x[1], x[2]};
}

// Of the parabola through a frame and its neighbours; at the ends, through the first or last three.
Vec3 PointTracks::slope(std::size_t frame, std::size_t point) const {
  const std::size_t last = times_.size() - 1;
  const auto secant = [&](std::size_t k) -> Vec3 {
    return (place(k + 1, point) - place(k, point)) / (times_[k + 1] - times_[k]);
  };
  if (last == 1) return secant(0);
  const std::size_t middle = std::clamp<std::size_t>(frame, 1, last - 1);
  const double before = times_[middle] - times_[middle - 1],
               after = times_[middle + 1] - times_[middle];
  const Vec3 a = secant(middle - 1), b = secant(middle), bend = (b - a) / (before + after);
  return a + (before + 2 * (times_[frame] - times_[middle])) * bend;
}

Curve::Sample PointTracks::at(std::size_t point, double t) const {
  Curve::Sample sample;
  if (t <= times_.front() || t >= times_.back()) {
    sample.value = place(t <= times_.front() ? 0 : times_.size() - 1, point);
    return sample;
  }
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  const auto k = static_cast<std::size_t>(after - times_.begin()) - 1;
  const double h = times_[k + 1] - times_[k], s = (t - times_[k]) / h;
  const Vec3 y0 = place(k, point), y1 = place(k + 1, point);
  const Vec3 d0 = h * slope(k, point), d1 = h * slope(k + 1, point);
  // Cubic Hermite: y = y0 + d0 s + c2 s² + c3 s³.
  const Vec3 c2 = 3 * (y1 - y0) - 2 * d0 - d1, c3 = 2 * (y0 - y1) + d0 + d1;
  sample.value = y0 + s * (d0 + s * (c2 + s * c3));
  sample.first = (d0 + s * (2 * c2 + s * 3 * c3)) / h;
  sample.second = (2 * c2 + 6 * s * c3) / (h * h);
  return sample;
}

double PointTracks::fastest() const {
  double most = 0;
  for (std::size_t k = 0; k + 1 < times_.size(); ++k)
    for (std::size_t p = 0; p < points_; ++p)
      most = std::max(most, (place(k + 1, p) - place(k, p)).norm() / (times_[k + 1] - times_[k]));
  return most;
}

}  // namespace pliant
