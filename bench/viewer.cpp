// What watching costs: a run with a page that stops reading against the same run without one, how
// many frames a second of 50 000 surface triangles reach a page that reads, and how memory grows
// while a page watches.
//   bench_viewer [SECONDS]   prints a JSON document; SECONDS of watching, 20 by default
#include <pliant/view/live_run.hpp>
#include <pliant/view/server.hpp>

#include "view/client.hpp"
#include "view/still_show.hpp"

#include <tbb/global_control.h>

#include <time.h>

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

double cpu_seconds() {  // of the whole process, the server's threads included
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Cost {
  double wall = 0, cpu = 0;  // s
};

// A run of 60 steps; `watched`: by a page that asks for frames and reads nothing.
Cost run_once(bool watched) {
  const SceneSource source = bar({24, 6, 6}, 0.005, 0.3, "be");
  const auto run = std::make_shared<LiveRun>(source, LiveOptions{false, false, false, {}}, Log());
  std::optional<Server> server;
  std::optional<test::Socket> page;
  if (watched) {
    server.emplace(ServerOptions{.port = 0}, run);
    page.emplace(server->port(), "/socket?token=" + server->token());
    page->send({{"type", "field"}, {"name", "stress"}});
    page->send({{"type", "ready"}, {"count", 2}});  // as a page does at the start
  }
  LiveScene scene(source, Log());
  BuiltScene built = scene.build(Log()).scene;
  const double cpu = cpu_seconds();
  const Timer timer;
  if (watched)
    run->run({}, Log());
  else
    run_simulation(scene.scene(), std::move(built), {}, Log());
  return {timer.seconds(), cpu_seconds() - cpu};
}

Json stopped_page() {
  run_once(false);
  std::array<std::vector<double>, 4> times;  // wall without and with, cpu without and with
  constexpr int kRuns = 9;
  for (int k = 0; k < kRuns; ++k)  // in turn, so that both meet the same machine
    for (const bool watched : {false, true}) {
      const Cost cost = run_once(watched);
      times[watched].push_back(cost.wall);
      times[2 + watched].push_back(cost.cpu);
    }
  for (auto& list : times) std::sort(list.begin(), list.end());
  return {{"runs_each", kRuns},
          {"wall_seconds_fastest_without", times[0][0]},
          {"wall_seconds_fastest_with", times[1][0]},
          {"slower_percent_wall_fastest", 100 * (times[1][0] / times[0][0] - 1)},
          {"slower_percent_cpu_fastest", 100 * (times[3][0] / times[2][0] - 1)},
          {"slower_percent_cpu_median", 100 * (times[3][kRuns / 2] / times[2][kRuns / 2] - 1)}};
}

// A surface of 50 000 triangles whose every vertex moves in every frame, with a field, made as soon
// as the page waits for one: what is measured is encoding and the socket, not a simulation.
Json delivered(double seconds) {
  constexpr std::size_t kTriangles = 50000, kVertices = kTriangles / 2 + 2;
  const auto show = std::make_shared<test::StillShow>();
  const Server server({.port = 0}, show);
  test::Socket page(server.port(), "/socket?token=" + server.token());
  std::atomic<bool> stop = false;
  std::thread maker([&] {
    Frame frame = test::frame_at(0, std::vector<float>(3 * kVertices));
    frame.fields[2].resize(kVertices);
    while (!stop) {
      if (show->wishes() == 0) {
        std::this_thread::yield();
        continue;
      }
      frame.time += 1;
      for (float& x : frame.positions) x += 0.001f;
      for (float& x : frame.fields[2]) x += 1;
      show->wish(0);
      show->publish(frame);
    }
  });
  page.send({{"type", "field"}, {"name", "stress"}});
  page.send({{"type", "ready"}, {"count", 2}});
  std::size_t frames = 0, bytes = 0;
  const Timer timer;
  while (timer.seconds() < seconds) {
    bytes += page.read_frame().data.size();
    ++frames;
    page.send({{"type", "ready"}, {"count", 1}});
  }
  const double took = timer.seconds();
  stop = true;
  maker.join();
  return {{"triangles", kTriangles},
          {"seconds", took},
          {"frames_per_second", static_cast<double>(frames) / took},
          {"megabytes_per_second", static_cast<double>(bytes) / took / 1e6}};
}

// A small run that goes on and on, watched all the time.
Json memory(double seconds) {
  std::atomic<bool> stop = false;
  const auto stopped = [&] { return stop ? 2 : 0; };
  const auto run = std::make_shared<LiveRun>(bar({16, 4, 4}, 1e-4, 1e4, "symplectic-euler"),
                                             LiveOptions{false, false, false, stopped}, Log());
  const Server server({.port = 0}, run);
  test::Socket page(server.port(), "/socket?token=" + server.token());
  RunRequest request;
  request.interrupted = stopped;
  std::thread thread([&] { run->run(request, Log()); });
  page.send({{"type", "ready"}, {"count", 2}});
  double early = 0;
  std::size_t frames = 0;
  const Timer timer;
  while (timer.seconds() < seconds) {
    page.read_frame();
    ++frames;
    page.send({{"type", "ready"}, {"count", 1}});
    if (early == 0 && timer.seconds() > 0.2 * seconds) early = resident_mb();
  }
  const double late = resident_mb();
  stop = true;
  thread.join();
  return {{"seconds", seconds},
          {"frames", frames},
          {"resident_mb_after_a_fifth", early},
          {"resident_mb_at_the_end", late}};
}

}  // namespace

int main(int argc, char** argv) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 20;
  const Json out = {{"benchmark", "viewer"},
                    {"page_that_stops_reading", stopped_page()},
                    {"page_that_reads", delivered(0.5 * seconds)},
                    {"memory", memory(seconds)}};
  std::printf("%s\n", out.dump(1).c_str());
}
