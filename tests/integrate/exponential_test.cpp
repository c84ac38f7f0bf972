// The exponential methods at their ends: no modes, all modes, linear bodies, and what ASCHER
// prints.
#include <pliant/solve/eigenpairs.hpp>

#include "integrate/moving_beam.hpp"

namespace pliant {
namespace {

IntegratorOptions with_modes(const std::string& name, int modes) {
  IntegratorOptions integrator(name);
  integrator.modes = modes;
  return integrator;
}

TEST(Siere, WithoutModesIsSiToTheLastBit) {
  const Model model = test::make_moving_beam(1e-3);
  EXPECT_EQ(test::run_to_end(*model.system, with_modes("siere", 0), 10),
            test::run_to_end(*model.system, "si", 10));
}

TEST(Hybrids, WithoutModesAreTheirOtherHalf) {
  const Model model = test::make_moving_beam(1e-3);
  const std::pair<const char*, const char*> pairs[] = {
      {"beere", "be"}, {"bdf2ere", "bdf2"}, {"sbdf2ere", "sbdf2"}, {"trbdf2ere", "trbdf2"}};
  for (const auto& [hybrid, other] : pairs)
    EXPECT_LT((test::run_to_end(*model.system, with_modes(hybrid, 0), 10) -
               test::run_to_end(*model.system, other, 10))
                  .norm(),
              1e-10)
        << hybrid;
}

// With every mode the complement is empty, and the flow of the modes is that of the whole beam:
// damped by masses and by stiffness, pinned, loaded.
TEST(Hybrids, WithAllModesAreEre) {
  for (const double beta : {0.0, 2e-3}) {
    const Model model = test::make_moving_beam(beta);
    const int all = static_cast<int>(model.system->dofs());
    IntegratorOptions ere("ere");
    ere.krylov_tolerance = 1e-12;
    const Vector wanted = test::run_to_end(*model.system, ere, 10);
    for (const char* name : {"siere", "beere", "trbdf2ere"})
      EXPECT_LT((test::run_to_end(*model.system, with_modes(name, all), 10) - wanted).norm(),
                1e-9 * wanted.norm())
          << name << ", beta " << beta;
  }
}

// q(t) = q_s + cos(Ωt)(q₀ − q_s) + Ω⁻¹ sin(Ωt) v₀ with Ω² = M⁻¹K, about the equilibrium q_s.
TEST(Ere, IsExactForLinearUndampedBodiesWithStepsOfAnyLength) {
  const Model model =
      test::make_beam({.size = Vec3(3, 1, 1), .cells = {3, 1, 1}, .law = "linear", .young = 1e5});
  const System& system = *model.system;
  State state = system.make_state();
  StepData data;
  DofMask mask;
  system.open_step(state, 1, data, mask);
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) free.push_back(static_cast<Eigen::Index>(i));
  BlockMatrix K(system.pattern());
  system.add_tangent({0, view(state.q), view(state.v), nullptr}, {.stiffness = 1}, K);
  Vector f(system.dofs());
  system.force({0, view(state.q), view(state.v), nullptr}, view(f));
  const Matrix Kf = test::dense(K)(free, free), Mf = test::dense(system.mass())(free, free);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(Kf, Mf);
  const Vector load = modes.eigenvectors().transpose() * f(free);
  for (const double h : {1e-3, 0.1, 0.7}) {
    const Vector& lambda = modes.eigenvalues();
    const Vector w = lambda.cwiseSqrt();
    const Vector wanted = modes.eigenvectors() *
                          (load.array() / lambda.array() * (1 - (h * w.array()).cos())).matrix();
    State next = system.make_state();
    IntegratorOptions ere("ere");
    ere.krylov_tolerance = 1e-11;
    ASSERT_TRUE(make_stepper(ere, {})->step(system, next, h).ok);
    const Vector moved = (next.q - system.rest())(free);
    EXPECT_LT((moved - wanted).norm(), 1e-8 * wanted.norm()) << "h ω up to " << h * w.maxCoeff();
  }
}

// A body swings in its lowest mode; the growth of its amplitude per step with that mode in the
// subspace, where the printed formulas apply alone.
double growth(const std::string& name, bool paper, double h_omega) {
  const Model model = test::make_beam({.size = Vec3(3, 1, 1),
                                       .cells = {3, 1, 1},
                                       .law = "linear",
                                       .young = 1e5,
                                       .gravity = Vec3::Zero()});
  const System& system = *model.system;
  State state = system.make_state();
  StepData data;
  DofMask mask;
  system.open_step(state, 1, data, mask);
  BlockMatrix K(system.pattern());
  system.add_tangent({0, view(state.q), view(state.v), nullptr}, {.stiffness = 1}, K);
  EigenpairSolver eigen;
  const Eigenpairs pairs = eigen.solve({K, system.mass(), mask}, 1);
  const double omega = std::sqrt(pairs.values[0]), h = h_omega / omega;
  state.q += 1e-3 * pairs.vectors.col(0);
  IntegratorOptions integrator = with_modes(name, 1);
  integrator.paper = paper;
  const auto stepper = make_stepper(integrator, {.linear = "cholesky", .tolerance = 1e-12});
  const auto amplitude = [&] {
    return std::sqrt(system.energies({0, view(state.q), view(state.v), nullptr}).total());
  };
  const auto run = [&](int steps) {
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper->step(system, state, h).ok);
  };
  run(60);
  const double before = amplitude();
  run(40);
  return std::pow(amplitude() / before, 1.0 / 40);
}

