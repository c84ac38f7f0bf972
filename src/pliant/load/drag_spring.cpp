#include <pliant/load/drag_spring.hpp>

#include <algorithm>
#include <numbers>

namespace pliant {

Vec3 DragSpring::point(std::span<const double> q) const {
  Vec3 x = Vec3::Zero();
  for (std::size_t a = 0; a < 3; ++a) x += grip_.weights[a] * node(q, grip_.nodes[a]);
  return x;
}

double DragSpring::potential(const Configuration& c) const {
  return held_ ? 0.5 * grip_.stiffness * (point(c.q) - grip_.target).squaredNorm() : 0;
}

void DragSpring::add_force(const Configuration& c, std::span<double> f) const {
  if (!held_) return;
  const Vec3 pull = -grip_.stiffness * (point(c.q) - grip_.target);
  for (std::size_t a = 0; a < 3; ++a) node(f, grip_.nodes[a]) += grip_.weights[a] * pull;
}

// −∂f_a/∂x_b = k w_a w_b I, positive semi-definite as it is.
void DragSpring::add_tangent(const Configuration&, Tangent tangent, BlockMatrix& A) const {
  if (!held_) return;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const Index place = pattern_->find(grip_.nodes[a], grip_.nodes[b]);
      const double k = tangent.stiffness * grip_.stiffness * grip_.weights[a] * grip_.weights[b];
      Eigen::Map<Mat3>(A.block(place)) += k * Mat3::Identity();
    }
}

double drag_stiffness(const DragLimits& limits) {
  const double omega = std::min(2 * std::numbers::pi, 0.5 / limits.dt);
  const double firm = limits.body_mass * omega * omega;
  if (!limits.explicit_steps) return firm;
  return std::min(firm, 0.25 * limits.point_mass / (limits.dt * limits.dt));
}

}  // namespace pliant
