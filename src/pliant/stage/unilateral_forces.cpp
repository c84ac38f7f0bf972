#include <pliant/stage/unilateral_forces.hpp>

#include <pliant/stage/row_states.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

// Of the complementarity problem: what it is solved to, and what a step may be left with where
// friction has no better answer.
constexpr double kComplementarity = 1e-10, kAcceptable = 1e-6;
constexpr int kTurnsOfFactors = 24;  // so many turns one matrix serves; most steps need fewer

}  // namespace

UnilateralForces::UnilateralForces(const SolverOptions& options)
    : geometric_(options.geometric == GeometricStiffness::off ? GeometricStiffness::off
                                                              : GeometricStiffness::positive),
      solver_("cholesky", options.of_linear()) {}

// The rows as a stage from the start of the step to its end would have them, with C μ left out.
void UnilateralForces::find_values(const Vector& q, const Vector& v, Vector& values) {
  const ConstraintSet& constraints = context_->system.constraints();
  constraints.value(t_, view(q), values);
  constraints.jacobian(view(q), J_);
  constraints.make_rates(J_, view(v), h_, values);
}

void UnilateralForces::open(const StepContext& context, double h, const Prediction& predicted) {
  context_ = &context;
  h_ = h, t_ = context.start.t + h;
  assemble_step_matrix(context, h, predicted, A_);
  const ConstraintSet& constraints = context.system.constraints();
  bounded_.clear();
  response_.forget();
  turns_ = 0;
  way_ended_ = false;
  if (constraints.empty()) return;
  Stage stage;
  stage.gamma_q = stage.gamma_v = h;
  C_ = stage_compliance(constraints, stage);
  Vector lambda = Vector::Zero(constraints.rows());
  if (predicted.multipliers.size() == static_cast<std::size_t>(constraints.rows()))
    lambda = as_vector(predicted.multipliers);
  constraints.geometric_stiffness(view(predicted.q), lambda, h * h, geometric_, blocks_);
  find_values(predicted.q, predicted.v, base_);
  nu_.setZero(constraints.rows());
  for (Index k = 0; constraints.has_bounds() && k < constraints.rows(); ++k)
    if (std::isfinite(constraints.low()[k]) || std::isfinite(constraints.high()[k]))
      bounded_.push_back({.row = k, .pushed = h * lambda[k]});
}

// g = J x − (values − those of the prediction): with it the next answer meets the rows, linear
// about here. Rows with bounds are left to the complementarity problem.
bool UnilateralForces::turn(const Vector& q, const Vector& v, const Vector& x) {
  const ConstraintSet& constraints = context_->system.constraints();
  const bool anew = turns_++ % kTurnsOfFactors == 0;
  if (constraints.empty()) return turns_ > 1 || factorize();
  find_values(q, v, values_);
  if (anew) {
    factors_J_ = J_;
    response_.forget();
  }
  Vector moved = Vector::Zero(constraints.rows());
  for (const JacobianEntry& entry : factors_J_)
    moved[entry.row] += entry.gradient.dot(node(view(x), entry.node));
  g_ = moved - (values_ - base_);
  for (Bounded& bounded : bounded_) {
    bounded.value = values_[bounded.row] - moved[bounded.row];
    g_[bounded.row] = 0;
  }
  return !anew || factorize();
}

// Takes the rows with bounds out of J.
void UnilateralForces::split_bounded_rows() {
  bounded_rows_.clear();
  J_ = factors_J_;
  for (const Bounded& bounded : bounded_) {
    std::vector<Index> nodes;
    std::vector<Vec3> gradients;
    for (JacobianEntry& entry : J_)
      if (entry.row == bounded.row) {
        nodes.push_back(entry.node), gradients.push_back(entry.gradient);
        entry.gradient.setZero();
      }
    bounded_rows_.add(nodes, gradients);
  }
}

