// A step allocates nothing after the first ones: malloc itself is watched. (Not built under the
// sanitizers, which bring a malloc of their own.) TBB's small task objects come from its own pools;
// CHOLMOD's factorisation keeps its workspace. What is counted is anything of the size of a vector.
#include <pliant/integrate/stepper.hpp>

#include "dissipation/damping_cases.hpp"
#include "integrate/contact_scene.hpp"
#include "support/beams.hpp"
#include "support/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* __libc_realloc(void*, std::size_t);

namespace {
std::atomic<std::size_t> watched_size{0};  // 0: nobody watches
std::atomic<long> large_allocations{0};
void count(std::size_t size) {
  const std::size_t limit = watched_size.load(std::memory_order_relaxed);
  if (limit != 0 && size >= limit) ++large_allocations;
}
}  // namespace

extern "C" void* malloc(std::size_t size) {
  count(size);
  return __libc_malloc(size);
}
extern "C" void* realloc(void* old, std::size_t size) {
  count(size);
  return __libc_realloc(old, size);
}

namespace pliant {
namespace {

long allocations_per_ten_steps(const IntegratorOptions& integrator, const std::string& linear,
                               double beta, const std::vector<DampingLaw>& damping = {}) {
  const Model model = test::make_beam({.cells = {12, 4, 4}, .beta = beta, .damping = damping});
  const System& system = *model.system;
  const auto stepper = make_stepper(integrator, {.linear = linear, .tolerance = 1e-6});
  State state = system.make_state();
  const double h = integrator.type == "rk4" ? 1e-4 : 5e-3;
  long count = 0;
  test::with_threads(2, [&] {
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(stepper->step(system, state, h).ok);
    large_allocations = 0;
    watched_size = sizeof(double) * static_cast<std::size_t>(system.nodes());
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(stepper->step(system, state, h).ok);
    watched_size = 0;
    count = large_allocations;
  });
  return count;
}

TEST(Steps, AllocateNothingAfterTheFirst) {
  for (const IntegratorInfo& info : integrators()) {
    if (info.family == "explicit") continue;
    IntegratorOptions integrator(info.name);
    integrator.refresh = kRefreshNever;  // a search for modes takes what it needs
    EXPECT_EQ(allocations_per_ten_steps(integrator, "pcg", 0), 0) << info.name;
  }
  EXPECT_EQ(allocations_per_ten_steps("rk4", "pcg", 0), 0);
  EXPECT_EQ(allocations_per_ten_steps("sdirk2", "cholesky", 0), 0);
  // CHOLMOD takes one block for each factorisation.
  EXPECT_LE(allocations_per_ten_steps("ros3pl", "cholesky", 0), 10);
  EXPECT_EQ(allocations_per_ten_steps("sdirk2", "pcg", 1e-3), 0) << "with Rayleigh damping";
  IntegratorOptions siere("siere");
  siere.refresh = kRefreshNever;
  EXPECT_EQ(allocations_per_ten_steps(siere, "pcg", 1e-3), 0) << "with Rayleigh damping";
  EXPECT_EQ(allocations_per_ten_steps("ere", "pcg", 1e-3), 0) << "with Rayleigh damping";
}

TEST(Steps, AllocateNothingWithDampingThatDependsOnPosition) {
  DampingLaw objective = test::strain_rate_damping();
  objective.treatment = StageTreatment::second_order;
  for (const DampingLaw& law :
       {test::conserving(test::rayleigh_damping()), objective, test::principal_damping()})
    EXPECT_EQ(allocations_per_ten_steps("trbdf2", "pcg", 0, {law}), 0);
}

// Two blocks at rest, one upon the other and both on a plane: what is near what stays the same.
// (New pairs take memory for their blocks of the matrix, and a step with friction opens with a
// search of its own.)
long allocations_in_contact(const std::string& integrator) {
  SolidInput lower = fixtures::block(Vec3(0, 0.254, 0)), upper = fixtures::block(Vec3(0, 0.758, 0));
  for (SolidInput* solid : {&lower, &upper}) {
    const Vec3 place = solid->mesh.points.front() + Vec3(0.25, 0.25, 0.25);
    solid->mesh = make_box({Vec3(0.5, 0.5, 0.5), {5, 5, 5}, ElementType::tet4});
    for (Vec3& x : solid->mesh.points) x += place;
  }
  fixtures::ContactScene scene({lower, upper});
  const SolverOptions solver{.linear = "pcg", .tolerance = 1e-6};
  const auto settle = make_stepper("be", solver), stepper = make_stepper(integrator, solver);
  const auto make_steps = [&scene](Stepper& with, int count, double h) {
    for (int k = 0; k < count; ++k) EXPECT_TRUE(with.step(scene.system(), scene.state, h).ok);
  };
  long count = 0;
  test::with_threads(2, [&] {
    make_steps(*settle, 60, 0.04);
    make_steps(*stepper, 3, 5e-3);
    EXPECT_LT(scene.min_gap().value(), fixtures::kDelta);
    large_allocations = 0;
    watched_size = sizeof(double) * static_cast<std::size_t>(scene.system().nodes());
    make_steps(*stepper, 10, 5e-3);
    watched_size = 0;
    count = large_allocations;
  });
  return count;
}

TEST(Steps, AllocateNothingInContact) {
  for (const char* integrator : {"be", "bdf2", "trbdf2", "sdirk2", "esdirk43"})
    EXPECT_EQ(allocations_in_contact(integrator), 0) << integrator;
}

TEST(Steps, TheWatchSeesAnAllocation) {
  watched_size = 1000;
  large_allocations = 0;
  const Vector x = Vector::Zero(1000);
  watched_size = 0;
  EXPECT_GT(large_allocations, 0);
  EXPECT_EQ(x.sum(), 0);
}

}  // namespace
}  // namespace pliant
