#include <pliant/stage/admm_stage.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/parallel.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace pliant {
namespace {

// Residuals are relative to how far z has come in this stage, or to this strain of everything.
constexpr double kLeastStrain = 1e-4;

// Weights are changed for the rest of the run where residuals do not fall to this part over so many
// iterations. Parts that soften have several minima if their weight is below what they soften by,
// and go to and fro between them: all weights rise. Where D q and z agree and still creep along
// together, all weights fall, unless they had to rise before.
constexpr double kFalls = 0.5;
constexpr int kPatience = 10;
constexpr double kChange = 2, kAgree = 0.1;
constexpr double kMost = 1024;

}  // namespace

AdmmStage::AdmmStage(const SolverOptions& options) : options_(options) {}

void AdmmStage::gather(const System& system) {
  system_ = &system;
  parts_.gather(system, options_.admm.weight);
  scale_ = 0;
  for (Vector* x : {&z_, &u_, &target_, &Dq_, &Dq_before_, &z_before_, &Dq_p_, &Dv_hat_})
    x->setZero(static_cast<Eigen::Index>(parts_.numbers()));
}

// M + γv α M + γq γv Dᵀ W D, for each axis without the nodes that are held along it.
void AdmmStage::factorize(const StepContext& context, const Stage& stage) {
  const double scale = stage.gamma_q * stage.gamma_v;
  if (scale == scale_ && stage.gamma_q == gamma_q_ && context.mask == mask_) return;
  scale_ = scale, gamma_q_ = stage.gamma_q;
  mask_ = context.mask;
  parts_.set_weights(gamma_q_, level_);
  A_ = context.system.mass();
  add_drag(stage.gamma_v, A_);
  parts_.add_matrix(scale, A_);
  for (std::size_t axis = 0; axis < 3; ++axis) factorize_axis(context, axis);
}

void AdmmStage::add_drag(double scale, NodeMatrix& A) const {
  const NodeMatrix& M = system_->mass();
  const BlockPattern& pattern = M.pattern();
  for (const RayleighPart& part : parts_.drag())
    for (Index k = pattern.row_start[static_cast<std::size_t>(part.first)];
         k < pattern.row_start[static_cast<std::size_t>(part.end)]; ++k)
      A.values()[static_cast<std::size_t>(k)] +=
          scale * part.alpha * M.values()[static_cast<std::size_t>(k)];
}

void AdmmStage::factorize_axis(const StepContext& context, std::size_t axis) {
  std::vector<Index>& free = free_[axis];
  free.clear();
  std::vector<Index> number(static_cast<std::size_t>(context.system.nodes()), -1);
  for (Index n = 0; n < context.system.nodes(); ++n)
    if (!context.mask[3 * static_cast<std::size_t>(n) + axis] && A_.diagonal(n) > 0) {
      number[static_cast<std::size_t>(n)] = static_cast<Index>(free.size());
      free.push_back(n);
    }
  factors_[axis].reset();
  if (axis > 0 && free == free_[0]) return;
  std::vector<Eigen::Triplet<double>> entries;
  const BlockPattern& pattern = A_.pattern();
  for (const Index n : free)
    for (Index k = pattern.row_start[static_cast<std::size_t>(n)];
         k < pattern.row_start[static_cast<std::size_t>(n) + 1]; ++k) {
      const Index m = pattern.column[static_cast<std::size_t>(k)];
      if (m <= n && number[static_cast<std::size_t>(m)] >= 0)
        entries.emplace_back(number[static_cast<std::size_t>(n)],
                             number[static_cast<std::size_t>(m)],
                             A_.values()[static_cast<std::size_t>(k)]);
    }
  const auto size = static_cast<Eigen::Index>(free.size());
  Eigen::SparseMatrix<double> lower(size, size);
  lower.setFromTriplets(entries.begin(), entries.end());
  factors_[axis] = std::make_unique<Factors>(lower);
  ++factorizations_;
}

// What (16a) has on its right side beside z and u: M (q_p + γq v_p) on free coordinates, with drag
// γv α M q_p; prescribed ones load them with their known acceleration and velocity and with the
// stiffness that couples them.
void AdmmStage::set_constant_part(const StepContext& context, const Stage& stage) {
  const System& system = context.system;
  const Eigen::Index n = system.dofs();
  inertia_.resize(n), pulled_.resize(n), constant_.resize(n), rhs_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool held = context.mask[static_cast<std::size_t>(i)];
    inertia_[i] = held ? -scale_ * a_fixed_[i] : stage.q_p[i] + stage.gamma_q * stage.v_p[i];
    pulled_[i] = held ? -stage.gamma_q * v_fixed_[i] : stage.q_p[i];
  }
  system.mass().multiply(view(inertia_), view(constant_));
  if (!parts_.drag().empty()) {
    drag_ = system.mass();
    std::fill(drag_.values().begin(), drag_.values().end(), 0.0);
    add_drag(stage.gamma_v, drag_);
    drag_.multiply(view(pulled_), view(rhs_));
    constant_ += rhs_;
  }
  parts_.map(q_fixed_, Dq_);
  rhs_.setZero();
  parts_.add_transposed(Dq_, rhs_);
  constant_ -= scale_ * rhs_;
}

