// TOURNIER §4.1: a chain of fifty rigid bodies on hinges with limits, all of one mass, is let fall
// and swings. With one linear solve a step, (21), and no geometric stiffness it vibrates.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/rigid_links.hpp>
#include <pliant/reproduce/rod_net.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr double kLimit = 1;  // rad, either way

Swing swing_with(GeometricStiffness geometric, double h, double duration) {
  LinkChain chain{.links = 50, .weight = 1, .joint = JointType::hinge};
  chain.limits = {{-kLimit, kLimit}};
  return swing(chain, one_linear_solve(geometric), h, duration);
}

std::string words(const Swing& swing) {
  if (swing.stable) return fmt::format("stable, gaps of {:.1g} m", swing.gap);
  return fmt::format("{} at {:.2g} s", swing.gain > 1e-3 ? "gains energy" : "joints gape",
                     swing.until);
}

}  // namespace

CaseResult hinge_chain(const CaseContext& context) {
  CaseResult result;
  const double duration = context.full ? 10 : 2;
  TextTable table({"step (s)", "without", "with"});
  std::vector<std::array<Swing, 2>> all;
  for (const double h : {0.02, 0.01, 5e-3, 2e-3, 1e-3}) {
    if (context.stopped()) return result;
    all.push_back({swing_with(GeometricStiffness::off, h, duration),
                   swing_with(GeometricStiffness::exact, h, duration)});
    table.add({fmt::format("{:g}", h), words(all.back()[0]), words(all.back()[1])});
  }
  result.figures.push_back({"without geometric stiffness, steps of 10 ms", "keeps vibrating",
                            words(all[1][0]), verdict_of(!all[1][0].stable)});
  result.figures.push_back({"without geometric stiffness, steps of 1 ms", "keeps vibrating",
                            words(all.back()[0]), verdict_of(!all.back()[0].stable)});
  result.figures.push_back(
      {"with it, steps of 10 ms", "stable", words(all[1][1]), verdict_of(all[1][1].stable)});
  result.tables.emplace_back("swinging", table);
  result.remarks = {
      fmt::format("Fifty links of 0.2 m and 1 kg on hinges with limits at ±{:g} rad, stretched out "
                  "sideways and "
                  "let fall, over {:g} s. Stable: no joint gapes by 2 cm, and the energy never "
                  "rises above that "
                  "of the start.",
                  kLimit, duration)};
  return result;
}

}  // namespace pliant
