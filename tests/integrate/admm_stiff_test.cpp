// Stiff bodies by the local–global solver: what says it has converged has, measured by Newton's
// method, from 1e5 to 1e9 Pa; and what turns, turns.
#include <pliant/stage/contact_rules.hpp>

#include "integrate/admm_bodies.hpp"

#include <cmath>

namespace pliant {
namespace {

constexpr double kPull = 9.81, kStepOfBars = 0.01;  // m/s², s

SolidInput slender(double young, double turned = 0) {
  SolidInput solid;
  solid.name = "bar";
  solid.mesh = make_box({Vec3(1, 0.04, 0.1), {16, 1, 2}, ElementType::hex8});
  const Mat3 R = Eigen::AngleAxisd(turned, Vec3::UnitZ()).toRotationMatrix();
  for (Vec3& x : solid.mesh.points) x = R * x;
  solid.materials = {{"stable-neo-hookean", {}}};
  solid.materials[0].constants.young = young;
  solid.materials[0].constants.poisson = 0.3;
  solid.materials[0].constants.density = 700;
  return solid;
}

void make_heavy(Model& model) {
  System& system = *model.system;
  system.add_term(
      std::make_unique<Gravity>(Vec3(0, -kPull, 0), system.mass(), view(system.rest())));
}

// Let go where it is level, held along its left lower edge.
Model make_swinging(double young) {
  SolidInput solid = slender(young);
  Pin edge;
  for (Index n = 0; n < solid.mesh.point_count(); ++n) {
    const Vec3& x = solid.mesh.points[static_cast<std::size_t>(n)];
    if (x.x() < -0.499 && x.y() < 0) edge.nodes.push_back(n);
  }
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  Model model = make_model(std::move(solids));
  make_heavy(model);
  model.system->add_pin(std::move(edge));
  return model;
}

double norm_of(const System& system, const Vector& v) {
  Vector Mv(v.size());
  system.mass().multiply(view(v), view(Mv));
  return std::sqrt(v.dot(Mv));
}

struct Compared {
  int steps = 0, unconverged = 0, failed = 0;
  double worst_converged = 0, worst_accepted = 0;  // of what a step did to velocities
};

// Each step by admm from where Newton's method is, held against Newton's own.
Compared compare(const Model& model, const SolverOptions& options, int steps) {
  const System& system = *model.system;
  SolverOptions exact;
  exact.tolerance = 1e-11;
  const auto newton = make_stepper("be", exact), admm = make_stepper("be", options);
  State state = system.make_state();
  Compared told;
  for (int k = 0; k < steps; ++k) {
    State other = state;
    const Vector v = state.v;
    EXPECT_TRUE(newton->step(system, state, kStepOfBars).ok);
    const StepReport report = admm->step(system, other, kStepOfBars);
    ++told.steps;
    if (!report.ok) {
      EXPECT_NE(report.reason.find("did not converge"), std::string::npos) << report.reason;
      ++told.failed;
      continue;
    }
    const double error = norm_of(system, other.v - state.v),
                 done = std::max(norm_of(system, state.v - v),
                                 kPull * kStepOfBars * std::sqrt(model.bodies[0].mass));
    double& worst = report.unconverged ? told.worst_accepted : told.worst_converged;
    worst = std::max(worst, error / done);
    told.unconverged += report.unconverged;
  }
  return told;
}

SolverOptions of(double tolerance, int iterations, int anderson) {
  SolverOptions options = test::admm(tolerance);
  options.admm.iterations = iterations;
  options.admm.anderson = anderson;
  return options;
}

// Swinging bars are as stiff as they get: to the matrix of the global step turning is a strain.
TEST(AdmmOfStiffBodies, IsConvergedWhereItSaysSo) {
  for (const double young : {1e5, 1e6, 1e7, 1e8, 1e9})
    for (const int anderson : {0, 6}) {
      const Compared told = compare(make_swinging(young), of(1e-6, 0, anderson), 6);
      EXPECT_LT(told.failed, told.steps) << young << " " << anderson;
      EXPECT_EQ(told.unconverged, 0);
      EXPECT_LT(told.worst_converged, 1e-4) << young << " " << anderson;
    }
}

TEST(AdmmOfStiffBodies, IsNearEnoughWhereItEndsBeforeThat) {
  for (const double young : {1e5, 1e6, 1e7, 1e8, 1e9}) {
    const Compared told = compare(make_swinging(young), of(1e-9, 20, 0), 12);
    EXPECT_GT(told.unconverged, 0) << young;
    EXPECT_LT(told.failed, told.steps) << young;
    EXPECT_LT(told.worst_accepted, 0.3) << young;
  }
}

}  // namespace
}  // namespace pliant
