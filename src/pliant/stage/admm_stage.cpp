#include <pliant/stage/admm_stage.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/parallel.hpp>

#include <fmt/format.h>

#include <atomic>
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
  groups_.clear();
  scale_ = 0;
  std::size_t numbers = 0;
  for (const auto& term : system.terms()) {
    if (term->kind() == TermKind::external) continue;
    const auto* local = dynamic_cast<const LocalPotential*>(term.get());
    if (!local)
      throw InputError(fmt::format(
          "solver admm has no local minimiser for \"{}\"; solver newton takes it", term->name()));
    Group& group = groups_.emplace_back();
    group.potential = local;
    group.maps = local->local_maps();
    group.plan = AssemblyPlan(group.maps.connectivity, group.maps.nodes, system.nodes());
    for (std::size_t i = 0; i < group.maps.size(); ++i)
      group.weights.push_back(level_ * options_.admm.weight * local->local_stiffness(i));
    group.first = numbers;
    numbers += group.numbers() * group.maps.size();
  }
  for (Vector* x : {&z_, &u_, &target_, &Dq_, &Dq_before_, &z_before_})
    x->setZero(static_cast<Eigen::Index>(numbers));
}

// M + γq γv Dᵀ W D, for each axis without the nodes that are held along it.
void AdmmStage::factorize(const StepContext& context, double scale) {
  if (scale == scale_ && context.mask == mask_) return;
  scale_ = scale;
  mask_ = context.mask;
  const System& system = context.system;
  A_ = system.mass();
  for (const Group& group : groups_) {
    const auto n = static_cast<std::size_t>(group.maps.nodes),
               r = static_cast<std::size_t>(group.maps.rows);
    for (std::size_t i = 0; i < group.maps.size(); ++i) {
      const Index* nodes = group.maps.connectivity.data() + n * i;
      const double* g = group.maps.g.data() + n * r * i;
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
          double sum = 0;
          for (std::size_t k = 0; k < r; ++k) sum += g[r * a + k] * g[r * b + k];
          A_.values()[static_cast<std::size_t>(A_.pattern().find(nodes[a], nodes[b]))] +=
              scale * group.weights[i] * sum;
        }
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) factorize_axis(context, axis);
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

void AdmmStage::map(const Vector& q, Vector& z) const {
  for (const Group& group : groups_) {
    const auto n = static_cast<std::size_t>(group.maps.nodes);
    const Eigen::Index r = group.maps.rows;
    parallel_for_each(group.maps.size(), 256, [&](std::size_t i) {
      Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic>> out(
          z.data() + group.first + group.numbers() * i, 3, r);
      const double* g = group.maps.g.data() + n * static_cast<std::size_t>(r) * i;
      out.setZero();
      for (std::size_t a = 0; a < n; ++a) {
        const auto x = node(view(q), group.maps.connectivity[n * i + a]);
        for (Eigen::Index k = 0; k < r; ++k)
          out.col(k) += g[static_cast<std::size_t>(r) * a + static_cast<std::size_t>(k)] * x;
      }
    });
  }
}

void AdmmStage::add_transposed(const Vector& y, Vector& f) const {
  for (const Group& group : groups_) {
    const auto n = static_cast<std::size_t>(group.maps.nodes),
               r = static_cast<std::size_t>(group.maps.rows);
    group.plan.for_each_element([&](std::size_t i) {
      const double* part = y.data() + group.first + group.numbers() * i;
      const double* g = group.maps.g.data() + n * r * i;
      for (std::size_t a = 0; a < n; ++a) {
        auto force = node(view(f), group.maps.connectivity[n * i + a]);
        for (std::size_t k = 0; k < r; ++k)
          force += group.weights[i] * g[r * a + k] * ConstMap3(part + 3 * k);
      }
    });
  }
}

double AdmmStage::weighted_norm(const Vector& y) const {
  double sum = 0;
  for (const Group& group : groups_)
    for (std::size_t i = 0; i < group.maps.size(); ++i)
      sum +=
          group.weights[i] * y.segment(static_cast<Eigen::Index>(group.first + group.numbers() * i),
                                       static_cast<Eigen::Index>(group.numbers()))
                                 .squaredNorm();
  return std::sqrt(sum);
}

double AdmmStage::norm_of_ones() const {
  double sum = 0;
  for (const Group& group : groups_)
    for (const double w : group.weights) sum += w * static_cast<double>(group.numbers());
  return std::sqrt(sum);
}

// What (16a) has on its right side beside z and u: M (q_p + γq v_p) on free coordinates; prescribed
// ones load them with their known acceleration and with the stiffness that couples them.
void AdmmStage::set_constant_part(const StepContext& context, const Stage& stage) {
  const System& system = context.system;
  const Eigen::Index n = system.dofs();
  for (Vector* x : {&q_fixed_, &v_fixed_, &a_fixed_}) x->setZero(n);
  system.prescribe(context.start, stage.t, view(q_fixed_), view(v_fixed_), view(a_fixed_));
  inertia_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool held = context.mask[static_cast<std::size_t>(i)];
    inertia_[i] = held ? -scale_ * a_fixed_[i] : stage.q_p[i] + stage.gamma_q * stage.v_p[i];
    if (!held) q_fixed_[i] = 0;
  }
  constant_.resize(n);
  system.mass().multiply(view(inertia_), view(constant_));
  map(q_fixed_, Dq_);
  rhs_.setZero(n);
  add_transposed(Dq_, rhs_);
  constant_ -= scale_ * rhs_;
}