// Prescribed coordinates at the end of the stage, and what rates are measured against: q_p is
// such that (q − q_p)/γq is the velocity that is prescribed.
void AdmmStage::prescribe(const StepContext& context, const Stage& stage) {
  const Eigen::Index n = context.system.dofs();
  for (Vector* x : {&q_fixed_, &v_fixed_, &a_fixed_}) x->setZero(n);
  context.system.prescribe(context.start, stage.t, view(q_fixed_), view(v_fixed_), view(a_fixed_));
  if (!parts_.dissipates()) return;
  before_ = stage.q_p, v_hat_ = stage.v_p;
  for (Eigen::Index i = 0; i < n; ++i)
    if (context.mask[static_cast<std::size_t>(i)]) {
      before_[i] = q_fixed_[i] - stage.gamma_q * v_fixed_[i];
      v_hat_[i] = v_fixed_[i];
    }
  parts_.map(before_, Dq_p_);
  parts_.map(v_hat_, Dv_hat_);
  parts_.freeze_damping(Dq_before_);
}

void AdmmStage::global_step(const StepContext& context, Vector& q) {
  target_ = z_ - u_;
  rhs_ = load_;
  parts_.add_transposed(target_, rhs_);
  rhs_ = constant_ + scale_ * rhs_;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::vector<Index>& free = free_[axis];
    b_.resize(static_cast<Eigen::Index>(free.size()));
    for (std::size_t k = 0; k < free.size(); ++k)
      b_[static_cast<Eigen::Index>(k)] = rhs_[3 * free[k] + static_cast<Eigen::Index>(axis)];
    const Factors& factors = factors_[axis] ? *factors_[axis] : *factors_[0];
    x_ = factors.solve(b_);
    for (std::size_t k = 0; k < free.size(); ++k)
      q[3 * free[k] + static_cast<Eigen::Index>(axis)] = x_[static_cast<Eigen::Index>(k)];
  }
  for (Eigen::Index i = 0; i < q.size(); ++i)
    if (context.mask[static_cast<std::size_t>(i)]) q[i] = q_fixed_[i];
}

void AdmmStage::adapt_weights(const StepContext& context, const Stage& stage,
                              const Residuals& residuals) {
  const bool agree = residuals.primal < kAgree * residuals.dual;
  const double wanted =
      agree ? std::max(level_ / kChange, least_) : std::min(level_ * kChange, kMost);
  if (wanted == level_) return;
  if (wanted > level_) least_ = wanted;
  const double change = wanted / level_;
  level_ = wanted;
  u_ /= change;  // W u, the force that the multipliers stand for, stays as it is
  scale_ = 0;
  factorize(context, stage);
  set_constant_part(context, stage);
}

AdmmStage::Residuals AdmmStage::iterate(const StepContext& context, const Configuration& c,
                                        Vector& q) {
  global_step(context, q);
  parts_.map(q, Dq_);
  z_before_ = z_;
  target_ = Dq_ + u_;
  if (!parts_.minimise(c, stage_view(), target_, z_)) return {std::nan(""), std::nan("")};
  target_ = Dq_ - z_;
  u_ += target_;
  const double primal = parts_.weighted_norm(target_);
  z_before_ = z_ - z_before_;
  const double dual = parts_.weighted_norm(z_before_);
  target_ = Dq_ - Dq_before_;
  const double size = std::max(parts_.weighted_norm(target_), kLeastStrain * parts_.norm_of_ones());
  return {primal / size, dual / size};
}

StageReport AdmmStage::solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) {
  StageReport report;
  if (stage.held)
    throw InputError(
        "solver admm cannot keep the modes that an exponential method moves; solver newton can");
  if (system_ != &context.system) gather(context.system);
  const int before = factorizations_;
  parts_.map(context.start.q, Dq_before_);
  prescribe(context, stage);
  factorize(context, stage);
  set_constant_part(context, stage);
  q = stage.q_p + stage.gamma_q * v;
  for (Eigen::Index i = 0; i < q.size(); ++i)
    if (context.mask[static_cast<std::size_t>(i)]) q[i] = q_fixed_[i];
  parts_.map(q, Dq_);
  Configuration c{.t = stage.t, .q = view(q), .v = view(v), .step = &context.data};
  z_ = Dq_;
  parts_.start(c, stage_view(), z_, u_);
  const bool budget = options_.admm.iterations > 0;
  const int most = budget ? options_.admm.iterations : 20 * options_.max_iterations;
  Residuals residuals;
  double earlier = std::numeric_limits<double>::infinity();
  bool converged = false;
  for (int k = 0; k < most && !converged; ++k) {
    if (options_.interrupted && options_.interrupted()) break;
    load_.setZero(q.size());
    for (const auto& term : context.system.terms())
      if (term->kind() == TermKind::external) term->add_force(c, view(load_));
    residuals = iterate(context, c, q);
    ++report.linear;
    if (!std::isfinite(residuals.worst())) break;
    v = (q - stage.q_p) / stage.gamma_q;
    converged = residuals.worst() <= options_.tolerance;
    if ((k + 1) % kPatience != 0 || converged) continue;
    if (residuals.worst() > kFalls * earlier) adapt_weights(context, stage, residuals);
    earlier = residuals.worst();
  }
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (context.mask[static_cast<std::size_t>(i)]) v[i] = v_fixed_[i];
  report.factorizations = factorizations_ - before;
  report.primal = residuals.primal, report.dual = residuals.dual;
  report.unconverged = !converged;
  report.ok = v.allFinite() && std::isfinite(residuals.worst()) && (converged || budget);
  if (!report.ok)
    report.reason = fmt::format(
        "admm did not converge: residuals {:.2g} and {:.2g} after {} iterations; solver newton may",
        residuals.primal, residuals.dual, report.linear);
  return report;
}

}  // namespace pliant
