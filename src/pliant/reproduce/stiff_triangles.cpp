// TOURNIER §4.2: a cloth of stiff St. Venant–Kirchhoff triangles (1 GPa, 0.49) by MINRES: in
// compliance form it converges in about 1000 iterations, in stiffness form not in 10 000; and
// several hundred kilograms at the bottom do not stretch it.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/compliant_steps.hpp>
#include <pliant/reproduce/method_run.hpp>
#include <pliant/solve/minres.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kTriangleStep = 0.01, kResidual = 1e-6;
constexpr int kMost = 10'000;

// [A Jᵀ; J −C] on vectors of both parts.
MinresReport by_compliance(const CompliantSteps& steps) {
  const KktMatrix& m = steps.matrix();
  const Index n = m.unknowns(), rows = m.rows();
  const Eigen::SparseMatrix<double> A = m.A.selfadjointView<Eigen::Lower>();
  Vector b(n + rows), x = Vector::Zero(n + rows);
  b << steps.force(), steps.values();
  const auto multiply = [&](const Vector& in, Vector& out) {
    out.head(n) = A * in.head(n) + m.J.transpose() * in.tail(rows);
    out.tail(rows) = m.J * in.head(n) - m.C.cwiseProduct(in.tail(rows));
  };
  return solve_minres(multiply, [](const Vector& in, Vector& out) { out = in; }, b, x,
                      {kResidual, kMost});
}

// The same velocities: μ is taken out of (21).
MinresReport by_stiffness(const CompliantSteps& steps) {
  const KktMatrix& m = steps.matrix();
  const Eigen::SparseMatrix<double> K = steps.stiffness_form();
  const Vector b = steps.force() + m.J.transpose() * steps.values().cwiseQuotient(m.C);
  Vector x = Vector::Zero(b.size());
  return solve_minres([&](const Vector& in, Vector& out) { out = K * in; },
                      [](const Vector& in, Vector& out) { out = in; }, b, x, {kResidual, kMost});
}

std::string in_words(int most, bool converged) {
  return converged ? fmt::format("{} iterations", most)
                   : fmt::format("not in {} iterations", kMost);
}

struct Count {
  int most = 0;
  bool converged = true;
  void add(const MinresReport& report) {
    most = std::max(most, report.iterations);
    converged = converged && report.status == SolveStatus::ok;
  }
};

// How much longer than at rest any edge of the sheet is.
double stretch_of(const Body& body, const System& system, std::span<const double> q) {
  double most = 0;
  for (const auto& triangle : body.surface.triangles)
    for (std::size_t a = 0; a < 3; ++a) {
      const Index i = triangle[a], j = triangle[(a + 1) % 3];
      const double rest = (node(view(system.rest()), i) - node(view(system.rest()), j)).norm();
      most = std::max(most, (node(q, i) - node(q, j)).norm() / rest - 1);
    }
  return most;
}

}  // namespace

CaseResult stiff_triangles(const CaseContext& context) {
  CaseResult result;
  const Index side = context.full ? 40 : 30;
  const int steps = context.full ? 100 : 30;
  const Model cloth = make_cloth({.side = side});
  CompliantSteps motion(*cloth.system, kTriangleStep);
  Count compliance, stiffness;
  bool ok = true;
  for (int k = 1; k <= steps && ok && !context.stopped(); ++k) {
    ok = motion.step();
    if (!ok || k % (steps / 3) != 0) continue;
    compliance.add(by_compliance(motion));
    stiffness.add(by_stiffness(motion));
  }
  if (context.stopped()) return result;
  result.figures.push_back({"compliance, MINRES converges in", "about 1000 iterations",
                            in_words(compliance.most, compliance.converged),
                            verdict_of(ok && compliance.converged && compliance.most < 3000)});
  result.figures.push_back(
      {"stiffness, MINRES converges in", "not in 10000 iterations",
       in_words(stiffness.most, stiffness.converged),
       verdict_of(ok && (!stiffness.converged || stiffness.most > 5 * compliance.most))});
  // 400 kg at the bottom of a sheet of 10 kg.
  const Model heavy = make_cloth({.side = 10, .weight = 200});
  CompliantSteps pulled(*heavy.system, kTriangleStep);
  double stretched = 0;
  for (int k = 0; k < (context.full ? 1000 : 300) && ok; ++k) {
    ok = pulled.step();
    stretched = stretch_of(heavy.bodies[0], *heavy.system, view(pulled.state().q));
  }
  result.figures.push_back(
      {"400 kg hang on it", "stable, no stretch to speak of",
       ok ? fmt::format("stable, stretched by {:.2g} %", 100 * stretched) : "not stable",
       verdict_of(ok && stretched < 0.1)});
  result.remarks = {fmt::format(
      "A sheet of {}×{} nodes, 10 m, 1 mm, 100 kg/m³, falls from two corners with steps of {:g} "
      "ms, "
      "one linear solve each. MINRES starts from nothing, without a preconditioner, until the "
      "residual is {:g} of the right-hand side; at most of three moments. With 400 kg the elastic "
      "stretch of a strip under such a load would be some percent near the held corners.",
      side, side, 1e3 * kTriangleStep, kResidual)};
  return result;
}

}  // namespace pliant
