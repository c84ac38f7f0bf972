#include <pliant/body/solid.hpp>
#include <pliant/core/error.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Model, PointMassesAddToTheMassAndToTheMoment) {
  SolidInput solid;
  solid.name = "box";
  solid.mesh = make_box({.size = Vec3(1, 1, 1), .cells = {3, 3, 3}});
  solid.materials = {{"stvk", {}}};
  solid.point_masses = {{Vec3(0.21, -0.3, 0.4), 50}};
  std::vector<SolidInput> solids{solid};
  const Model model = make_model(std::move(solids));
  EXPECT_NEAR(model.bodies[0].mass, 1050, 1e-9);
  const System& system = *model.system;
  Vector v(system.dofs());
  for (Index n = 0; n < system.nodes(); ++n) v.segment<3>(3 * n) = Vec3(1, 0, 0);
  const Vec3 l = system.momentum(view(system.rest()), view(v)).angular;
  EXPECT_LT((l - Vec3(0.21, -0.3, 0.4).cross(Vec3(50, 0, 0))).norm(), 1e-9);
}

TEST(Model, SeveralBodiesShareOneSystemWithoutTouching) {
  std::vector<SolidInput> solids(2);
  for (int k = 0; k < 2; ++k) {
    solids[k].name = k ? "b" : "a";
    solids[k].mesh = make_box({.size = Vec3(1, 1, 1),
                               .cells = {2, 2, 2},
                               .element = k ? ElementType::hex8 : ElementType::tet4});
    solids[k].materials = {{k ? "stvk" : "arap", {}}};
  }
  const Model model = make_model(std::move(solids));
  const BlockPattern& pattern = *model.system->pattern();
  EXPECT_EQ(model.bodies[1].first_node, 27);
  for (Index i = 0; i < 27; ++i)
    for (Index k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
      EXPECT_LT(pattern.column[k], 27);
  EXPECT_NEAR(model.bodies[0].mass, 1000, 1e-9);
  EXPECT_NEAR(model.bodies[1].mass, 1000, 1e-9);
}

TEST(Model, ABodyOfTwoMaterialsIsTheSumOfItsParts) {
  SolidInput solid;
  solid.name = "bar";
  solid.mesh = make_box({.size = Vec3(2, 1, 1), .cells = {4, 2, 2}, .element = ElementType::hex8});
  MaterialConstants heavy;
  heavy.density = 3000;
  solid.materials = {{"stvk", {}}, {"arap", heavy}};
  for (Index e = 0; e < 16; ++e) solid.material_of_element.push_back(e % 4 < 2 ? 0 : 1);
  std::vector<SolidInput> solids{solid};
  const Model model = make_model(std::move(solids));
  ASSERT_EQ(model.bodies[0].batches.size(), 2u);
  EXPECT_EQ(model.bodies[0].batches[0].term->name(), "stvk");
  EXPECT_EQ(model.bodies[0].batches[1].term->name(), "arap");
  EXPECT_EQ(model.bodies[0].batches[0].elements, (std::vector<Index>{0, 1, 4, 5, 8, 9, 12, 13}));
  EXPECT_NEAR(model.bodies[0].mass, 1000 + 3000, 1e-9);
}

TEST(Model, RefusesABodyWithoutSolidElements) {
  SolidInput solid;
  solid.name = "flag";
  solid.mesh = make_sheet({.size = {1, 1}, .cells = {2, 2}});
  solid.materials = {{"stvk", {}}};
  std::vector<SolidInput> solids{solid};
  try {
    make_model(std::move(solids));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("flag"), std::string::npos);
  }
}

}  // namespace
}  // namespace pliant
