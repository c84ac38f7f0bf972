// A hand that pulls at a point of a surface: U = ½ k |x(q) − p|², x = Σ_a w_a x_a on a triangle, p
// where the hand is. It belongs to a live session and acts only while something is held; what it
// holds and where it pulls changes between steps only, so that during one it is as constant as any
// other load. The nodes of a surface triangle share an element, so their blocks are in the pattern.
#pragma once

#include <pliant/sparse/followers.hpp>
#include <pliant/term/term.hpp>

#include <array>

namespace pliant {

class DragSpring final : public Term {
 public:
  // `followers` may be null; else it must outlive this.
  explicit DragSpring(const Followers* followers = nullptr) : followers_(followers) {}

  struct Grip {
    std::array<Index, 3> nodes{};
    std::array<double, 3> weights{};  // of the corners, in all 1
    Vec3 target = Vec3::Zero();       // p, m
    double stiffness = 0;             // k, N/m
  };

  void hold(const Grip& grip);
  void pull_to(const Vec3& target) { grip_.target = target; }
  void release() { held_ = false; }
  bool held() const { return held_; }
  const Grip& grip() const { return grip_; }
  Vec3 point(std::span<const double> q) const;  // x

  std::string_view name() const override { return "drag"; }
  TermKind kind() const override { return TermKind::external; }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override { pattern_ = pattern; }
  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  const Followers* followers_;
  Grip grip_;
  std::vector<LeaderWeight> solved_;  // what carries the point of the grip
  bool held_ = false;
};

struct DragLimits {
  double body_mass = 0;   // kg
  double point_mass = 0;  // kg, that moves with the point alone: 1/Σ_a (w_a²/m_a)
  double dt = 0;          // s
  bool explicit_steps = false;
};

// Firm and calm: the body follows as on a spring of one hertz, k = m ω² with ω = 2π/s; where steps
// are so long that they would not resolve that, ωh = ½. Implicit steps take any stiffness; explicit
// ones are stable up to k = 4 m/h² for the mass of the point alone, and stay at a sixteenth of it.
double drag_stiffness(const DragLimits& limits);

}  // namespace pliant
