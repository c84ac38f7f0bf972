#include <pliant/coarsen/modal_damping.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/symmetric.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of a body on one line nothing is known about spin around it.
Mat3 inverse_inertia(const Mat3& I) {
  constexpr double flat = 1e-12;
  const auto eigen = symmetric_pairs(I);
  Vec3 inverse = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (eigen.eigenvalues()[i] > flat * eigen.eigenvalues()[2])
      inverse[i] = 1 / eigen.eigenvalues()[i];
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

Mat3 cross_matrix(const Vec3& a) {
  Mat3 out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

}  // namespace

struct ModalDamping::Motion {
  using Numbers = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostDampedModes, 1>;
  using Vectors = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, kMostDampedModes>;

  const ModalSet& set;
  Eigen::Map<const Matrix> Y;  // y_k
  Numbers rate;                // ż_k
  Numbers d, slope;            // c_k s(z_k) and its derivative by z_k
  Numbers g;                   // c_k s(z_k) ż_k: the force is −Σ g_k w_k
  // Where the body turns:
  Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), omega = Vec3::Zero();
  Mat3 J = Mat3::Zero();  // I(q)⁻¹
  Vectors a;
  Vec3 A = Vec3::Zero();  // Σ g_k a_k

  Vec3 y(Index n, Eigen::Index k) const { return Y.col(k).segment<3>(3 * n); }
  Vec3 nonrigid(const Vec3& v, const Vec3& r) const { return v - velocity - omega.cross(r); }
};

ModalDamping::ModalDamping(ModalDampingInput input, const NodeMatrix& system_mass,
                           const Vector& rest)
    : DenseDissipation(input.law.treatment),
      body_(std::move(input.body)),
      pins_(std::move(input.pins)),
      law_(std::move(input.law)),
      part_(std::move(input.nodes), system_mass),
      rest_(as_vector(part_.part_of(view(rest)))),
      sets_(make_modal_sets(part_, rest, pins_, law_)) {
  const BlockPattern& pattern = part_.mass().pattern();
  for (Index n = 0; n < pattern.rows; ++n) {
    masses_.push_back(0);
    for (Index k = pattern.row_start[n]; k < pattern.row_start[n + 1]; ++k)
      masses_.back() += part_.mass().values()[static_cast<std::size_t>(k)];
    mass_ += masses_.back();
  }
  turns_ = std::any_of(sets_.begin(), sets_.end(), [](const auto& set) { return set->turns; });
  depends_on_q_ = turns_ || law_.curve;
}

std::shared_ptr<const TermMemory> ModalDamping::remember(const StepStart& step,
                                                         const TermMemory*) const {
  for (const auto& set : sets_)
    if (set->modes.are_of(step, pins_, part_)) return set;
  throw CannotContinue("body \"" + body_ +
                       "\" is held by a set of pins that no modes were computed for");
}

std::shared_ptr<const TermMemory> ModalDamping::recall(std::span<const double> numbers) const {
  if (numbers.size() != 1 || !(numbers[0] >= 0 && numbers[0] < static_cast<double>(sets_.size())))
    throw InputError("the checkpoint's damped modes of body \"" + body_ +
                     "\" do not fit the scene");
  return sets_[static_cast<std::size_t>(numbers[0])];
}

const ModalSet& ModalDamping::set_of(const Configuration& c) const {
  const TermMemory* known = memory(c);
  return known ? static_cast<const ModalSet&>(*known) : *sets_[0];
}

// R_b M φ
void ModalDamping::turn(const ModalSet& set, std::span<const double> q, Vector& Y) const {
  const Mat3 R = best_rotation(view(rest_), part_.part_of(q), set.weights);
  Y.resize(set.Y.size());
  for (Eigen::Index i = 0; i < Y.size(); i += 3)
    Y.segment<3>(i) = R * Eigen::Map<const Vec3>(set.Y.data() + i);
}

void ModalDamping::lag(const Configuration& c, Lagged& out) const {
  if (const ModalSet& set = set_of(c); set.turns) turn(set, c.q, out.numbers);
}

Vec3 ModalDamping::arm(const Configuration& c, const Motion& x, Index n) const {
  return node(c.q, part_.nodes().first + n) - x.center;
}

// center, its velocity, I⁻¹ and ω = I⁻¹ Σ m r × v
void ModalDamping::set_rigid_motion(const Configuration& c, Motion& x) const {
  const Index first = part_.nodes().first, count = part_.nodes().end - first;
  for (Index n = 0; n < count; ++n) {
    const double share = masses_[static_cast<std::size_t>(n)] / mass_;
    x.center += share * node(c.q, first + n);
    x.velocity += share * node(c.v, first + n);
  }
  Mat3 I = Mat3::Zero();
  Vec3 L = Vec3::Zero();
  for (Index n = 0; n < count; ++n) {
    const Vec3 r = arm(c, x, n);
    const double m = masses_[static_cast<std::size_t>(n)];
    I += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    L += m * r.cross(node(c.v, first + n) - x.velocity);
  }
  x.J = inverse_inertia(I);
  x.omega = x.J * L;
  for (Eigen::Index k = 0; k < x.Y.cols(); ++k) {
    Vec3 torque = Vec3::Zero();
    for (Index n = 0; n < count; ++n) torque += arm(c, x, n).cross(x.y(n, k));
    x.a.col(k) = x.J * torque;
    x.rate[k] -= torque.dot(x.omega);
  }
}

