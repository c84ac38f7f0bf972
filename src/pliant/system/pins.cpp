#include <pliant/system/pins.hpp>

#include <pliant/system/point_tracks.hpp>

#include <algorithm>

namespace pliant {

Curve::Sample Motion::at(const Vec3& anchor, double since, double t, std::size_t k) const {
  Curve::Sample sample;
  if (tracks) {
    sample = tracks->at(k, t);
    if (!tracks_are_places) sample.value += anchor - tracks->at(k, since).value;
    return sample;
  }
  if (curve) {
    sample = curve->at(t);
    sample.value += anchor - curve->at(since).value;
    return sample;
  }
  const double tau = std::min(t, std::max(until, since)) - since, rate = angular_velocity.norm();
  Vec3 arm = anchor - center;
  if (rate > 0) arm = Eigen::AngleAxisd(tau * rate, angular_velocity / rate) * arm;
  sample.value = center + tau * velocity + arm;
  // Where nothing turns, x₀ comes back exactly: c + (x₀ − c) would round.
  if (rate == 0) sample.value = anchor + tau * velocity;
  if (t > until) return sample;
  sample.first = velocity + angular_velocity.cross(arm);
  sample.second = angular_velocity.cross(angular_velocity.cross(arm));
  return sample;
}

}  // namespace pliant
