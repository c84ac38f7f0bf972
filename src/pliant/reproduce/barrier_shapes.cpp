// ASCHER Figs. 8 and 9: the barrier b(x; δ) of (28) and the step s(x; ε) of (32c), as contact and
// friction use them. What makes them fit for Newton's method is checked here by numbers: b is
// convex, without bound at contact and twice continuously differentiable where it ends; s is a
// continuous slope that tends to Coulomb's law as ε shrinks.
#include <pliant/contact/barrier.hpp>
#include <pliant/contact/friction_law.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kDeltas[] = {1, 0.75, 0.5, 0.25};
constexpr double kEpsilons[] = {1, 0.5, 0.1, 0.01};
constexpr int kPlaces = 2000;

double place(int k, double high) { return high * k / kPlaces; }  // k from 1: never 0

Plot barrier_plot() {
  Plot plot;
  plot.title = "The barrier b(x; δ) of (28)";
  plot.x = {"distance x", Scale::linear, 0, 1.2};
  plot.y = {"b", Scale::linear, 0, 1};
  for (const double delta : kDeltas) {
    Series& series = plot.series.emplace_back();
    series.name = fmt::format("δ = {}", delta);
    for (int k = 1; k <= kPlaces; ++k) {
      series.x.push_back(place(k, 1.2));
      series.y.push_back(barrier_value(series.x.back(), delta));
    }
  }
  return plot;
}

Plot step_plot() {
  Plot plot;
  plot.title = "The step s(x; ε) of (32c)";
  plot.x = {"sliding speed x", Scale::linear, 0, 1.2};
  plot.y = {"s", Scale::linear, 0, 1.1};
  for (const double epsilon : kEpsilons) {
    Series& series = plot.series.emplace_back();
    series.name = fmt::format("ε = {}", epsilon);
    for (int k = 0; k <= kPlaces; ++k) {
      series.x.push_back(place(k, 1.2));
      series.y.push_back(friction_step(series.x.back(), epsilon));
    }
  }
  return plot;
}

struct BarrierChecks {
  bool convex = true, falls = true;  // wherever it acts, for every δ
  double beyond = 0;                 // largest value at and beyond δ
  double at_end = 0;          // largest |b| + |b′| + |b″| just before δ, over that at δ/2
  double at_contact = 1e300;  // least b at 1e-12 δ, over that at δ/2
  bool smaller_with_delta = true;  // everywhere
};

BarrierChecks check_barrier() {
  BarrierChecks out;
  const auto size = [](const Barrier& b) {
    return std::abs(b.value) + std::abs(b.first) + std::abs(b.second);
  };
  for (std::size_t d = 0; d < std::size(kDeltas); ++d) {
    const double delta = kDeltas[d];
    for (int k = 1; k <= kPlaces; ++k) {
      const double x = place(k, 1.2);
      const Barrier b = barrier(x, delta);
      if (x < delta) {
        out.convex = out.convex && b.second > 0;
        out.falls = out.falls && b.first < 0;
      } else {
        out.beyond = std::max(out.beyond, size(b));
      }
      if (d > 0)
        out.smaller_with_delta =
            out.smaller_with_delta && b.value <= barrier_value(x, kDeltas[d - 1]);
    }
    out.at_end = std::max(
        out.at_end, size(barrier((1 - 1e-6) * delta, delta)) / size(barrier(0.5 * delta, delta)));
    out.at_contact = std::min(
        out.at_contact, barrier_value(1e-12 * delta, delta) / barrier_value(0.5 * delta, delta));
  }
  return out;
}

struct StepChecks {
  double kink = 0;    // jump of the slope at ε, times ε: by one-sided differences
  double at_one = 0;  // largest |s − 1| from ε on
  double area = 0;    // largest deviation of ∫ (1 − s) from ε/3, over ε
};

StepChecks check_step() {
  StepChecks out;
  for (const double epsilon : kEpsilons) {
    const double step = 1e-5 * epsilon;
    const double before =
        (friction_step(epsilon, epsilon) - friction_step(epsilon - step, epsilon)) / step;
    const double behind =
        (friction_step(epsilon + step, epsilon) - friction_step(epsilon, epsilon)) / step;
    out.kink = std::max(out.kink, std::abs(behind - before) * epsilon);
    double area = 0;  // by the middles of the intervals
    for (int k = 1; k <= kPlaces; ++k) {
      const double x = place(k, 2 * epsilon);
      if (x >= epsilon) out.at_one = std::max(out.at_one, std::abs(friction_step(x, epsilon) - 1));
      area += (1 - friction_step(x - epsilon / kPlaces, epsilon)) * 2 * epsilon / kPlaces;
    }
    out.area = std::max(out.area, std::abs(area / epsilon - 1.0 / 3));
  }
  return out;
}

TextTable forces() {
  TextTable table({"x/δ", "b/δ²", "−b′/δ", "b″"});
  for (const double x : {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) {
    const Barrier b = barrier(x, 1);
    table.add({fmt::format("{}", x), fmt::format("{:.4g}", b.value),
               fmt::format("{:.4g}", -b.first), fmt::format("{:.4g}", b.second)});
  }
  return table;
}

}  // namespace

CaseResult barrier_shapes(const CaseContext&) {
  const BarrierChecks b = check_barrier();
  const StepChecks s = check_step();
  CaseResult result;
  result.figures = {
      {"b falls and is convex between 0 and δ", "Fig. 8: for every δ",
       b.falls && b.convex ? "for every δ" : "not everywhere", verdict_of(b.falls && b.convex)},
      {"b beyond δ", "0", fmt::format("{}", b.beyond), verdict_of(b.beyond == 0)},
      {"b, b′, b″ at (1 − 1e-6) δ, over those at δ/2", "end without a jump",
       fmt::format("{:.1e}", b.at_end), verdict_of(b.at_end < 1e-5)},
      {"b at 1e-12 δ, over that at δ/2", "grows without bound, like log x",
       fmt::format("{:.0f} times", b.at_contact), verdict_of(b.at_contact > 100)},
      {"b for a smaller δ", "Fig. 8: nowhere larger",
       b.smaller_with_delta ? "nowhere larger" : "larger somewhere",
       verdict_of(b.smaller_with_delta)},
      {"jump of s′ at ε, times ε", "C¹", fmt::format("{:.1e}", s.kink), verdict_of(s.kink < 1e-4)},
      {"s − 1 beyond ε", "0", fmt::format("{}", s.at_one), verdict_of(s.at_one == 0)},
      {"∫(1 − s) is ε/3, so s tends to Coulomb's law; deviation over ε", "as ε → 0",
       fmt::format("{:.1e}", s.area), verdict_of(s.area < 1e-6)},
  };
  result.plots = {{"barrier", barrier_plot()}, {"step", step_plot()}};
  result.tables.emplace_back("barrier-values", forces());
  result.remarks = {
      "The functions are those that contact and friction call (contact/barrier.hpp, "
      "contact/friction_law.hpp). The paper plots them without giving its δ and ε."};
  return result;
}

}  // namespace pliant
