// ASCHER Example 2: a stiff decaying scalar u' = λ u beside w' = log u, which is only defined where
// u > 0. In the stiff limit the stages of a method with an explicit first stage go to −1 times the
// start, so that the logarithm of an intermediate value fails although u itself never turns
// negative; backward Euler stays positive. For u' = λ u every stage and step is a number times u,
// the stages' K_i(z) of the Butcher table with z = λ h.
#include <pliant/integrate/dirk_table.hpp>
#include <pliant/reproduce/cases.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kLambda = -1000, kScalarStep = 0.1;

struct Values {
  std::vector<double> stages;  // U_i over the step's start
  double end = 0;              // u₁ over the step's start
};

Values step_of(const DirkTable& table, double z) {
  Values out;
  for (int i = 0; i < table.stages; ++i) {
    double sum = 1;
    for (int j = 0; j < i; ++j) sum += z * table.a(i, j) * out.stages[static_cast<std::size_t>(j)];
    out.stages.push_back(sum / (1 - z * table.a(i, i)));
  }
  out.end = 1;
  for (int i = 0; i < table.stages; ++i)
    out.end += z * table.b[static_cast<std::size_t>(i)] * out.stages[static_cast<std::size_t>(i)];
  return out;
}

// u₂ of BDF2 after a first step that gave u₁: u₂ = (4 u₁ − u₀)/(3 − 2 z).
double bdf2_second(double u1, double z) { return (4 * u1 - 1) / (3 - 2 * z); }

std::string log_of(double smallest) {
  return smallest > 0 ? "log defined" : fmt::format("log fails at {:.4f}", smallest);
}

}  // namespace

CaseResult stiff_scalar(const CaseContext&) {
  const double z = kLambda * kScalarStep;
  CaseResult result;
  TextTable table({"method", "stages over u₀", "u₁/u₀", "log"});
  const auto add = [&](const char* name) {
    const Values values = step_of(*find_dirk_table(name), z);
    std::string stages;
    double smallest = values.end;
    for (const double u : values.stages) {
      stages += fmt::format("{}{:.4f}", stages.empty() ? "" : ", ", u);
      smallest = std::min(smallest, u);
    }
    table.add({name, stages, fmt::format("{:.3e}", values.end), log_of(smallest)});
    return values;
  };
  const Values be = add("be"), trbdf2b = add("trbdf2b"), trbdf2 = add("trbdf2");
  add("sdirk2");
  const double after_be = bdf2_second(be.end, z);
  table.add({"bdf2 after be", fmt::format("{:.4f}", be.end), fmt::format("{:.3e}", after_be),
             log_of(after_be)});
  const double after_sdirk2 = bdf2_second(step_of(*find_dirk_table("sdirk2"), z).end, z);
  table.add({"bdf2 after sdirk2", "", fmt::format("{:.3e}", after_sdirk2), log_of(after_sdirk2)});
  result.tables.emplace_back("stages", table);

  const auto near_minus_one = [](double u) { return u < 0 && std::abs(u + 1) < 0.1; };
  result.figures = {
      {"trapezoidal stage of TR-BDF2 (γ = ½)", "→ −1, log fails",
       fmt::format("{:.4f}", trbdf2b.stages[1]), verdict_of(near_minus_one(trbdf2b.stages[1]))},
      {"trapezoidal stage of SDIRK (γ = 2 − √2)", "→ −1, log fails",
       fmt::format("{:.4f}", trbdf2.stages[1]), verdict_of(near_minus_one(trbdf2.stages[1]))},
      {"backward Euler", "stays positive", fmt::format("{:.3e}", be.end), verdict_of(be.end > 0)},
      {"BDF2 after a step of backward Euler", "stays positive", fmt::format("{:.3e}", after_be),
       verdict_of(after_be > 0)},
  };
  result.remarks = {
      "BDF2 turns negative right after a stiff start, against what the paper says: its second step "
      "is (4 u₁ − u₀)/(3 + 2z), and with u₁ = u₀/(1 + z) that is below zero for z > 3, whoever "
      "computes it. SDIRK2's stages stay small but change sign."};
  return result;
}

}  // namespace pliant
