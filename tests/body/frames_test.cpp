// Bodies on frames: nodes follow affine maps exactly, and mass and stiffness are those of the mesh
// seen through the frames.
#include <pliant/body/solid.hpp>
#include <pliant/core/error.hpp>

#include "support/beams.hpp"

#include <gmock/gmock.h>

namespace pliant {
namespace {

SolidInput bar_on(std::vector<Vec3> places) {
  SolidInput solid;
  solid.name = "bar";
  solid.mesh = make_box({.size = Vec3(2, 1, 1), .cells = {6, 3, 3}});
  solid.materials = {{"stvk", {}}};
  solid.frames = FramesInput{.places = std::move(places), .size = 2};
  return solid;
}
Model model_of(SolidInput solid) {
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  return make_model(std::move(solids));
}
const std::vector<Vec3> kSix = {{-1, 0, 0},    {-0.5, 0.2, 0}, {0, 0, 0},
                                {0.4, 0, 0.3}, {0.8, -0.2, 0}, {1, 0, 0}};

TEST(Frames, CarryEveryPointToWhereAnAffineMapTakesIt) {
  const FrameSkin skin({.places = kSix}, 100);
  const std::vector<Vec3> corners = skin.corners();
  ASSERT_EQ(corners.size(), 24u);
  Mat3 A;
  A << 1.1, 0.3, -0.2, 0.1, 0.7, 0.4, 0, -0.3, 1.2;
  const Vec3 b(1, -2, 3);
  Vector q = Vector::Zero(3 * 124);
  for (std::size_t n = 0; n < corners.size(); ++n)
    node(view(q), static_cast<Index>(100 + n)) = A * corners[n] + b;
  for (const Vec3& x : {Vec3(0.3, 0.2, -0.1), Vec3(-1, 0, 0), Vec3(5, 4, -3), Vec3(0.1, 0, 0)}) {
    const MappedPoint point = skin.point(x);
    EXPECT_LE(point.count, 16);
    EXPECT_LT((point.at(view(q)) - (A * x + b)).norm(), 1e-12);
  }
}

// One frame takes the place of another without a jump.
TEST(Frames, WeightsAreContinuous) {
  const FrameSkin skin({.places = kSix}, 0);
  Vector q = test::random_vector(3 * 24, 1, 3);
  const double h = 1e-4;
  for (double s = -1.5; s < 1.5; s += h) {
    const Vec3 x(s, 0.31, 0.17), y(s + h, 0.31, 0.17);
    EXPECT_LT((skin.point(x).at(view(q)) - skin.point(y).at(view(q))).norm(), 100 * h) << s;
  }
}

TEST(Frames, KeepMassAndMomentOfTheBody) {
  const Model on_frames = model_of(bar_on(kSix));
  SolidInput plain = bar_on({});
  plain.frames.reset();
  const Model free = model_of(std::move(plain));
  EXPECT_NEAR(on_frames.bodies[0].mass, 2000, 1e-9);
  const auto momentum = [](const Model& model) {
    const System& system = *model.system;
    State state = system.make_state();
    const Body& body = model.bodies[0];
    for (Index n = body.first_solved(); n < body.end_solved(); ++n)
      node(view(state.v), n) = Vec3(1, 2, 3) + Vec3(0.5, -1, 2).cross(Vec3(node(view(state.q), n)));
    system.follow(view(state.v));
    const Configuration c{.t = 0, .q = view(state.q), .v = view(state.v)};
    return std::pair(system.momentum(view(state.q), view(state.v)), system.energies(c).kinetic);
  };
  const auto [p, e] = momentum(on_frames);
  const auto [p0, e0] = momentum(free);
  EXPECT_LT((p.linear - p0.linear).norm(), 1e-9 * p0.linear.norm());
  EXPECT_LT((p.angular - p0.angular).norm(), 1e-9 * p0.angular.norm());
  EXPECT_NEAR(e, e0, 1e-9 * e0);
}

// Force and stiffness on the frames are derivatives of the energy of the mesh.
TEST(Frames, PullBackForceAndStiffness) {
  const Model model = model_of(bar_on(kSix));
  const System& system = *model.system;
  const Body& body = model.bodies[0];
  State state = system.make_state();
  const auto moved = [&](double scatter, unsigned seed) {
    Vector d = test::random_vector(system.dofs(), scatter, seed);
    system.follow(view(d));
    return d;
  };
  state.q += moved(0.05, 1);
  const Vector d = moved(1, 2), v = Vector::Zero(system.dofs());
  const auto at = [&](const Vector& q) {
    return Configuration{.t = 0, .q = view(q), .v = view(v)};
  };
  const auto force = [&](double s) {
    const Vector q = state.q + s * d;
    Vector f(system.dofs());
    system.force(at(q), view(f));
    return f;
  };
  const double h = 1e-4;
  const Vector f = force(0);
  for (Index n = body.first_node; n < body.end_node(); ++n)
    EXPECT_EQ(Vec3(node(view(f), n)).norm(), 0) << "followers have no force of their own";
  const auto energy = [&](double s) { return system.potential(at(state.q + s * d)); };
  const double slope = (8 * (energy(h) - energy(-h)) - energy(2 * h) + energy(-2 * h)) / (12 * h);
  EXPECT_NEAR(-f.dot(d), slope, 1e-7 * std::abs(slope));
  BlockMatrix K(system.pattern());
  system.add_tangent(at(state.q), {.stiffness = 1}, K);
  Vector Kd(system.dofs());
  K.multiply(view(d), view(Kd));
  const Vector change = (8 * (force(-h) - force(h)) - force(-2 * h) + force(2 * h)) / (12 * h);
  EXPECT_LT((Kd - change).norm(), 1e-6 * change.norm());
}

TEST(Frames, AreSpreadOverTheBody) {
  const Mesh mesh = make_box({.size = Vec3(2, 1, 1), .cells = {6, 3, 3}});
  const std::vector<Vec3> places = spread_frames(mesh.points, 5);
  ASSERT_EQ(places.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT((places[i] - places[j]).norm(), 0.7);
  EXPECT_EQ(spread_frames(mesh.points, 5)[4], places[4]);
}

TEST(Frames, ThatCarryNothingAreRefused) {
  SolidInput solid = bar_on({{0, 0, 0}, {0, 0, 0}});
  EXPECT_THAT([&] { model_of(solid); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("too few")));
}

}  // namespace
}  // namespace pliant