bool UnilateralForces::factorize() {
  if (context_->system.constraints().empty()) {
    solver_.prepare(A_.shared_pattern());
    A_.remove(context_->mask);
    return solver_->factorize(A_) == SolveStatus::ok;
  }
  split_bounded_rows();
  if (!kkt_) kkt_ = make_kkt_solver("auto");
  KktMatrix& matrix = assembly_.matrix();
  matrix.C = C_;
  for (const Bounded& bounded : bounded_) matrix.C[bounded.row] = 1;
  assembly_.fill(A_, blocks_, J_, context_->mask);
  matrix.unit = 1e-4 * context_->system.size() / h_;
  return kkt_->factorize(matrix) == SolveStatus::ok;
}

bool UnilateralForces::respond(const Vector& f, const Vector& g, Vector& x) {
  const System& system = context_->system;
  if (system.constraints().empty()) {
    x.resize(f.size());
    if (solver_->solve(view(f), view(x), {}) != SolveStatus::ok) return false;
  } else {
    assembly_.gather(f, b_free_);
    if (kkt_->solve(b_free_, g, free_, y_).status != SolveStatus::ok) return false;
    assembly_.scatter(free_, x);
  }
  system.follow(view(x));
  return x.allFinite();
}

double UnilateralForces::missed(const Vector& q, const Vector& v) {
  if (context_->system.constraints().empty()) return 0;
  find_values(q, v, values_);
  values_ += C_.cwiseProduct(nu_) - base_;
  for (const Bounded& bounded : bounded_) values_[bounded.row] = 0;
  const ConstraintSet& constraints = context_->system.constraints();
  for (Index k = 0; way_ended_ && k < constraints.rows(); ++k)  // what depends on v has changed
    if (constraints.is_about_rate(k) || constraints.relaxation()[k] > 0) values_[k] = 0;
  return h_ * values_.lpNorm<Eigen::Infinity>();
}

// Rows at a bound have given what they can.
void UnilateralForces::end_way() {
  const ConstraintSet& constraints = context_->system.constraints();
  if (constraints.empty()) return;
  way_ended_ = true;
  base_ -= C_.cwiseProduct(nu_);
  g_.setZero(constraints.rows());
  for (Bounded& bounded : bounded_) {
    const double impulse = bounded.pushed + bounded.change;
    bounded.acts = impulse > h_ * constraints.low()[bounded.row] &&
                   impulse < h_ * constraints.high()[bounded.row];
    bounded.pushed = impulse, bounded.change = 0;
    bounded.value = -C_[bounded.row] * impulse;
  }
}

void UnilateralForces::add_row(RowResponse::Kind kind, Row row, double b, double low, double high,
                               double guess) {
  rows_.push_back(row);
  slot_.push_back(response_.slot_of(kind, *row.list, row.row));
  b_.push_back(b), low_.push_back(low), high_.push_back(high), guess_.push_back(guess);
}

bool UnilateralForces::respond_to_columns(Matrix& columns) {
  const Vector no_g = Vector::Zero(context_->system.constraints().rows());
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    f_ = columns.col(c);
    if (!respond(f_, no_g, x_)) return false;
    columns.col(c) = x_;
  }
  return true;
}

