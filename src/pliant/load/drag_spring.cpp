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

void DragSpring::hold(const Grip& grip) {
  grip_ = grip;
  held_ = true;
  solved_.clear();
  for (std::size_t a = 0; a < 3; ++a) {
    LeaderWeight own{grip.nodes[a], 1};
    const std::span<const LeaderWeight> leaders =
        followers_ ? followers_->leaders_of(grip.nodes[a], own) : std::span(&own, 1);
    for (const LeaderWeight& leader : leaders) {
      const auto found =
          std::find_if(solved_.begin(), solved_.end(),
                       [&](const LeaderWeight& known) { return known.node == leader.node; });
      if (found == solved_.end())
        solved_.push_back({leader.node, grip.weights[a] * leader.weight});
      else
        found->weight += grip.weights[a] * leader.weight;
    }
  }
}

// −∂f_a/∂x_b = k w_a w_b I, positive semi-definite as it is, over nodes that are solved for: those
// of a triangle of a rigid body are not coupled.
void DragSpring::add_tangent(const Configuration&, Tangent tangent, BlockMatrix& A) const {
  if (!held_) return;
  for (const LeaderWeight& a : solved_)
    for (const LeaderWeight& b : solved_) {
      const double k = tangent.stiffness * grip_.stiffness * a.weight * b.weight;
      Eigen::Map<Mat3>(A.block(pattern_->find(a.node, b.node))) += k * Mat3::Identity();
    }
}

double drag_stiffness(const DragLimits& limits) {
  const double omega = std::min(2 * std::numbers::pi, 0.5 / limits.dt);
  const double firm = limits.body_mass * omega * omega;
  if (!limits.explicit_steps) return firm;
  return std::min(firm, 0.25 * limits.point_mass / (limits.dt * limits.dt));
}

}  // namespace pliant
