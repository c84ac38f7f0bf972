// Gravity: U = −Σ_n (M g)_n · (x_n − X_n), so that it is zero in the undeformed state. With a
// consistent mass matrix the load on a node is that of its shape function.
#pragma once

#include <pliant/term/term.hpp>

namespace pliant {

class Gravity final : public Term {
 public:
  Gravity(const Vec3& g, const NodeMatrix& M, std::span<const double> rest)
      : rest_(as_vector(rest)), load_(rest_.size()) {
    const Vector everywhere = g.replicate(rest_.size() / 3, 1);
    M.multiply(view(everywhere), view(load_));
  }
  std::string_view name() const override { return "gravity"; }
  TermKind kind() const override { return TermKind::external; }
  double potential(const Configuration& c) const override {
    return -load_.dot(as_vector(c.q) - rest_);
  }
  void add_force(const Configuration&, std::span<double> f) const override {
    as_vector(f) += load_;
  }

 private:
  Vector rest_, load_;
};

}  // namespace pliant
