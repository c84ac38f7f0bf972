// What contact costs: soft balls piled on each other in a pit, from 5 to 80 of them, all with the
// same mesh. For each number of balls, one step in the pile is timed as a whole; then each part of
// contact is timed at the same state and multiplied by how often the step needs it.
//   bench_contact [most balls]   prints a JSON document
#include <pliant/contact/barrier_term.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/integrate/advance.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/stage/contact_detector.hpp>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace pliant;
using nlohmann::ordered_json;

constexpr double kStep = 0.01;          // s
constexpr int kBefore = 5, kTimed = 3;  // steps

// Four balls in a square and one on top of them, as often as asked for, side by side: every number
// of balls has the same contacts per ball.
std::vector<Vec3> heaps(int count) {
  std::vector<Vec3> centres;
  for (int k = 0; k < count; ++k) {
    const Vec3 at(0.6 * (k % 4), 0, 0.6 * (k / 4));
    for (const int i : {-1, 1})
      for (const int j : {-1, 1}) centres.push_back(at + Vec3(0.1012 * i, 0.1025, 0.1012 * j));
    centres.push_back(at + Vec3(0, 0.2468, 0));
  }
  return centres;
}

// Layers of three by three, every other one shifted a little, between four walls.
std::vector<Vec3> pile(int count) {
  std::vector<Vec3> centres;
  for (int k = 0; k < count; ++k) {
    const int layer = k / 9, i = k % 3 - 1, j = k / 3 % 3 - 1;
    const double shift = layer % 2 == 0 ? 0.01 : -0.01;
    centres.push_back(Vec3(0.23 * i + shift, 0.104 + 0.206 * layer, 0.23 * j - 0.5 * shift));
  }
  return centres;
}

BuiltScene make_scene(const std::vector<Vec3>& centres, double size, bool walls) {
  Json document = parse_json(R"json({
    "time": {"dt": 0.01, "duration": 1}, "integrator": "be",
    "materials": {"soft": {"model": "stable-neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}},
    "bodies": [], "contact": {"method": "barrier", "distance": 0.002},
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]})json",
                             "balls.json");
  if (walls)
    for (const int axis : {0, 2})
      for (const int side : {-1, 1}) {
        Vec3 point = Vec3::Zero(), normal = Vec3::Zero();
        point[axis] = 0.36 * side, normal[axis] = -side;
        document["obstacles"].push_back(
            {{"name", fmt::format("wall-{}{}", axis, side > 0 ? "+" : "-")},
             {"plane",
              {{"point", {point[0], point[1], point[2]}},
               {"normal", {normal[0], normal[1], normal[2]}}}}});
      }
  for (std::size_t k = 0; k < centres.size(); ++k)
    document["bodies"].push_back(
        {{"name", fmt::format("ball-{}", k + 1)},
         {"material", "soft"},
         {"mesh", {{"sphere", {{"radius", 0.1}, {"size", size}}}}},
         {"transform", {{"translate", {centres[k][0], centres[k][1], centres[k][2]}}}},
         {"initial", {{"velocity", {0, -1, 0}}}}});
  const Json resolved = resolve(document, built_vocabulary(), "balls.json");
  return build_scene(describe(resolved, {}, "balls.json"), {});
}

// Seconds of one call, the least of three: what other programs take is not counted.
template <class Body>
double time_of(Body&& body) {
  double least = 1e300;
  for (int k = 0; k < 3; ++k) {
    const Timer timer;
    body();
    least = std::min(least, timer.seconds());
  }
  return least;
}

struct Parts {
  double broad = 0, ccd = 0, contacts = 0, force = 0, tangent = 0, pattern = 0;  // s, of one call
  std::size_t active = 0;
  // Once per iteration: the way ahead is searched, a pattern and a tangent are made. The contacts
  // are found and their forces computed at the start of a solve and after every iteration; they are
  // found again for the pattern and for the tangent.
  double of(double iterations) const {
    return iterations * (broad + ccd + pattern + tangent + 2 * contacts) +
           (iterations + 1) * (contacts + force);
  }
};