void ModalDamping::set_modes(const Configuration& c, Motion& x) const {
  const ModalSet& set = x.set;
  const auto q = as_vector(part_.part_of(c.q));
  for (Eigen::Index k = 0; k < x.Y.cols(); ++k) {
    x.d[k] = set.c[k];
    x.slope[k] = 0;
    if (law_.curve) {
      const double z = x.Y.col(k).dot(q) - set.offset[k];
      const CurvePoint s = law_.curve->at(set.reach[k] * std::abs(z));
      x.d[k] *= s.value;
      x.slope[k] = z == 0 ? 0 : set.c[k] * s.slope * std::copysign(set.reach[k], z);
    }
    x.g[k] = x.d[k] * x.rate[k];
    if (set.turns) x.A += x.g[k] * x.a.col(k);
  }
}

ModalDamping::Motion ModalDamping::motion(const Configuration& c, Vector& here) const {
  const ModalSet& set = set_of(c);
  const double* y = set.Y.data();
  if (set.turns) {
    const Lagged* lagged = this->lagged(c);
    const bool known = lagged && lagged->numbers.size() == set.Y.size();
    if (!known) turn(set, c.q, here);
    y = known ? lagged->numbers.data() : here.data();
  }
  const Eigen::Index modes = set.Y.cols();
  Motion x{.set = set,
           .Y = {y, set.Y.rows(), modes},
           .rate = {},
           .d = {},
           .slope = {},
           .g = {},
           .a = {}};
  for (auto* numbers : {&x.rate, &x.d, &x.slope, &x.g}) numbers->resize(modes);
  x.a.resize(3, modes);
  const auto v = as_vector(part_.part_of(c.v));
  for (Eigen::Index k = 0; k < modes; ++k) x.rate[k] = x.Y.col(k).dot(v);
  if (set.turns) set_rigid_motion(c, x);
  set_modes(c, x);
  return x;
}

double ModalDamping::dissipation(const Configuration& c) const {
  Vector here;
  const Motion x = motion(c, here);
  return 0.5 * x.g.dot(x.rate);
}

void ModalDamping::add_force(const Configuration& c, std::span<double> f) const {
  if (!c.step && as_vector(c.v).isZero(0)) return;  // statics
  Vector here;
  const Motion x = motion(c, here);
  auto own = as_vector(part_.part_of(f));
  for (Eigen::Index k = 0; k < x.Y.cols(); ++k) own -= x.g[k] * x.Y.col(k);
  if (!x.set.turns) return;
  for (std::size_t n = 0; n < masses_.size(); ++n)
    own.segment<3>(3 * static_cast<Eigen::Index>(n)) +=
        masses_[n] * x.A.cross(arm(c, x, static_cast<Index>(n)));
}

// Whether ∂f/∂q is wanted and not zero.
bool ModalDamping::depends_on_q(const Configuration& c, Tangent tangent) const {
  return depends_on_q_ && tangent.stiffness != 0 && tangent.projection == Projection::none &&
         !as_vector(c.v).isZero(0);
}

void ModalDamping::add_skew_blocks(const Motion& x, double scale, BlockMatrix& A) const {
  const Mat3 skew = scale * cross_matrix(x.A);
  for (std::size_t n = 0; n < masses_.size(); ++n) {
    const auto at = static_cast<std::size_t>(part_.nodes().first) + n;
    Eigen::Map<Mat3>(A.block(A.pattern().diagonal[at])) -= masses_[n] * skew;
  }
}

void ModalDamping::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  if (!turns_ || !depends_on_q(c, tangent)) return;
  Vector here;
  if (const Motion x = motion(c, here); x.set.turns) add_skew_blocks(x, tangent.stiffness, A);
}