bool UnilateralForces::make_problem(const ContactRows& rows, const ContactAnswer& guess) {
  using Kind = RowResponse::Kind;
  const ConstraintSet& constraints = context_->system.constraints();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  rows_.clear(), slot_.clear(), b_.clear(), low_.clear(), high_.clear(), guess_.clear();
  problem_.cones.clear();
  f_ = -rows.off;
  if (!respond(f_, g_, free_motion_)) return false;
  for (Index k = 0; k < rows.size(); ++k) {
    if (rows.lower[k] == -infinity) continue;
    const auto first = static_cast<Index>(rows_.size());
    add_row(Kind::normal, {&rows.normals, k},
            rows.normals.dot(k, view(free_motion_)) - rows.lower[k], 0, infinity, guess.normal[k]);
    if (rows.mu[k] == 0) continue;
    for (Index j = 2 * k; j < 2 * k + 2; ++j)
      add_row(Kind::tangent, {&rows.tangents, j},
              rows.tangents.dot(j, view(free_motion_)) + rows.slid[j], -infinity, infinity,
              guess.friction[j]);
    problem_.cones.push_back({first, {first + 1, first + 2}, rows.mu[k]});
  }
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    const Bounded& bounded = bounded_[k];
    if (!bounded.acts) continue;
    const auto row = static_cast<Index>(k);
    add_row(Kind::bounded, {&bounded_rows_, row},
            bounded.value + C_[bounded.row] * bounded.pushed +
                bounded_rows_.dot(row, view(free_motion_)),
            h_ * constraints.low()[bounded.row] - bounded.pushed,
            h_ * constraints.high()[bounded.row] - bounded.pushed, bounded.change);
  }
  const auto respond = [this](Matrix& columns) { return respond_to_columns(columns); };
  if (!response_.fill(f_.size(), respond)) return false;
  entries_.clear();
  const auto n = static_cast<Eigen::Index>(rows_.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (Eigen::Index j = 0; j < n; ++j) {
      const double value = response_(slot_[at], slot_[static_cast<std::size_t>(j)]);
      if (value != 0) entries_.emplace_back(i, j, value);  // else bodies that nothing joins
    }
    if (rows_[at].list == &bounded_rows_)
      entries_.emplace_back(i, i, C_[bounded_[static_cast<std::size_t>(rows_[at].row)].row]);
  }
  problem_.W.resize(n, n);
  problem_.W.setFromTriplets(entries_.begin(), entries_.end());
  problem_.b = as_vector(std::span<const double>(b_));
  problem_.lower = as_vector(std::span<const double>(low_));
  problem_.upper = as_vector(std::span<const double>(high_));
  lambda_ = as_vector(std::span<const double>(guess_));
  return true;
}

bool UnilateralForces::balance(const ContactRows& rows, ContactAnswer& answer,
                               ContactReport& report) {
  if (!make_problem(rows, answer)) {
    report.fail("contact: the motion that forces lead to cannot be solved for");
    return false;
  }
  const double each = ContactReport::dense_work(static_cast<Index>(rows_.size()));
  LcpOptions options{.tolerance = kComplementarity};
  if (report.budget > 0)
    options.max_newton =
        static_cast<int>(std::clamp((report.budget - report.work) / each, 3.0, 1e6));
  const LcpReport solved = solve_lcp(problem_, lambda_, options);
  report.iterations += solved.sweeps;
  report.newton += solved.newton;
  report.work += each * solved.newton;
  report.primal = std::max(report.primal, solved.residual);
  if (!solved.infeasible.empty()) {
    report.fail("contact: what bodies must keep free of leaves no room for them");
    return false;
  }
  if (!(solved.residual <= kAcceptable)) {
    report.fail(fmt::format("contact: the complementarity problem of {} rows is left with {:.2g}",
                            rows_.size(), solved.residual));
    return false;
  }
  answer.normal.setZero(), answer.friction.setZero();
  f_ = -rows.off;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& [list, row] = rows_[i];
    const double lambda = lambda_[static_cast<Eigen::Index>(i)];
    if (list == &rows.normals) answer.normal[row] = lambda;
    if (list == &rows.tangents) answer.friction[row] = lambda;
    if (list == &bounded_rows_) bounded_[static_cast<std::size_t>(row)].change = lambda;
    const auto nodes = list->nodes(row);
    const auto coefficients = list->coefficients(row);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      node(view(f_), nodes[k]) += lambda * coefficients[k];
  }
  if (!respond(f_, g_, answer.x)) {
    report.fail("contact: the motion that forces lead to cannot be solved for");
    return false;
  }
  if (nu_.size() > 0) nu_ = -y_;
  return true;
}

}  // namespace pliant
