// Bodies that turn as wholes within the local–global solver. The matrix of the global step knows
// nothing of where parts point: to it a rotation is a strain, as stiff as all others, and a body of
// inertia I would turn by I/(I + γq γv Σ w …) of what is left in each round, which for wood is a
// thousandth. Here each body gets one more unknown in the global step, the rotation R that carries
// all of its z and u along:
//   min over q and R of ½‖q − q̃‖²_M / (γq γv) + ½ Σ_i w_i ‖D_i q − R (z_i − u_i)‖²
// to first order in R, with three more systems of the same matrix for all bodies at once. Where q
// and z agree nothing turns, whatever the potentials (their torque, which is none for those that
// are frame indifferent, stands on the right side), so that the solution stays as it is. BROWN has
// no such step.
#pragma once

#include <pliant/stage/admm_parts.hpp>
#include <pliant/stage/axis_factors.hpp>

#include <array>

namespace pliant {

class AdmmTurns {
 public:
  // Whatever the free nodes of A hold together is a body. To be called with every new matrix;
  // `scale` is its γq γv.
  void find(const NodeMatrix& A, const NodeMatrix& M, const DofMask& mask, double scale,
            std::span<const double> rest);
  // With its factors: which bodies are stiff enough to need this? Those at rest say.
  void judge(const AdmmParts& parts, AxisFactors& factors, const Vector& z, const Vector& rest);
  std::span<const int> bodies() const { return body_; }  // of each node, −1 where it is held
  double mass(Index node) const { return mass_[static_cast<std::size_t>(node)]; }  // a row of M
  // How easily the body of a node moves with it, as a rigid one and on average over directions,
  // 1/kg; none where it is held anywhere.
  double mobility(Index node, std::span<const double> q) const;

  // After a global step to q: turns z and u, and moves q on.
  void advance(const AdmmParts& parts, AxisFactors& factors, Vector& z, Vector& u, Vector& q);

 private:
  struct Piece {
    bool held = false, stiff = false;
    double mass = 0;  // kg
    Vec3 center = Vec3::Zero();
    Mat3 mobility = Mat3::Zero();  // inverse of the inertia about the center
  };
  void number_bodies(const NodeMatrix& A, const DofMask& mask);
  void weigh(const NodeMatrix& M, std::span<const double> q);
  void find_rates(const AdmmParts& parts, AxisFactors& factors, const Vector& s, Eigen::Index dofs);
  struct Equations {
    Mat3 H = Mat3::Zero(), S = Mat3::Zero();
    Vec3 right = Vec3::Zero();
  };
  std::vector<Equations> equations(const AdmmParts& parts, const Vector& z, const Vector& u,
                                   const Vector& q);

  std::vector<int> body_;
  std::vector<double> mass_;
  std::vector<Piece> pieces_;
  double scale_ = 0;
  bool wanted_ = false;  // is any body stiff?
  std::vector<Mat3> rotations_;
  std::array<Vector, 3> rates_, moves_;  // e_k × (z − u), and what q does for it
  Vector s_, Dq_, mapped_, rhs_;
};

}  // namespace pliant
