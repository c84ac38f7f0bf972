// The Rosenbrock tables, to the last bit of double precision. Facts about them are in the
// documentation.
#include <pliant/integrate/rosenbrock_table.hpp>

#include <array>

namespace pliant {
namespace {

constexpr double alpha_ros2[] = {0, 0, 1, 0};
constexpr double Gamma_ros2[] = {0.2928932188134525, 0, -0.585786437626905, 0.2928932188134525};
constexpr double b_ros2[] = {0.5, 0.5};
constexpr double e_ros2[] = {1, 0};

constexpr double alpha_ros3pl[] = {0, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0};
constexpr double Gamma_ros3pl[] = {0.435866521508459,
                                   0,
                                   0,
                                   0,
                                   -0.5,
                                   0.435866521508459,
                                   0,
                                   0,
                                   -0.8509740048606099,
                                   0.526135655864656,
                                   0.435866521508459,
                                   0,
                                   -0.3333333333333333,
                                   0.16666666666666666,
                                   -0.2691998548417923,
                                   0.435866521508459};
constexpr double b_ros3pl[] = {0.16666666666666666, 0.6666666666666666, -0.2691998548417923,
                               0.435866521508459};
constexpr double e_ros3pl[] = {0.5, 0.35206357511123665, -0.174031608728707, 0.32196803361747034};

constexpr double alpha_ros3prl2[] = {0,   0,   0, 0, 1.307599564525377, 0, 0, 0, 0.5, 0.5, 0, 0,
                                     0.5, 0.5, 0, 0};
constexpr double Gamma_ros3prl2[] = {0.435866521508459,
                                     0,
                                     0,
                                     0,
                                     -1.307599564525377,
                                     0.435866521508459,
                                     0,
                                     0,
                                     -0.7098857586097217,
                                     -0.5599673596027777,
                                     0.435866521508459,
                                     0,
                                     -0.15550856807552083,
                                     -0.9538851657511223,
                                     0.6735272123181841,
                                     0.435866521508459};
constexpr double b_ros3prl2[] = {0.3444914319244792, -0.4538851657511223, 0.6735272123181841,
                                 0.435866521508459};
constexpr double e_ros3prl2[] = {0.5, -0.2573881208652208, 0.43542008724775044,
                                 0.32196803361747034};

constexpr double alpha_ros34pw2[] = {
    0, 0, 0, 0, 0.871733043016918, 0, 0, 0, 0.8445706001536942, -0.11299064236484185, 0, 0,
    0, 0, 1, 0};
constexpr double Gamma_ros34pw2[] = {0.435866521508459,
                                     0,
                                     0,
                                     0,
                                     -0.871733043016918,
                                     0.435866521508459,
                                     0,
                                     0,
                                     -0.9033805701304408,
                                     0.054180672388095326,
                                     0.435866521508459,
                                     0,
                                     0.24212380706095346,
                                     -1.2232505839045147,
                                     0.5452602553351021,
                                     0.435866521508459};
constexpr double b_ros34pw2[] = {0.24212380706095346, -1.2232505839045147, 1.545260255335102,
                                 0.435866521508459};
constexpr double e_ros34pw2[] = {0.3781090314581937, -0.09604229221242318, 0.5, 0.2179332607542295};

constexpr double alpha_ros34prw[] = {0,
                                     0,
                                     0,
                                     0,
                                     0.871733043016918,
                                     0,
                                     0,
                                     0,
                                     1.4722022879435914,
                                     -0.3184025056809029,
                                     0,
                                     0,
                                     0.8150519201669494,
                                     0.5,
                                     -0.3150519201669494,
                                     0};
constexpr double Gamma_ros34prw[] = {0.435866521508459,
                                     0,
                                     0,
                                     0,
                                     -0.871733043016918,
                                     0.435866521508459,
                                     0,
                                     0,
                                     -1.2855347382089872,
                                     0.5050700554155069,
                                     0.435866521508459,
                                     0,
                                     -0.4820144918286435,
                                     0.2179332607542295,
                                     -0.17178529043404503,
                                     0.435866521508459};
constexpr double b_ros34prw[] = {0.3330374283383059, 0.7179332607542295, -0.4868372106009944,
                                 0.435866521508459};
constexpr double e_ros34prw[] = {0.25, 0.7427611960831918, -0.3147292297006622,
                                 0.32196803361747034};

constexpr std::array<RosenbrockTable, 5> kRosenbrockTables = {{
    {"ros3pl", "four stages, order 3, order 2 with any matrix", "Lang and Teleaga 2008; LOESCHNER",
     3, 4, 2, alpha_ros3pl, Gamma_ros3pl, b_ros3pl, e_ros3pl, 2},
    {"ros3prl2", "four stages, order 3, order 1 with an inexact matrix", "Rang 2015; LOESCHNER", 3,
     4, 1, alpha_ros3prl2, Gamma_ros3prl2, b_ros3prl2, e_ros3prl2, 2},
    {"ros2", "two stages, order 2 with any matrix", "Verwer et al. 1999, γ = 1 − 1/√2", 2, 2, 2,
     alpha_ros2, Gamma_ros2, b_ros2, e_ros2, 1},
    {"ros34pw2", "four stages, order 3 with any matrix", "Rang and Angermann 2005", 3, 4, 3,
     alpha_ros34pw2, Gamma_ros34pw2, b_ros34pw2, e_ros34pw2, 2},
    {"ros34prw", "four stages, order 3 with any matrix", "Rang 2015", 3, 4, 3, alpha_ros34prw,
     Gamma_ros34prw, b_ros34prw, e_ros34prw, 2},
}};

// Every table satisfies its order conditions, or this file does not compile.
constexpr bool all_rosenbrock_orders_hold() {
  for (const RosenbrockTable& t : kRosenbrockTables) {
    if (order_violation(t, t.b, t.order) > 2e-13) return false;
    if (order_violation(t, t.b_hat, t.embedded_order) > 2e-13) return false;
    if (w_violation(t, t.w_order) > 2e-13) return false;
  }
  return true;
}
static_assert(all_rosenbrock_orders_hold());

}  // namespace

std::span<const RosenbrockTable> rosenbrock_tables() { return kRosenbrockTables; }

}  // namespace pliant
