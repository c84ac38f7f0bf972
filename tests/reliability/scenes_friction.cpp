// Friction against what Coulomb's law says: blocks on slopes and blocks that slide to a stop, an
// arch and a house of cards that stand by friction alone. Gravity is tilted, not the plane.
#include <reliability/scenes.hpp>
#include <reliability/world.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant::reliability {
namespace {

constexpr double kSide = 0.5;

Piece stiff_block() {
  return {.mesh = moved(make_cube(kSide, 2, ElementType::hex8), Vec3(0, 0.5 * kSide + 5e-4, 0)),
          .young = 1e9};
}

double travelled(const Journey& j) {
  return j.world.center(j.end, 0).x() - j.world.center(j.start, 0).x();
}

std::string is_near(const char* what, double got, double wanted, double tolerance) {
  return std::abs(got - wanted) <= tolerance
             ? std::string()
             : fmt::format("{} {:.5g} m, not {:.5g}", what, got, wanted);
}

// Settled with friction that holds it for certain, then left to the one given.
SceneSpec on_slope(double tangent, double mu, double duration) {
  const double c = 1 / std::sqrt(1 + tangent * tangent);
  SceneSpec spec{.pieces = {stiff_block()},
                 .walls = {make_floor()},
                 .gravity = kGravity * c * Vec3(tangent, -1, 0),
                 .steps = {0.01},
                 .duration = duration,
                 .quick_steps = 0,
                 .frictions = {mu}};
  spec.settle_with = std::max(mu, 1.01 * tangent);
  return spec;
}

SceneSpec slope_of(double degrees, double mu) {
  const double angle = degrees * std::numbers::pi / 180;
  SceneSpec spec = on_slope(std::tan(angle), mu, 0.4);
  const double a = kGravity * (std::sin(angle) - mu * std::cos(angle));
  spec.at_end = [a](const Journey& j) {
    const double t = j.end.t, way = 0.5 * a * t * t;
    // The first order methods are late or early by half a step.
    return a > 0 ? is_near("it slid", travelled(j), way, 0.02 * way + a * t * j.h)
                 : is_near("it slid", travelled(j), 0, 1e-5);
  };
  return spec;
}

SceneSpec slope_half_sticks() {
  SceneSpec spec = on_slope(0.5, 0.505, 2.5);
  spec.quick_steps = 50;
  spec.at_end = [](const Journey& j) { return is_near("it crept", travelled(j), 0, 1e-5); };
  return spec;
}

SceneSpec slope_half_slides() {
  SceneSpec spec = on_slope(0.5, 0.49, 2.5);
  spec.quick_steps = 50;
  // Backward Euler is ahead by a part h/t of the way.
  spec.at_end = [](const Journey& j) {
    return is_near("it slid", travelled(j), 0.274, 0.02 * 0.274 + 0.0877 * j.end.t * j.h);
  };
  return spec;
}

// For a minute at 0.99 of the critical angle; at 1.01 it goes.
SceneSpec incline_holds() {
  SceneSpec spec = on_slope(0.99 * 0.5, 0.5, 60);
  spec.is_quick = false;
  spec.at_end = [](const Journey& j) { return is_near("it crept", travelled(j), 0, 1e-5); };
  return spec;
}

SceneSpec incline_slides() {
  SceneSpec spec = on_slope(1.01 * 0.5, 0.5, 1);
  spec.at_end = [](const Journey& j) {
    return travelled(j) > 0.01 ? std::string() : fmt::format("it slid {:.3g} m", travelled(j));
  };
  return spec;
}

SceneSpec stopping(double mu) {
  const double way = 4 / (2 * mu * kGravity);
  SceneSpec spec = on_slope(0, mu, 2 / (mu * kGravity) + 0.1);
  spec.pieces[0].velocity = Vec3(2, 0, 0);
  spec.steps = {0.005};
  spec.quick_steps = 40;
  spec.at_end = [way](const Journey& j) {
    return is_near("it went", travelled(j), way, 0.01 * way + 2 * 0.5 * j.h);
  };
  return spec;
}

// A half circle of stones on a plane, thick enough to hold its line of thrust.
SceneSpec arch(double mu, bool stands) {
  const int stones = 25;
  const double inner = 1.7, outer = 2.3, depth = 0.3, gap = 9e-4;
  SceneSpec spec{.walls = {make_floor(-gap)},
                 .steps = {0.01},
                 .duration = stands ? 20.0 : 1.0,
                 .quick_steps = stands ? 10 : 2,
                 .frictions = {mu}};
  for (int k = 0; k < stones; ++k) {
    const double a = std::numbers::pi * k / stones + 0.5 * gap / outer * (k > 0);
    const double b = std::numbers::pi * (k + 1) / stones - 0.5 * gap / outer * (k + 1 < stones);
    const auto at = [&](double angle, double r, double z) {
      return Vec3(r * std::cos(angle), r * std::sin(angle), z);
    };
    spec.pieces.push_back(
        {.mesh = make_stone({at(a, inner, -depth), at(a, outer, -depth), at(b, outer, -depth),
                             at(b, inner, -depth), at(a, inner, depth), at(a, outer, depth),
                             at(b, outer, depth), at(b, inner, depth)}),
         .young = 2e10,
         .poisson = 0.2,
         .density = 2300});
  }
  spec.distance = 1e-3;
  spec.jitter = 1e-6;
  // Stones of 2e10 Pa whose gaps are just within the barrier's distance push each other: methods
  // that lose no energy would throw the keystone up by six centimetres.
  spec.settle_with = 0.5;
  spec.at_end = [stands](const Journey& j) -> std::string {
    const double sunk = j.world.center(j.start, 12).y() - j.world.center(j.end, 12).y();
    if (stands && sunk > 0.02) return fmt::format("the keystone sank by {:.3g} m", sunk);
    if (!stands && sunk < 0.2) return fmt::format("the keystone sank by only {:.3g} m", sunk);
    return {};
  };
  return spec;
}

Piece card(const Vec3& place, double angle) {
  return {.mesh = moved(turned(make_box({Vec3(1, 0.02, 0.6), {4, 1, 2}, ElementType::hex8}),
                               Vec3::UnitZ(), angle),
                        place),
          .young = 1e8,
          .density = 500,
          .alpha = 1,
          .beta = 1e-3};
}

// Two pairs of leaning cards and one across, hit by a block after it has stood for a second.
SceneSpec card_house() {
  const double lean = 70 * std::numbers::pi / 180, gap = 1e-3;
  const double reach = 0.5 * std::cos(lean) + 0.01 * std::sin(lean);  // from middle to outer corner
  const double rise = 0.5 * std::sin(lean) + 0.01 * std::cos(lean);
  SceneSpec spec{.walls = {make_floor()},
                 .steps = {0.01},
                 .duration = 1.6,
                 .quick_steps = 5,
                 .frictions = {0.7}};
  for (const double x : {-0.4, 0.4}) {
    spec.pieces.push_back(card(Vec3(x - reach - gap / 2, rise + gap, 0), lean));
    spec.pieces.push_back(card(Vec3(x + reach + gap / 2, rise + gap, 0), -lean));
  }
  spec.pieces.push_back(card(Vec3(0, 2 * rise + 2 * gap + 0.01, 0), 0));
  Piece hammer{.mesh = moved(make_cube(0.3, 1), Vec3(-6.2, 0.6, 0.01)),
               .velocity = Vec3(5, 4.9, 0)};
  spec.pieces.push_back(hammer);
  spec.distance = 1e-3;
  spec.during = [](const Journey& j) -> std::string {
    const double sunk = j.world.center(j.start, 4).y() - j.world.center(j.end, 4).y();
    return j.end.t > 0.9 || sunk < 0.02 ? std::string()
                                        : fmt::format("the house fell by {:.3g} m", sunk);
  };
  return spec;
}

}  // namespace

std::vector<SceneEntry> friction_scenes() {
  std::vector<SceneEntry> list = {{"slope-half-sticks", slope_half_sticks},
                                  {"slope-half-slides", slope_half_slides},
                                  {"incline-holds", incline_holds},
                                  {"incline-slides", incline_slides},
                                  {"arch-stands", [] { return arch(0.5, true); }},
                                  {"arch-falls", [] { return arch(0.2, false); }},
                                  {"card-house", card_house}};
  for (const double mu : {0.2, 0.4, 0.7})
    list.push_back({fmt::format("stopping-{}", mu), [mu] { return stopping(mu); }});
  for (const double mu : {0.1, 0.3, 0.5, 0.7, 1.0})
    for (const double angle : {3., 10., 20., 30., 40.})
      list.push_back(
          {fmt::format("slope-{}-{}", angle, mu), [mu, angle] { return slope_of(angle, mu); }});
  return list;
}

}  // namespace pliant::reliability
