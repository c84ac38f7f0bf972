#include <pliant/stage/static_equilibrium.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// r(q) = −f(t, q, 0) + κ M (q − q_k), the gradient of U + κ/2 ‖q − q_k‖²_M.
class StaticProblem final : public NewtonProblem {
 public:
  StaticProblem(const System& system, double t, const DofMask& mask)
      : system_(system), t_(t), mask_(mask), zero_(Vector::Zero(system.dofs())) {}
  void anchor(double kappa, const Vector& q_k) {
    kappa_ = kappa;
    q_k_ = q_k;
  }
  // What depends on velocity has no say.
  bool has_merit() const override {
    const auto terms = system_.terms();
    return std::all_of(terms.begin(), terms.end(), [](const auto& term) {
      return term->kind() == TermKind::dissipation || term->has_potential();
    });
  }
  double evaluate(std::span<const double> q, std::span<double> r) override {
    f_.resize(system_.dofs());
    Md_.setZero(system_.dofs());
    double merit = system_.force_and_potential(at(q), view(f_));
    if (kappa_ > 0) {
      d_ = as_vector(q) - q_k_;
      system_.mass().multiply(view(d_), view(Md_));
      merit += 0.5 * kappa_ * d_.dot(Md_);
    }
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = mask_[i] ? 0 : kappa_ * Md_[i] - f_[i];
    return merit;
  }
  void tangent(std::span<const double> q, bool project, BlockMatrix& A) override {
    system_.mass().write_to(A);
    for (double& x : A.values()) x *= kappa_;
    system_.add_tangent(
        at(q), {.stiffness = 1, .projection = project ? Projection::psd : Projection::none}, A);
    if (!system_.symmetric()) A.symmetrize();
    A.remove(mask_);
  }
  void restrict(std::span<double> dq) const override { system_.follow(dq); }
  double residual_norm(std::span<const double> r) const override { return as_vector(r).norm(); }
  double relative_size(std::span<const double>, std::span<const double> dq) const override {
    return as_vector(dq).lpNorm<Eigen::Infinity>() / system_.size();
  }
  double max_step(std::span<const double> q, std::span<const double> dq) override {
    return system_.limits_steps() ? system_.max_step(at(q), dq) : 1;
  }

 private:
  Configuration at(std::span<const double> q) const { return {t_, q, view(zero_), nullptr}; }

  const System& system_;
  double t_;
  const DofMask& mask_;
  double kappa_ = 0;
  Vector zero_, q_k_, d_, Md_, f_;
};

// ‖K‖/‖M‖, a squared frequency: the scale of κ.
double stiffness_over_mass(const System& system, StaticProblem& problem, const Vector& q,
                           BlockMatrix& A) {
  problem.tangent(view(q), true, A);
  double stiffness = 0, mass = 0;
  for (Index n = 0; n < system.nodes(); ++n) {
    stiffness += Eigen::Map<const Mat3>(A.block(system.pattern()->diagonal[n])).trace() / 3;
    mass += system.mass().diagonal(n);
  }
  return stiffness / mass;
}

constexpr double kFirst = 1e-2, kShortestPart = 1e-8, kLongest = 1e4;  // s, of steps
constexpr double kMoment = 1e-6;  // s, for which pins are asked
constexpr int kMostSteps = 1000;
constexpr double kLoosest = 1e-8;  // of ‖K‖/‖M‖, of anchors
constexpr int kMostAnchors = 30;
constexpr double kFar = 1e3;  // sizes of the scene: nothing holds what went farther

}  // namespace

StaticReport walk_to_equilibrium(const System& system, State& state, const SolverOptions& options) {
  StaticReport report;
  const auto solver = make_stage_solver(options);
  State now = state;
  StepData data;
  DofMask mask;
  double h = kFirst;
  for (report.load_steps = 0; report.load_steps < kMostSteps; ++report.load_steps) {
    if (is_interrupted(options.interrupted)) {
      report.ok = false, report.reason = "interrupted";
      return report;
    }
    now.v.setZero();
    State trial = now;
    system.open_step(trial, kMoment, data, mask);
    Stage stage{.t = now.t, .gamma_q = h, .gamma_v = h, .q_p = now.q, .v_p = now.v};
    stage.q_base = &trial.q, stage.v_base = &trial.v;
    Vector v = Vector::Zero(system.dofs()), q = trial.q;
    const StageReport solved = solver->solve({system, trial, data, mask}, stage, v, q);
    report.newton += solved.newton;
    report.linear += solved.linear;
    if (!solved.ok || !q.allFinite()) {
      report.reason = solved.reason;
      h *= 0.25;
      if (h >= kShortestPart) continue;
      report.ok = false;
      return report;
    }
    const double change = (q - now.q).lpNorm<Eigen::Infinity>() / system.size();
    now = trial;
    now.q = q;
    if ((q - system.rest()).lpNorm<Eigen::Infinity>() > kFar * system.size()) {
      report.ok = false;
      report.reason = "the bodies move away without bound: is one of them not held?";
      return report;
    }
    if (change <= options.tolerance && h >= 1) {
      state = now;
      state.v.setZero();
      state.a.setZero();
      state.a_known = false;
      return report;
    }
    h = std::min(2 * h, kLongest);
  }
  report.ok = false;
  report.reason = "it does not come to rest; a damped run may find the way";
  return report;
}