void AdmmStage::global_step(const StepContext& context, Vector& q) {
  target_ = z_ - u_;
  rhs_ = load_;
  add_transposed(target_, rhs_);
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

bool AdmmStage::local_step(const Configuration& c) {
  target_ = Dq_ + u_;
  std::atomic<bool> found = true;
  for (const Group& group : groups_)
    parallel_ranges(group.maps.size(), 64, [&](std::size_t begin, std::size_t end) {
      const auto numbers = static_cast<Eigen::Index>(group.numbers() * group.maps.size());
      const auto first = static_cast<Eigen::Index>(group.first);
      std::span<double> z(z_.data() + first, static_cast<std::size_t>(numbers));
      const std::span<const double> target(target_.data() + first,
                                           static_cast<std::size_t>(numbers));
      if (!group.potential->local_minimise(c, {begin, end}, group.weights, target, z))
        found = false;
    });
  return found;
}

// u = W⁻¹ ∇U(z): what it is at the solution, if z is.
void AdmmStage::start(const Configuration& c) {
  z_ = Dq_;
  for (const Group& group : groups_) {
    const auto numbers = group.numbers() * group.maps.size();
    const std::span<const double> z(z_.data() + group.first, numbers);
    const std::span<double> u(u_.data() + group.first, numbers);
    parallel_ranges(group.maps.size(), 64, [&](std::size_t begin, std::size_t end) {
      group.potential->local_gradient(c, {begin, end}, z, u);
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t k = 0; k < group.numbers(); ++k)
          u[group.numbers() * i + k] /= group.weights[i];
    });
  }
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
  for (Group& group : groups_)
    for (double& w : group.weights) w *= change;
  const double scale = std::exchange(scale_, 0);
  factorize(context, scale);
  set_constant_part(context, stage);
}

AdmmStage::Residuals AdmmStage::iterate(const StepContext& context, const Configuration& c,
                                        Vector& q) {
  global_step(context, q);
  map(q, Dq_);
  z_before_ = z_;
  if (!local_step(c)) return {std::nan(""), std::nan("")};
  target_ = Dq_ - z_;
  u_ += target_;
  const double primal = weighted_norm(target_);
  z_before_ = z_ - z_before_;
  const double dual = weighted_norm(z_before_);
  target_ = Dq_ - Dq_before_;
  const double size = std::max(weighted_norm(target_), kLeastStrain * norm_of_ones());
  return {primal / size, dual / size};
}

StageReport AdmmStage::solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) {
  StageReport report;
  if (stage.held)
    throw InputError(
        "solver admm cannot keep the modes that an exponential method moves; solver newton can");
  if (system_ != &context.system) gather(context.system);
  const int before = factorizations_;
  factorize(context, stage.gamma_q * stage.gamma_v);
  set_constant_part(context, stage);
  q = stage.q_p + stage.gamma_q * v;
  for (Eigen::Index i = 0; i < q.size(); ++i)
    if (context.mask[static_cast<std::size_t>(i)]) q[i] = q_fixed_[i];
  map(context.start.q, Dq_before_);
  map(q, Dq_);
  Configuration c{.t = stage.t, .q = view(q), .v = view(v), .step = &context.data};
  start(c);
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
