// Steps of a scene by the library alone, with nothing recorded: what stepping from Python is
// compared with (bench/python_steps.py), and what it must agree with to the last bit.
//   bench_steps SCENE STEPS THREADS   prints a JSON document
#include <pliant/run/loaded_scene.hpp>
#include <pliant/run/pace.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

int main(int argc, char** argv) {
  using namespace pliant;
  if (argc != 4) {
    std::fputs("usage: bench_steps SCENE STEPS THREADS\n", stderr);
    return 2;
  }
  const std::filesystem::path path(argv[1]);
  const int threads = std::atoi(argv[3]);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] {
    const LoadedScene loaded = read_scene(load_json(path), {path.string(), path.parent_path()});
    const BuiltScene built = build_scene(loaded.scene, Log());
    Pace pace(loaded.scene, {}, built.rules);
    State state = built.start;
    std::vector<double> seconds;
    for (std::int64_t step = 0; step < std::atoi(argv[2]); ++step) {
      const std::clock_t begin =
          std::clock();  // of all threads: others on the machine do not count
      const StepReport report = pace.advance(*built.model.system, state, step, Log());
      if (!report.ok) throw std::runtime_error("a step failed: " + report.reason);
      seconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    const nlohmann::ordered_json out = {{"hash", state_hash(view(state.q), view(state.v))},
                                        {"seconds", seconds}};
    std::printf("%s\n", out.dump().c_str());
  });
}
