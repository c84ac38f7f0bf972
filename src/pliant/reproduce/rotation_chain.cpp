#include <pliant/reproduce/rotation_chain.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pliant {
namespace {

constexpr double kPull = 9.81, kThin = 0.2;  // m/s²; of the length, as in rigid_links.cpp

Mat3 cross_matrix(const Vec3& a) {
  Mat3 out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

struct Link {
  double mass = 0;              // kg
  Mat3 inertia = Mat3::Zero();  // about the centre, along its own axes, kg m²
  Vec3 place = Vec3::Zero();    // of the centre, m
  Mat3 turn = Mat3::Identity();
  Vec3 velocity = Vec3::Zero();  // m/s
  Vec3 momentum = Vec3::Zero();  // angular, about the centre, N m s: what turns keep
  Mat3 inertia_now() const { return turn * inertia * turn.transpose(); }
};

// Unknowns of (21): three velocities and three spins of each link, then three μ of each joint.
class RotationChain {
 public:
  RotationChain(const LinkChain& chain, RotationStiffness stiffness)
      : stiffness_(stiffness), half_(0.5 * chain.length), lambda_(3 * chain.links) {
    lambda_.setZero();
    const double side = kThin * chain.length;
    for (Index k = 0; k < chain.links; ++k) {
      Link link;
      link.mass = k + 1 == chain.links ? chain.weight : 1;
      const double along = link.mass / 6 * side * side;
      const double across = link.mass / 12 * (side * side + chain.length * chain.length);
      link.inertia = Vec3(along, across, across).asDiagonal();
      link.place = Vec3((static_cast<double>(k) + 0.5) * chain.length, 0, 0);
      links_.push_back(link);
    }
  }

  bool step(double h) {
    const Eigen::Index n = size(), joints = lambda_.size();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + joints, n + joints);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n + joints);
    for (Eigen::Index k = 0; k < count(); ++k) add_link(k, h, A, b);
    for (Eigen::Index j = 0; j < count(); ++j) add_joint(j, h, A, b);
    const Eigen::VectorXd x = A.partialPivLu().solve(b);
    if (!x.allFinite()) return false;
    for (Eigen::Index k = 0; k < count(); ++k) move(at(k), x.segment<6>(6 * k), h);
    lambda_ = x.tail(joints) / h;
    return true;
  }

  double gap() const {  // m, the largest at a joint
    double largest = 0;
    for (Eigen::Index j = 0; j < count(); ++j) largest = std::max(largest, opening(j).norm());
    return largest;
  }
  double energy() const {  // J
    double sum = 0;
    for (const Link& link : links_)
      sum += link.mass * (0.5 * link.velocity.squaredNorm() + kPull * link.place.y()) +
             0.5 * link.momentum.dot(link.inertia_now().ldlt().solve(link.momentum));
    return sum;
  }

 private:
  Eigen::Index count() const { return static_cast<Eigen::Index>(links_.size()); }
  Eigen::Index size() const { return 6 * count(); }
  const Link& at(Eigen::Index k) const { return links_[static_cast<std::size_t>(k)]; }
  Link& at(Eigen::Index k) { return links_[static_cast<std::size_t>(k)]; }
  // From the centre to the end at the joint before (−1) or after (1), m.
  Vec3 arm(Eigen::Index k, int end) const { return at(k).turn * Vec3(end * half_, 0, 0); }

  Vec3 opening(Eigen::Index j) const {  // φ = t₁ + R₁ s₁ − t₂ − R₂ s₂
    const Vec3 end = at(j).place + arm(j, -1);
    return j == 0 ? end : Vec3(end - at(j - 1).place - arm(j - 1, 1));
  }

  void add_link(Eigen::Index k, double h, Eigen::MatrixXd& A, Eigen::VectorXd& b) const {
    const Link& link = at(k);
    A.block<3, 3>(6 * k, 6 * k) += link.mass * Mat3::Identity();
    A.block<3, 3>(6 * k + 3, 6 * k + 3) += link.inertia_now();
    b.segment<3>(6 * k) = link.mass * (link.velocity - h * kPull * Vec3::UnitY());
    b.segment<3>(6 * k + 3) = link.momentum;
  }

  // (21) and (22): J = (I  −hat(R s)) with a sign for each side, K̃ = hat(λ) hat(R s).
  void add_joint(Eigen::Index j, double h, Eigen::MatrixXd& A, Eigen::VectorXd& b) const {
    const Vec3 lambda = lambda_.segment<3>(3 * j);
    const Eigen::Index row = size() + 3 * j;
    for (const int side : {0, 1}) {
      const Eigen::Index k = j - side;
      if (k < 0) continue;
      const double sign = side == 0 ? 1 : -1;
      const Vec3 s = arm(k, side == 0 ? -1 : 1);
      Eigen::Matrix<double, 3, 6> J;
      J << Mat3::Identity(), -cross_matrix(s);
      A.block<3, 6>(row, 6 * k) += sign * J;
      A.block<6, 3>(6 * k, row) -= sign * J.transpose();
      if (stiffness_ == RotationStiffness::off) continue;
      Mat3 K = sign * cross_matrix(lambda) * cross_matrix(s);
      if (stiffness_ == RotationStiffness::symmetric) K = 0.5 * (K + K.transpose()).eval();
      A.block<3, 3>(6 * k + 3, 6 * k + 3) -= h * h * K;
    }
    b.segment<3>(row) = -opening(j) / h;
  }

  static void move(Link& link, const Eigen::Matrix<double, 6, 1>& u, double h) {
    link.momentum = link.inertia_now() * u.tail<3>();
    link.velocity = u.head<3>();
    link.place += h * link.velocity;
    const Vec3 turned = h * u.tail<3>();
    if (const double angle = turned.norm(); angle > 0)
      link.turn = Eigen::AngleAxisd(angle, turned / angle).toRotationMatrix() * link.turn;
  }

  RotationStiffness stiffness_;
  double half_;  // m, of a link's length
  std::vector<Link> links_;
  Eigen::VectorXd lambda_;  // N, of the last step
};

}  // namespace

std::string_view name_of(RotationStiffness stiffness) {
  switch (stiffness) {
    case RotationStiffness::off:
      return "without";
    case RotationStiffness::exact:
      return "exact";
    case RotationStiffness::symmetric:
      return "symmetric";
  }
  return "";
}

Swing swing_by_rotations(const LinkChain& chain, RotationStiffness stiffness, double h,
                         double duration) {
  assert(chain.joint == JointType::ball);
  RotationChain links(chain, stiffness);
  const double height = static_cast<double>(chain.links) * chain.length;
  const double fall = (static_cast<double>(chain.links) - 1 + chain.weight) * kPull * height;
  const double start = links.energy();
  Swing out;
  const auto steps = static_cast<int>(std::lround(duration / h));
  for (int k = 1; k <= steps; ++k) {
    if (!links.step(h)) return out;
    out.gap = std::max(out.gap, links.gap());
    out.gain = std::max(out.gain, (links.energy() - start) / fall);
    out.until = k * h;
    if (!(out.gap <= 0.1 * chain.length && out.gain <= 1e-3)) return out;
  }
  out.stable = true;
  return out;
}

}  // namespace pliant