// damping ∂²R/∂v² + stiffness ∂²R/∂v∂q without the skew blocks, with g the force's g_k:
//   Σ_k w_k [damping c s w_k + stiffness (c s' ż y_k + c s ∂ż_k/∂q)]ᵀ + stiffness Σ_k g_k ∂w_k/∂q,
//   ∂ż_k/∂q = ω × w_k + m a_k × (v without its rigid part),
//   Σ_k g_k ∂w_k/∂q = −m [A]ₓ (1 − center's) − Σ_j (m e_j × r) (∂A_j/∂q)ᵀ,   A = I⁻¹ Σ q × Σ g_k
//   y_k.
void ModalDamping::fill_columns(const Configuration& c, const Motion& x, Tangent tangent,
                                Eigen::Ref<Matrix> Y, Eigen::Ref<Matrix> Z) const {
  const Eigen::Index modes = x.Y.cols();
  const bool turns = x.set.turns;
  for (Index n = 0; n < static_cast<Index>(masses_.size()); ++n) {
    const double m = masses_[static_cast<std::size_t>(n)];
    const Eigen::Index i = 3 * static_cast<Eigen::Index>(n);
    const Vec3 r = arm(c, x, n), moving = x.nonrigid(node(c.v, part_.nodes().first + n), r);
    Vec3 all = Vec3::Zero();  // Σ g_k y_k
    for (Eigen::Index k = 0; k < modes; ++k) {
      const Vec3 y = x.y(n, k), a = turns ? Vec3(x.a.col(k)) : Vec3::Zero();
      const Vec3 w = y - m * a.cross(r);
      all += x.g[k] * y;
      Y.col(k).segment<3>(i) = w;
      Z.col(k).segment<3>(i) = tangent.damping * x.d[k] * w;
      if (tangent.stiffness == 0) continue;
      Vec3 by_q = x.slope[k] * x.rate[k] * y;
      if (turns) by_q += x.d[k] * (x.omega.cross(w) + m * a.cross(moving));
      Z.col(k).segment<3>(i) += tangent.stiffness * by_q;
    }
    if (!turns || tangent.stiffness == 0) continue;
    for (int j = 0; j < 3; ++j) {
      const Vec3 b = x.J.col(j), e = Vec3::Unit(j);
      Y.col(modes + j).segment<3>(i) = -m * e.cross(r);
      Z.col(modes + j).segment<3>(i) =
          tangent.stiffness * (all.cross(b) - m * (x.A.cross(r).cross(b) + b.cross(r).cross(x.A)));
      Y.col(modes + 3 + j).segment<3>(i) = m * x.A.cross(e);
      Z.col(modes + 3 + j).segment<3>(i) = tangent.stiffness * m / mass_ * e;
    }
  }
}

void ModalDamping::add_low_rank(const Configuration& c, Tangent tangent, LowRank& out) const {
  if (!depends_on_q(c, tangent)) tangent.stiffness = 0;
  if (tangent.damping == 0 && tangent.stiffness == 0) return;
  Vector here;
  const Motion x = motion(c, here);
  const Eigen::Index columns = x.Y.cols() + (x.set.turns && tangent.stiffness != 0 ? 6 : 0),
                     first = append_columns(columns, out),
                     row = 3 * static_cast<Eigen::Index>(part_.nodes().first);
  fill_columns(c, x, tangent, out.Y.block(row, first, part_.dofs(), columns),
               out.Z.block(row, first, part_.dofs(), columns));
}

// f −= scale ∂R/∂q with  ∂R/∂q = Σ_k ½ c s' ż² y_k + c s ż ∂ż_k/∂q
void ModalDamping::subtract_position_gradient(const Configuration& c, double scale,
                                              std::span<double> f) const {
  Vector here;
  const Motion x = motion(c, here);
  auto own = as_vector(part_.part_of(f));
  for (Eigen::Index k = 0; k < x.Y.cols(); ++k)
    own -= (0.5 * scale * x.slope[k] * x.rate[k] * x.rate[k]) * x.Y.col(k);
  if (!x.set.turns) return;
  for (Index n = 0; n < static_cast<Index>(masses_.size()); ++n) {
    const double m = masses_[static_cast<std::size_t>(n)];
    const Vec3 r = arm(c, x, n), moving = x.nonrigid(node(c.v, part_.nodes().first + n), r);
    Vec3 w = -m * x.A.cross(r);  // Σ g_k w_k
    for (Eigen::Index k = 0; k < x.Y.cols(); ++k) w += x.g[k] * x.y(n, k);
    own.segment<3>(3 * static_cast<Eigen::Index>(n)) -=
        scale * (x.omega.cross(w) + m * x.A.cross(moving));
  }
}

double ModalDamping::stage_excess(const Configuration& c, const StageForm& form) const {
  if (form.v_hat.empty() || !depends_on_q_) return 0;
  Configuration fixed = c;
  fixed.v = form.v_hat;
  return -dissipation(fixed);
}

void ModalDamping::add_stage_force(const Configuration& c, const StageForm& form,
                                   std::span<double> f) const {
  if (!depends_on_q_) return;
  subtract_position_gradient(c, form.gamma_q, f);
  if (form.v_hat.empty()) return;
  Configuration fixed = c;
  fixed.v = form.v_hat;
  subtract_position_gradient(fixed, -form.gamma_q, f);
}

// The transposed of skew blocks is their negative.
void ModalDamping::add_stage_tangent(const Configuration& c, const StageForm& form, Tangent scale,
                                     BlockMatrix& A) const {
  add_tangent(c, {.stiffness = -scale.damping * form.gamma_q, .projection = scale.projection}, A);
}

void ModalDamping::add_stage_low_rank(const Configuration& c, const StageForm& form, Tangent scale,
                                      LowRank& out) const {
  const Eigen::Index first = out.Y.cols();
  add_low_rank(c, {.stiffness = scale.damping * form.gamma_q, .projection = scale.projection}, out);
  const Eigen::Index count = out.Y.cols() - first;
  out.Y.rightCols(count).swap(out.Z.rightCols(count));
}

}  // namespace pliant
