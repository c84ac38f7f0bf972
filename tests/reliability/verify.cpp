// Runs combinations of the whole product and writes one line of JSON for each.
//   reliability --list                             the combinations, one per line
//   reliability --run SCENE CONTACT INTEGRATOR H MU JITTER [--steps N] [--seconds S] [--kept
//   FOLDER]
// The longest take hours: every ten seconds they say how far they are, to standard error, and with
// --kept the same command goes on where the last one ended.
#include <reliability/product.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>

namespace pliant::reliability {
namespace {

using Json = nlohmann::ordered_json;

Json described(const Combination& c) {
  return {{"scene", c.scene},
          {"contact", name_of(c.contact)},
          {"integrator", c.integrator},
          {"h", c.h},
          {"mu", c.mu},
          {"jitter", c.jitter}};
}

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json described(const Combination& c, const Outcome& out) {
  Json line = described(c);
  line["outcome"] = out.out_of_time ? "out of time" : out.failure.empty() ? "passed" : "failed";
  line["failure"] = out.failure;
  line["steps"] = out.steps;
  line["retries"] = out.retries;
  line["redone"] = out.redone;
  line["newton_per_step"] = out.steps > 0 ? Json(double(out.newton) / out.steps) : Json();
  line["min_gap"] = finite(out.min_gap);
  line["min_det"] = finite(out.min_det);
  line["energy_gain"] = finite(out.energy_gain);
  line["seconds"] = out.seconds;
  return line;
}

int list() {
  for (const Combination& c : all_combinations()) std::cout << described(c).dump() << "\n";
  return 0;
}

constexpr double kSaidEvery = 10;  // s

auto saying_how_far() {
  return [said = 0.0](int done, int steps, double seconds) mutable {
    if (seconds < said + kSaidEvery) return;
    said = seconds;
    std::cerr << fmt::format("{} of {} steps in {:.0f} s\n", done, steps, seconds);
  };
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 7) {
    std::cerr << "reliability --run SCENE CONTACT INTEGRATOR H MU JITTER [--steps N] [--seconds S] "
                 "[--kept FOLDER]\n";
    return 2;
  }
  const Combination c{words[1],
                      words[3],
                      std::stod(words[4]),
                      std::stod(words[5]),
                      static_cast<unsigned>(std::stoul(words[6])),
                      contact_method(words[2])};
  TrialLimits limits{.progress = saying_how_far()};
  for (std::size_t k = 7; k + 1 < words.size(); k += 2) {
    if (words[k] == "--steps") limits.steps = std::stoi(words[k + 1]);
    if (words[k] == "--seconds") limits.seconds = std::stod(words[k + 1]);
    if (words[k] == "--kept") limits.kept = words[k + 1];
  }
  const std::vector<SceneEntry> scenes = all_scenes();
  const SceneEntry* entry = find_scene(scenes, c.scene);
  if (!entry) {
    std::cerr << "there is no scene \"" << c.scene << "\"\n";
    return 2;
  }
  const Outcome out = run_trial(entry->make(), c, limits);
  std::cout << described(c, out).dump() << "\n";
  return out.failure.empty() ? 0 : 1;
}

}  // namespace
}  // namespace pliant::reliability

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "--list") return pliant::reliability::list();
  if (!words.empty() && words[0] == "--run") return pliant::reliability::run(words);
  std::cerr << "reliability --list | --run …\n";
  return 2;
}