Parts measure(const System& system, const State& state) {
  const BarrierTerm& term = *system.contact();
  ContactDetector detector(term, system.pattern());
  const Vector dq = kStep * state.v;
  const Configuration plain = at(state);
  Parts out;
  // As if no list lasted longer than one way: the most that looking for pairs can cost.
  out.broad = time_of([&] {
    detector.start_anew();
    detector.look_along(view(state.q), view(dq));
  });
  out.ccd = time_of([&] { detector.safe_step(view(state.q), view(dq)); });
  Configuration c = plain;
  out.contacts = time_of([&] { c.contacts = &detector.contacts(plain); });
  out.active = c.contacts->size();
  Vector f = Vector::Zero(system.dofs());
  out.force = time_of([&] { term.add_force_and_potential(c, view(f)); });
  detector.pattern_for(*c.contacts, nullptr);
  BlockMatrix base(system.pattern()), A(detector.pattern_for(*c.contacts, nullptr));
  out.pattern = time_of([&] { detector.pattern_for(*c.contacts, nullptr); });
  out.tangent = time_of([&] {
    A.set_zero();
    detector.add_base(base, A);
    term.add_tangent(c, {.stiffness = 1, .projection = Projection::psd}, A);
  });
  return out;
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

ordered_json bench(const BuiltScene& scene) {
  const std::size_t balls = scene.model.bodies.size();
  const System& system = *scene.model.system;
  std::size_t triangles = 0;
  for (const Body& body : scene.model.bodies) triangles += body.surface.triangles.size();
  const auto stepper = make_stepper("be", {});
  State state = scene.start;
  const RetryLimits limits;
  for (int k = 0; k < kBefore; ++k)  // until they lie on each other
    if (!advance(*stepper, system, state, kStep, limits, {}).ok)
      return {{"balls", balls}, {"ok", false}};
  double step = 0, contact = 0;
  long iterations = 0;
  Parts parts;
  for (int k = 0; k < kTimed; ++k) {
    const Timer timer;
    const StepReport report = advance(*stepper, system, state, kStep, limits, {});
    step += timer.seconds();
    if (!report.ok) return {{"balls", balls}, {"ok", false}};
    iterations += report.newton;
    parts = measure(system, state);
    contact += parts.of(report.newton);
  }
  const double n = static_cast<double>(iterations);
  return {{"balls", balls},
          {"ok", true},
          {"triangles", triangles},
          {"nodes", system.nodes()},
          {"active_contacts", parts.active},
          {"newton_per_step", n / kTimed},
          {"ms_per_step", 1e3 * step / kTimed},
          {"contact_share", contact / step},
          {"contact_ms_per_iteration", 1e3 * contact / n},
          {"ms",
           {{"broad", 1e3 * parts.broad},
            {"ccd", 1e3 * parts.ccd},
            {"contacts", 1e3 * parts.contacts},
            {"force", 1e3 * parts.force},
            {"pattern", 1e3 * parts.pattern},
            {"tangent", 1e3 * parts.tangent}}},
          {"peak_mib", peak_mib()}};
}

}  // namespace

int main() {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  ordered_json heap_rows = ordered_json::array();
  for (const int count : {1, 2, 4, 8, 16})
    heap_rows.push_back(bench(make_scene(heaps(count), 0.0265, false)));
  const auto growth = [&](const char* what) {  // exponent of the number of balls
    const auto &first = heap_rows.front(), &last = heap_rows.back();
    return std::log(last[what].get<double>() / first[what].get<double>()) / std::log(16);
  };
  ordered_json out = {{"benchmark", "contact"},
                      {"h", kStep},
                      {"heaps", heap_rows},
                      {"growth_of_contact_per_iteration", growth("contact_ms_per_iteration")},
                      {"growth_of_step", growth("ms_per_step")},
                      {"pit", bench(make_scene(pile(30), 0.0213, true))}};
  std::printf("%s\n", out.dump(1).c_str());
}
