#include <reliability/product.hpp>

#include <reliability/plans.hpp>

#include <algorithm>
#include <stdexcept>

namespace pliant::reliability {
namespace {

constexpr std::array<const char*, 5> kIntegrators = {"be", "bdf2", "sdirk2", "trbdf2", "esdirk43"};
constexpr double kLongStep = 0.04;  // s
constexpr unsigned kJitters = 3, kJittersBeside = 2;

std::vector<double> steps_of(const SceneSpec& spec) {
  std::vector<double> steps = spec.steps;
  if (std::find(steps.begin(), steps.end(), kLongStep) == steps.end()) steps.push_back(kLongStep);
  return steps;
}

std::vector<double> steps_beside(const SceneSpec& spec) {
  if (spec.steps[0] == kLongStep) return {kLongStep};
  return {spec.steps[0], kLongStep};
}

SceneSpec spec_of(const std::vector<SceneEntry>& scenes, const std::string& name) {
  const SceneEntry* entry = find_scene(scenes, name);
  if (!entry) throw std::logic_error("a plan names \"" + name + "\", which is no scene");
  return entry->make();
}

std::vector<std::string> accepted(const SceneSpec& spec, const Plan& plan) {
  std::vector<std::string> names = plan.integrators;
  std::erase_if(
      names, [&](const std::string& name) { return !refusal_of(spec, plan.method, name).empty(); });
  return names;
}

void add_planned(const Plan& plan, const std::vector<SceneEntry>& scenes,
                 std::vector<Combination>& all) {
  for (const std::string& name : plan.scenes) {
    const SceneSpec spec = spec_of(scenes, name);
    const std::vector<std::string> integrators = accepted(spec, plan);
    for (const double h : steps_beside(spec))
      for (const double mu : spec.frictions)
        for (const std::string& integrator : integrators)
          for (unsigned jitter = 0; jitter < kJittersBeside; ++jitter)
            all.push_back({name, integrator, h, mu, jitter, plan.method});
  }
}

template <class List>
auto pick(const List& list, std::size_t turn) {
  return list[turn % list.size()];
}

void add_quick_planned(const Plan& plan, const std::vector<SceneEntry>& scenes,
                       std::vector<Combination>& quick) {
  std::size_t turn = 0;
  for (const std::string& name : plan.scenes) {
    const SceneSpec spec = spec_of(scenes, name);
    const bool is_quick =
        std::find(plan.not_quick.begin(), plan.not_quick.end(), name) == plan.not_quick.end();
    if (const auto integrators = accepted(spec, plan); is_quick && !integrators.empty())
      quick.push_back({name, pick(integrators, turn), spec.steps[0], pick(spec.frictions, turn / 2),
                       static_cast<unsigned>(turn % kJittersBeside), plan.method});
    ++turn;
  }
}

}  // namespace

std::vector<Combination> all_combinations() {
  std::vector<Combination> all;
  const std::vector<SceneEntry> scenes = all_scenes();
  for (const SceneEntry& entry : scenes) {
    const SceneSpec spec = entry.make();
    for (const double h : steps_of(spec))
      for (const double mu : spec.frictions)
        for (const char* integrator : kIntegrators)
          for (unsigned jitter = 0; jitter < kJitters; ++jitter)
            all.push_back({entry.name, integrator, h, mu, jitter});
  }
  for (const Plan& plan : plans_beside_barrier()) add_planned(plan, scenes, all);
  return all;
}

std::vector<Combination> quick_combinations() {
  std::vector<Combination> quick;
  const std::vector<SceneEntry> scenes = all_scenes();
  std::size_t turn = 0;
  for (const SceneEntry& entry : scenes) {
    const SceneSpec spec = entry.make();
    const std::string integrator =
        spec.quick_integrator.empty() ? pick(kIntegrators, turn) : spec.quick_integrator;
    if (spec.is_quick)
      quick.push_back({entry.name, integrator, spec.steps[0], pick(spec.frictions, turn / 2),
                       static_cast<unsigned>(turn % kJitters)});
    ++turn;
  }
  for (const Plan& plan : plans_beside_barrier()) add_quick_planned(plan, scenes, quick);
  return quick;
}

}  // namespace pliant::reliability
