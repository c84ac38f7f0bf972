#include <reliability/product.hpp>

#include <algorithm>

namespace pliant::reliability {
namespace {

constexpr std::array<const char*, 5> kIntegrators = {"be", "bdf2", "sdirk2", "trbdf2", "esdirk43"};
constexpr double kLongStep = 0.04;  // s
constexpr unsigned kJitters = 3;

std::vector<double> steps_of(const SceneSpec& spec) {
  std::vector<double> steps = spec.steps;
  if (std::find(steps.begin(), steps.end(), kLongStep) == steps.end()) steps.push_back(kLongStep);
  return steps;
}

}  // namespace

std::vector<Combination> all_combinations() {
  std::vector<Combination> all;
  for (const SceneEntry& entry : all_scenes()) {
    const SceneSpec spec = entry.make();
    for (const double h : steps_of(spec))
      for (const double mu : spec.frictions)
        for (const char* integrator : kIntegrators)
          for (unsigned jitter = 0; jitter < kJitters; ++jitter)
            all.push_back({entry.name, integrator, h, mu, jitter});
  }
  return all;
}

std::vector<Combination> quick_combinations() {
  std::vector<Combination> quick;
  const auto pick = [](const auto& list, std::size_t turn) { return list[turn % list.size()]; };
  std::size_t turn = 0;
  for (const SceneEntry& entry : all_scenes()) {
    const SceneSpec spec = entry.make();
    const std::string integrator =
        spec.quick_integrator.empty() ? pick(kIntegrators, turn) : spec.quick_integrator;
    if (spec.is_quick)
      quick.push_back({entry.name, integrator, spec.steps[0], pick(spec.frictions, turn / 2),
                       static_cast<unsigned>(turn % kJitters)});
    ++turn;
  }
  return quick;
}

}  // namespace pliant::reliability