// The spectral radii follow from the formulas: 1.0048 and 1.0008 at hω = 0.1, 1.115 and 1.070 at 1.
TEST(Hybrids, AsPrintedGrowInTheSubspaceAndOursDoNot) {
  for (const char* name : {"bdf2ere", "sbdf2ere"}) {
    EXPECT_NEAR(growth(name, true, 0.1), 1.0048, 1e-4) << name;
    EXPECT_NEAR(growth(name, true, 1), 1.115, 1e-3) << name;
  }
  EXPECT_NEAR(growth("strbdf2ere", true, 0.1), 1.0008, 1e-4);
  EXPECT_NEAR(growth("strbdf2ere", true, 1), 1.070, 1e-3);
  for (const char* name : {"siere", "beere", "bdf2ere", "sbdf2ere", "strbdf2ere", "trbdf2ere"})
    EXPECT_NEAR(growth(name, false, 0.1), 1, 1e-9) << name;
}

// A bar pressed together to 0.7 of its length buckles: its stiffness is indefinite.
TEST(EveryImplicitMethod, StaysBoundedWhereTheStiffnessIsIndefinite) {
  const Model model = test::make_beam(
      {.cells = {8, 1, 1}, .young = 1e4, .alpha = 0.1, .beta = 1e-3, .pin_right = true});
  const System& system = *model.system;
  for (const IntegratorInfo& info : integrators()) {
    if (info.family == "explicit") continue;
    State state = system.make_state();
    for (Index n = 0; n < system.nodes(); ++n) state.q[3 * n] *= 0.7;
    const auto stepper = make_stepper(info.name, {});
    for (int k = 0; k < 60; ++k) {
      const StepReport report = stepper->step(system, state, 5e-3);
      ASSERT_TRUE(report.ok) << info.name << " at step " << k << ": " << report.reason;
    }
    EXPECT_LT((state.q - system.rest()).lpNorm<Eigen::Infinity>(), 8) << info.name;
    EXPECT_LT(state.v.lpNorm<Eigen::Infinity>(), 100) << info.name;
  }
}

// Steps since the modes were found, from what siere would write into a checkpoint.
double age_of_modes(const Stepper& stepper) {
  const std::vector<double> memory = stepper.memory();
  return memory[1 + static_cast<std::size_t>(memory[0])];
}

// A free bar turns about z without deforming much, so its modes turn with it: a search is due when
// they have turned by some degrees. One that hardly moves keeps its modes.
TEST(Hybrids, FindModesAnewByThemselvesWhereTheyHaveTurned) {
  const Model model =
      test::make_beam({.cells = {8, 1, 1}, .pin_left = false, .gravity = Vec3::Zero()});
  const System& system = *model.system;
  const auto oldest = [&](double omega) {
    State state = system.make_state();
    for (Index n = 0; n < system.nodes(); ++n)
      state.v.segment<3>(3 * n) = Vec3(0, 0, omega).cross(Vec3(state.q.segment<3>(3 * n)));
    IntegratorOptions integrator = with_modes("siere", 10);
    integrator.refresh = kRefreshAuto;
    const auto stepper = make_stepper(integrator, {.linear = "cholesky"});
    double age = 0;
    for (int k = 0; k < 30; ++k) {
      EXPECT_TRUE(stepper->step(system, state, 0.01).ok);
      age = std::max(age, age_of_modes(*stepper));
    }
    return age;
  };
  const double turning = oldest(1.0), resting = oldest(1e-3);
  EXPECT_EQ(resting, 30);
  EXPECT_LT(turning, 30);  // 17° in all
  EXPECT_GT(turning, 1);   // 0.6° each
  EXPECT_LT(oldest(4.0), turning);
}

TEST(ExponentialMethods, RefuseOptionsOutOfRange) {
  EXPECT_ANY_THROW(make_stepper(with_modes("siere", -1), {}));
  IntegratorOptions ere("ere");
  ere.krylov_tolerance = 0;
  EXPECT_ANY_THROW(make_stepper(ere, {}));
}

}  // namespace
}  // namespace pliant
