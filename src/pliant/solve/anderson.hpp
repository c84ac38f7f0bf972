// Anderson acceleration of a fixed-point iteration s ← g(s) (Anderson 1965; Walker, Ni 2011), with
// the safeguard of Zhang et al. 2019: from the last few differences of s and of the residual
// f = g(s) − s the next s is the one for which f would vanish if g were linear there. Where f has
// grown instead, the plain step is taken in its place and all differences are forgotten, so that
// whatever converges plainly still does.
#pragma once

#include <pliant/core/types.hpp>

namespace pliant {

class Anderson {
 public:
  explicit Anderson(int depth) : depth_(depth) {}  // differences to keep; 0: plain steps
  // From s, with a diagonal of weights by which residuals are measured. Forgets all else.
  void start(const Vector& s, const Vector& weights);
  // x holds g of the last s, and receives the next s.
  void advance(Vector& x);
  long refused() const { return refused_; }  // steps that the safeguard took back, since ever

 private:
  void forget() { kept_ = next_ = 0; }
  void keep(const Vector& g);
  bool extrapolate(Vector& x);

  int depth_;
  Vector weights_, s_, f_, g_;         // of the last step that was not refused: f and g
  Vector now_, weighted_;              // f of this one, and weights times a vector
  Eigen::MatrixXd f_steps_, g_steps_;  // differences, in turn
  Eigen::MatrixXd products_;           // ΔFᵀ W ΔF
  Eigen::Index kept_ = 0, next_ = 0;
  double size_ = 0;  // of f_
  bool begun_ = false, plain_ = true;
  long refused_ = 0;
};

}  // namespace pliant
