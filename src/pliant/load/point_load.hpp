// A force in a fixed direction, constant or over time, shared equally by some nodes:
// U = −f(t) · mean(x_n − X_n).
#pragma once

#include <pliant/core/curve.hpp>
#include <pliant/term/term.hpp>

namespace pliant {

class PointLoad final : public Term {
 public:
  PointLoad(Curve force, std::vector<Index> nodes, std::span<const double> rest)
      : force_(std::move(force)), nodes_(std::move(nodes)) {
    for (const Index n : nodes_) mean_rest_ += node(rest, n) / static_cast<double>(nodes_.size());
  }
  std::string_view name() const override { return "point"; }
  TermKind kind() const override { return TermKind::external; }
  bool time_dependent() const override { return !force_.constant(); }
  double potential(const Configuration& c) const override {
    Vec3 mean = Vec3::Zero();
    for (const Index n : nodes_) mean += node(c.q, n) / static_cast<double>(nodes_.size());
    return -force_.at(c.t).value.dot(mean - mean_rest_);
  }
  void add_force(const Configuration& c, std::span<double> f) const override {
    const Vec3 share = force_.at(c.t).value / static_cast<double>(nodes_.size());
    for (const Index n : nodes_) node(f, n) += share;
  }

 private:
  Curve force_;  // N
  std::vector<Index> nodes_;
  Vec3 mean_rest_ = Vec3::Zero();
};

}  // namespace pliant
