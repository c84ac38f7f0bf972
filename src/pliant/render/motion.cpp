#include <pliant/render/motion.hpp>

#include <algorithm>
#include <cassert>

namespace pliant {
namespace {

std::vector<double> mixed(const std::vector<double>& a, const std::vector<double>& b, double s) {
  std::vector<double> out(a);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) out[i] += s * (b[i] - a[i]);
  return out;
}

}  // namespace

ResultFrame between(const ResultFrame& before, const ResultFrame& after, double time) {
  const double dt = after.time - before.time;
  assert(dt > 0 && before.points.size() == after.points.size());
  const double s = (time - before.time) / dt, r = 1 - s;
  ResultFrame out = before;
  out.time = time;
  const bool curved = before.velocities.size() == before.points.size() &&
                      after.velocities.size() == after.points.size();
  for (std::size_t i = 0; i < out.points.size(); ++i) {
    const Vec3 &x0 = before.points[i], &x1 = after.points[i];
    if (!curved) {
      out.points[i] = r * x0 + s * x1;
      continue;
    }
    const Vec3 &v0 = before.velocities[i], &v1 = after.velocities[i];
    // Hermite's cubic: (1 + 2s) r² x0 + s r² dt v0 + s² (3 − 2s) x1 − s² r dt v1
    out.points[i] = (1 + 2 * s) * r * r * x0 + s * r * r * dt * v0 + s * s * (3 - 2 * s) * x1 -
                    s * s * r * dt * v1;
    out.velocities[i] = r * v0 + s * v1;
  }
  for (std::size_t i = 0; i < std::min(out.obstacles.size(), after.obstacles.size()); ++i)
    out.obstacles[i] = r * before.obstacles[i] + s * after.obstacles[i];
  for (std::size_t i = 0; i < std::min(out.threads.size(), after.threads.size()); ++i)
    out.threads[i] = r * before.threads[i] + s * after.threads[i];
  for (std::size_t i = 0; i < std::min(out.contact_force.size(), after.contact_force.size()); ++i)
    out.contact_force[i] = r * before.contact_force[i] + s * after.contact_force[i];
  out.von_mises = mixed(before.von_mises, after.von_mises, s);
  out.det = mixed(before.det, after.det, s);
  return out;
}

const ResultFrame& RunMotion::frame(std::size_t k) {
  const auto found = kept_.find(k);
  if (found != kept_.end()) return found->second;
  std::erase_if(kept_,
                [k](const auto& kept) { return kept.first + 1 != k && kept.first != k + 1; });
  return kept_.emplace(k, results_->read(k)).first->second;
}

ResultFrame RunMotion::at(double time) {
  const std::vector<double>& times = results_->times();
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return frame(0);
  const auto k = static_cast<std::size_t>(after - times.begin()) - 1;
  // Numbers typed with a few digits may miss a frame's time by rounding.
  if (after == times.end()) return frame(k);
  const double near = 1e-6 * (times[k + 1] - times[k]);
  if (time - times[k] <= near) return frame(k);
  if (times[k + 1] - time <= near) return frame(k + 1);
  const ResultFrame& before = frame(k);
  return between(before, frame(k + 1), time);
}

}  // namespace pliant
