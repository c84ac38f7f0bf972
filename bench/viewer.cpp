// What watching costs: a run with a page that stops reading against the same run without one, how
// many frames a second of 50 000 surface triangles reach a page that reads, and how memory grows
// meanwhile.
//   bench_viewer [SECONDS]   prints a JSON document; SECONDS of watching, 20 by default
#include <pliant/view/live_run.hpp>
#include <pliant/view/server.hpp>

#include "view/client.hpp"

#include <tbb/global_control.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

namespace {

using namespace pliant;

// A hex bar: 2 (a b + b c + c a) quadrilaterals, twice as many triangles.
SceneSource bar(std::array<int, 3> cells, double dt, double duration, const char* integrator) {
  Json document = {
      {"name", "bar"},
      {"time", {{"dt", dt}, {"duration", duration}}},
      {"integrator", integrator},
      {"materials", {{"m", {{"model", "stable-neo-hookean"}, {"young", 1e6}}}}},
      {"bodies",
       {{{"name", "bar"},
         {"mesh", {{"box", {{"size", {4, 1, 1}}, {"cells", cells}, {"element", "hex8"}}}}},
         {"material", "m"},
         {"pin", {{{"box", {{"min", {-3, -2, -2}}, {"max", {-1.999, 2, 2}}}}}}}}}}};
  return {document, "bar.json", {}};
}

double resident_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

// Seconds of a run; `watched`: by a page that asks for frames and reads nothing.
double run_seconds(bool watched) {
  const auto run = std::make_shared<LiveRun>(bar({32, 8, 8}, 0.005, 0.5, "be"),
                                             LiveOptions{false, false, false, {}}, Log());
  if (!watched) {
    LiveScene scene(bar({32, 8, 8}, 0.005, 0.5, "be"), Log());
    BuiltScene built = scene.build(Log()).scene;
    const Timer timer;
    run_simulation(scene.scene(), std::move(built), {}, Log());
    return timer.seconds();
  }
  const Server server({.port = 0}, run);
  test::Socket page(server.port(), "/socket?token=" + server.token());
  page.send({{"type", "field"}, {"name", "stress"}});
  page.send({{"type", "ready"}, {"count", 8}});
  const Timer timer;
  run->run({}, Log());
  return timer.seconds();
}

Json stopped_page() {
  run_seconds(false);
  std::vector<double> without, with;
  for (int k = 0; k < 5; ++k) {  // in turn, so that both meet the same machine
    without.push_back(run_seconds(false));
    with.push_back(run_seconds(true));
  }
  std::sort(without.begin(), without.end());
  std::sort(with.begin(), with.end());
  return {{"runs_each", 5},
          {"seconds_without_fastest", without[0]},
          {"seconds_with_fastest", with[0]},
          {"slower_percent_fastest", 100 * (with[0] / without[0] - 1)},
          {"slower_percent_median", 100 * (with[2] / without[2] - 1)}};
}

// A surface that moves as a whole, stepped explicitly, so that steps are quick; every vertex of
// every frame is new.
Json delivered(double seconds) {
  std::atomic<bool> stop = false;
  const auto run = std::make_shared<LiveRun>(
      bar({196, 50, 4}, 1e-4, 1e4, "symplectic-euler"),
      LiveOptions{false, false, false, [&] { return stop ? 2 : 0; }}, Log());
  const Server server({.port = 0}, run);
  test::Socket page(server.port(), "/socket?token=" + server.token());
  const Json hello = page.read_text("hello").json();
  RunRequest request;
  request.interrupted = [&] { return stop ? 2 : 0; };
  std::thread thread([&] { run->run(request, Log()); });
  page.send({{"type", "ready"}, {"count", 2}});
  std::size_t frames = 0, bytes = 0;
  double early = 0;
  Timer timer;
  while (timer.seconds() < seconds) {
    const test::Message frame = page.read_frame();
    ++frames;
    bytes += frame.data.size();
    page.send({{"type", "ready"}, {"count", 1}});
    if (early == 0 && timer.seconds() > 0.2 * seconds) early = resident_mb();
  }
  const double took = timer.seconds(), late = resident_mb();
  stop = true;
  thread.join();
  return {{"triangles", hello.at("runs").at(0).at("bodies").at(0).at("triangles")},
          {"seconds", took},
          {"frames_per_second", static_cast<double>(frames) / took},
          {"megabytes_per_second", static_cast<double>(bytes) / took / 1e6},
          {"resident_mb_after_a_fifth", early},
          {"resident_mb_at_the_end", late}};
}

}  // namespace

int main(int argc, char** argv) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 20;
  const Json out = {{"benchmark", "viewer"},
                    {"page_that_stops_reading", stopped_page()},
                    {"page_that_reads", delivered(seconds)}};
  std::printf("%s\n", out.dump(1).c_str());
}
