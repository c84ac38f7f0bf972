// The product is what it says: each combination once, those that the program refuses left out and
// no others, and a quick set that meets every scene with every method that is planned for it.
#include <pliant/core/refusals.hpp>
#include <reliability/plans.hpp>
#include <reliability/product.hpp>

#include <gtest/gtest.h>

#include <set>

namespace pliant::reliability {
namespace {

std::set<std::string> names_of(const std::vector<Combination>& list) {
  std::set<std::string> names;
  for (const Combination& c : list) names.insert(name_of(c));
  return names;
}

TEST(Product, HasEachCombinationOnce) {
  const std::vector<Combination> all = all_combinations(), quick = quick_combinations();
  EXPECT_EQ(names_of(all).size(), all.size());
  EXPECT_EQ(names_of(quick).size(), quick.size());
}

TEST(Product, ContainsTheQuickSet) {
  const std::set<std::string> all = names_of(all_combinations());
  for (const Combination& c : quick_combinations()) EXPECT_TRUE(all.contains(name_of(c)));
}

TEST(Product, LeavesOutWhatTheProgramRefusesAndNothingElse) {
  std::set<std::string> there, quick;
  const auto key = [](ContactMethod method, const std::string& scene, const std::string& name) {
    return reliability::name_of(method) + " " + scene + " " + name;
  };
  for (const Combination& c : all_combinations())
    there.insert(key(c.contact, c.scene, c.integrator));
  for (const Combination& c : quick_combinations()) quick.insert(key(c.contact, c.scene, ""));
  const std::vector<SceneEntry> scenes = all_scenes();
  int refused = 0;
  for (const Plan& plan : plans_beside_barrier())
    for (const std::string& scene : plan.scenes) {
      const SceneSpec spec = find_scene(scenes, scene)->make();
      for (const std::string& name : plan.integrators) {
        const bool refuses = !refusal_of(spec, plan.method, name).empty();
        EXPECT_NE(there.contains(key(plan.method, scene, name)), refuses) << scene << " " << name;
        refused += refuses;
      }
      const bool is_quick = std::count(plan.not_quick.begin(), plan.not_quick.end(), scene) == 0;
      EXPECT_EQ(quick.contains(key(plan.method, scene, "")), is_quick) << scene;
    }
  EXPECT_GT(refused, 0);
}

// So the list is asked, and says what it says to whoever writes such a scene.
TEST(Product, AsksTheProgramWhatItRefuses) {
  const std::vector<SceneEntry> scenes = all_scenes();
  const SceneSpec soft = find_scene(scenes, "ball-1e5")->make(),
                  jointed = find_scene(scenes, "jointed-jaws")->make(),
                  rigid = find_scene(scenes, "rigid-pile")->make();
  using enum ContactMethod;
  EXPECT_EQ(refusal_of(soft, qp, "verlet"), "");
  EXPECT_EQ(refusal_of(soft, barrier, "verlet"),
            "#/integrator: " + words_of(Refusal::barrier_integrator, "verlet"));
  EXPECT_EQ(refusal_of(jointed, qp, "be"),
            "#/contact: " + words_of(Refusal::qp_constraints, "constraints"));
  EXPECT_EQ(refusal_of(jointed, unilateral, "sdirk2"),
            "#/integrator: " + words_of(Refusal::constraints_integrator, "sdirk2", "constraints"));
  EXPECT_EQ(refusal_of(rigid, admm, "be"),
            "#/bodies/0: " + words_of(Refusal::admm_bodies, "rigid bodies"));
}

}  // namespace
}  // namespace pliant::reliability
