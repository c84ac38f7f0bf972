// Cloth that hits the limits of its stretch, by the local–global solver: what its walls bear is
// carried from stage to stage.
#include <pliant/element/triangle_frame.hpp>

#include <Eigen/SVD>

#include "integrate/admm_bodies.hpp"

namespace pliant {
namespace {

using test::admm;

// BROWN Fig. 2: a sheet that is let go from level, held at two corners.
class SwingingSheet {
 public:
  SwingingSheet() {
    SolidInput sheet;
    sheet.name = "sheet";
    sheet.mesh = make_sheet({{1, 1}, {kCells, kCells}});
    sheet.materials = {{"strain-limited", {}}};
    sheet.materials[0].constants.young = 5e4;
    sheet.materials[0].constants.poisson = 0.3;
    sheet.materials[0].constants.density = 300;
    sheet.thin = ThinInput{0.001, 1e-6, BendingModel::quadratic};
    std::vector<SolidInput> solids;
    solids.push_back(std::move(sheet));
    model_ = make_model(std::move(solids));
    system().add_term(
        std::make_unique<Gravity>(Vec3(0, -9.81, 0), system().mass(), view(system().rest())));
    Pin held;
    held.nodes = {0, kCells};
    system().add_pin(std::move(held));
    state = system().make_state();
  }
  System& system() { return *model_.system; }

  void run(Stepper& stepper, int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepReport report = stepper.step(system(), state, 0.04);
      ASSERT_TRUE(report.ok) << report.reason;
      widen();
    }
  }
  // How far beyond the limits stretches went, at most.
  double beyond() const { return std::max(most_ / 1.05, 0.95 / least_) - 1; }

  State state;

 private:
  static constexpr Index kCells = 12;
  void widen() {
    const Body& body = model_.bodies[0];
    for (const auto& triangle : body.surface.triangles) {
      std::array<Vec3, 3> X;
      Mat32 F = Mat32::Zero();
      for (std::size_t a = 0; a < 3; ++a)
        X[a] = body.mesh.points[static_cast<std::size_t>(triangle[a])];
      const TriangleFrame frame = make_triangle_frame(X[0], X[1], X[2], Vec3::UnitX());
      for (int a = 0; a < 3; ++a)
        F += node(view(state.q), triangle[static_cast<std::size_t>(a)]) *
             frame.gradients.col(a).transpose();
      const Eigen::Vector2d s = Eigen::JacobiSVD<Mat32>(F).singularValues();
      least_ = std::min(least_, s[1]);
      most_ = std::max(most_, s[0]);
    }
  }
  Model model_;
  double least_ = 1, most_ = 1;
};

SolverOptions iterations(int count) {
  SolverOptions options = admm();
  options.admm.iterations = count;
  return options;
}

TEST(AdmmWalls, HoldTheLimitsOfStretchWithinOnePercent) {
  for (const int count : {20, 40, 80}) {
    SwingingSheet sheet;
    const auto stepper = make_stepper("trbdf2", iterations(count));
    sheet.run(*stepper, 40);
    EXPECT_LT(sheet.beyond(), 0.01) << count;
    EXPECT_GT(sheet.beyond(), 0) << count;  // the limit was reached
  }
}

// The sheet falls as it does by Newton's method; its wrinkles are its own.
TEST(AdmmWalls, LetTheSheetFallAsItDoesByNewtonsMethod) {
  SwingingSheet by_admm, by_newton;
  const auto local = make_stepper("trbdf2", iterations(40)), whole = make_stepper("trbdf2", {});
  const auto height = [](SwingingSheet& sheet) {
    Vector Mq(sheet.state.q.size());
    sheet.system().mass().multiply(view(sheet.state.q), view(Mq));
    double sum = 0, mass = 0;
    for (Index n = 0; n < sheet.system().nodes(); ++n) sum += Mq[3 * n + 1];
    Vector ones = Vector::Ones(Mq.size());
    sheet.system().mass().multiply(view(ones), view(Mq));
    for (Index n = 0; n < sheet.system().nodes(); ++n) mass += Mq[3 * n + 1];
    return sum / mass;
  };
  for (int k = 0; k < 5; ++k) {
    by_admm.run(*local, 3);
    by_newton.run(*whole, 3);
    EXPECT_NEAR(height(by_admm), height(by_newton), 0.01) << by_admm.state.t;
  }
  EXPECT_LT(height(by_admm), -0.3);
}

TEST(AdmmWalls, GoOnFromMemoryWithTheSameBits) {
  SwingingSheet sheet;
  const auto first = make_stepper("trbdf2", iterations(20));
  sheet.run(*first, 15);
  EXPECT_GT(sheet.beyond(), 0);
  const auto second = make_stepper("trbdf2", iterations(20));
  second->restore(first->memory());
  const State middle = sheet.state;
  sheet.run(*first, 10);
  const State end = sheet.state;
  sheet.state = middle;
  sheet.run(*second, 10);
  EXPECT_TRUE(sheet.state.q == end.q);
  EXPECT_TRUE(sheet.state.v == end.v);
}

}  // namespace
}  // namespace pliant
