#include <pliant/solve/lcp_scaled.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr int kHalvings = 12;
constexpr int kPatience = 4;  // steps in a row that gain nothing before sweeps take over again
constexpr double kAtFirst = 1e-11;  // δ of the first try: only against redundant rows
constexpr int kApproaches = 30;     // of one later try

// δ of later tries, in turn: 1e-3 … 1e-6, 1e-2. A large one makes every answer easy and the way
// long.
double proximal_weight(int cycle) { return std::pow(10.0, -2 - cycle % 5); }

// Newton's method with the largest entry of F for a merit. Where no length of a step lowers it, the
// whole step is taken all the same a few times: the map has kinks, and beyond one it often falls.
int refine_by_newton(ScaledLcp& p, Vector& lambda, const LcpOptions& options) {
  Vector F, step, trial = lambda, other;
  double now = p.natural_map(trial, F), least = now;
  int k = 0;
  for (int idle = 0; k < options.newton && least > options.tolerance && idle <= kPatience; ++k) {
    if (!p.newton_step(trial, F, step)) break;
    double length = 1, next = now;
    for (int halving = 0; halving <= kHalvings; ++halving, length *= 0.5) {
      other = trial + length * step;
      next = p.natural_map(other, F);
      if (next < (1 - 1e-4 * length) * now) break;
    }
    if (!(next < now)) {
      other = trial + step;
      next = p.natural_map(other, F);
    }
    if (!std::isfinite(next)) break;
    trial = other, now = next;
    idle = now < least ? 0 : idle + 1;
    if (now < least) least = now, lambda = trial;
  }
  return k;
}

// The way to an answer: the best λ so far and what it cost.
class LcpRun {
 public:
  LcpRun(const LcpProblem& problem, const LcpOptions& options) : p_(problem), options_(options) {}
  LcpReport solve(Vector& lambda);

 private:
  bool done() const { return report_.residual <= options_.tolerance; }
  bool finite() const {
    return p_.b.allFinite() &&
           Eigen::Map<const Vector>(p_.W.valuePtr(), p_.W.nonZeros()).allFinite();
  }
  void keep(const Vector& candidate);
  void sweep();
  void try_newton(int cycle);

  ScaledLcp p_;
  LcpOptions options_;
  LcpReport report_;
  Vector x_, best_, F_;
};

void LcpRun::keep(const Vector& candidate) {
  const double residual = p_.natural_map(candidate, F_);
  if (!(residual < report_.residual)) return;
  best_ = candidate;
  report_.residual = residual;
}

void LcpRun::sweep() {
  Vector before;
  for (int k = 0; k < options_.sweeps; ++k) {
    if (k == options_.sweeps / 2) before = x_;  // what changes at first need not go on changing
    p_.sweep(x_, options_.relaxation);
  }
  report_.sweeps += options_.sweeps;
  keep(x_);
  report_.infeasible = p_.recession(x_ - before);
}

void LcpRun::try_newton(int cycle) {
  Vector polished = x_;
  for (int k = 0; k < (cycle == 0 ? 1 : kApproaches) && !done(); ++k) {
    p_.approach(cycle == 0 ? kAtFirst : proximal_weight(cycle), polished);
    report_.newton += refine_by_newton(p_, polished, options_);
    p_.approach(0, polished);
    p_.project(polished);
    keep(polished);
  }
  report_.infeasible = p_.recession(best_);  // beside a λ without end every residual is small
  if (cycle % 2 == 1) x_ = best_;
}

LcpReport LcpRun::solve(Vector& lambda) {
  if (!finite()) {
    report_.status = SolveStatus::failed;
    return report_;
  }
  x_ = lambda.cwiseQuotient(p_.scale);
  p_.project(x_);
  best_ = x_;
  report_.residual = p_.natural_map(x_, F_);
  for (int cycle = 0;
       !done() && report_.sweeps < options_.max_sweeps && report_.newton < options_.max_newton;
       ++cycle) {
    sweep();
    if (!report_.infeasible.empty()) break;
    if (options_.newton > 0 && !done()) try_newton(cycle);
  }
  if (!report_.infeasible.empty())
    report_.status = SolveStatus::failed;
  else if (!done())
    report_.status = SolveStatus::not_converged;
  lambda = best_.cwiseProduct(p_.scale);
  return report_;
}

}  // namespace

LcpReport solve_lcp(const LcpProblem& problem, Vector& lambda, const LcpOptions& options) {
  if (options.sweeps < 1 || !(options.relaxation > 0) || !(options.relaxation < 2))
    throw InputError(fmt::format(
        "a complementarity problem needs at least one sweep at a time and a relaxation between 0 "
        "and 2, got {} and {}",
        options.sweeps, options.relaxation));
  if (lambda.size() != problem.b.size() || !lambda.allFinite())
    lambda = Vector::Zero(problem.b.size());
  return LcpRun(problem, options).solve(lambda);
}

}  // namespace pliant