namespace {

// Newton's method from q; where it fails, from equilibria of a body that springs hold where it is,
// looser and looser.
class AnchoredSearch {
 public:
  AnchoredSearch(const System& system, StaticProblem& problem, const SolverOptions& options)
      : system_(system),
        problem_(problem),
        solver_(make_linear_solver(options.linear, options.of_linear())),
        newton_{.tolerance = options.tolerance,
                .max_iterations = std::max(options.max_iterations, 200),
                .interrupted = options.interrupted} {
    workspace_.resize(system.pattern());
    solver_->analyze(system.pattern());
  }

  NewtonStatus find(Vector& q, StaticReport& report) {
    const Vector start = q;
    solve(q, report);
    if (result_.converged() && q.allFinite()) return result_.status;
    q = start;
    scale_ = stiffness_over_mass(system_, problem_, q, workspace_.A);
    for (const double part : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, kLoosest, 0.0}) {
      if (is_interrupted(newton_.interrupted)) break;
      solve_near(part, q, report);
    }
    if (!result_.converged()) settle(q, report);
    return result_.status;
  }

 private:
  void solve(Vector& q, StaticReport& report) {
    result_ = solve_newton(problem_, *solver_, newton_, workspace_, view(q));
    report.newton += result_.iterations;
    report.linear += result_.linear;
  }
  bool solve_near(double part, Vector& q, StaticReport& report) {
    anchor_ = q;
    problem_.anchor(part * scale_, anchor_);
    solve(q, report);
    ++report.load_steps;
    return result_.converged();
  }
  // What can turn without any force, such as a body on one thread, has many equilibria and a
  // singular tangent. The loosest anchor finds one of them when it no longer has to be moved.
  void settle(Vector& q, StaticReport& report) {
    q = anchor_;
    bool still = false;
    for (int k = 0; k < kMostAnchors && !still && solve_near(kLoosest, q, report); ++k)
      still = problem_.relative_size(view(q), view(Vector(q - anchor_))) <= newton_.tolerance;
    if (!still && result_.converged()) result_.status = NewtonStatus::linear_solve_failed;
  }

  const System& system_;
  StaticProblem& problem_;
  std::unique_ptr<LinearSolver> solver_;
  NewtonOptions newton_;
  NewtonWorkspace workspace_;
  NewtonReport result_;
  double scale_ = 0;
  Vector anchor_;
};

std::string why_not(NewtonStatus status) {
  if (status == NewtonStatus::converged)
    return "the bodies move away without bound: is one of them not pinned?";
  return std::string(name_of(status)) + (status == NewtonStatus::linear_solve_failed
                                             ? "; is a body not pinned?"
                                             : "; a damped run may find the way");
}

}  // namespace

StaticReport find_equilibrium(const System& system, State& state, const SolverOptions& options) {
  StepData data;
  DofMask mask;
  State start = state;
  system.open_step(start, 0, data, mask);
  system.prescribe(start, start.t, view(start.q), {}, {});
  StaticProblem problem(system, start.t, mask);
  StaticReport report;
  Vector q = start.q;
  const NewtonStatus status = AnchoredSearch(system, problem, options).find(q, report);
  report.ok = status == NewtonStatus::converged && !is_interrupted(options.interrupted) &&
              q.allFinite() && (q - system.rest()).lpNorm<Eigen::Infinity>() < kFar * system.size();
  if (!report.ok) {
    report.reason = why_not(status);
    return report;
  }
  state = std::move(start);
  state.q = q;
  state.v.setZero();
  state.a.setZero();
  state.a_known = false;
  return report;
}

}  // namespace pliant
