#include <pliant/analysis/text_table.hpp>
#include <pliant/analysis/traits.hpp>

#include <gtest/gtest.h>

#include <map>

namespace pliant {
namespace {

Behaviour behaviour_of(std::string_view name) { return find_behaviour(name); }

TEST(Traits, SayOfEachMethodWhatIsKnownOfIt) {
  const std::map<std::string_view, Stability> known = {
      {"be", Stability::l_stable},           {"bdf2", Stability::l_stable},
      {"sdirk2", Stability::l_stable},       {"trbdf2", Stability::l_stable},
      {"trbdf2b", Stability::l_stable},      {"esdirk43", Stability::l_stable},
      {"ncs23", Stability::a_stable},        {"sdirk3345", Stability::a_stable},
      {"midpoint", Stability::conservative}, {"trapezoidal", Stability::conservative},
      {"verlet", Stability::conditional},    {"rk4", Stability::conditional}};
  for (const auto& [name, stability] : known)
    EXPECT_EQ(behaviour_of(name).stability, stability) << name;
}

// 2 for both leapfrogs; √8 for RK4; |R(∞)| of Nørsett's method is √3 − 1.
TEST(Traits, KnowLimitsFromTheory) {
  EXPECT_NEAR(behaviour_of("verlet").limit, 2, 1e-3);
  EXPECT_NEAR(behaviour_of("rk4").limit, std::sqrt(8), 1e-3);
  EXPECT_NEAR(behaviour_of("ncs23").at_infinity, std::sqrt(3) - 1, 1e-3);
  EXPECT_NEAR(behaviour_of("be").damping_at_one, std::log(2), 1e-12);  // log(1 + (hω)²)/hω
}

// Modes that move by themselves keep their energy; without any, siere is si and the rest with it.
TEST(Traits, OfHybridsAreThoseOfTheRestBeyondTheModes) {
  int hybrids = 0;
  for (const IntegratorTraits& traits : integrator_traits()) {
    if (!traits.rest) continue;
    ++hybrids;
    EXPECT_EQ(traits.behaviour.stability, Stability::conservative) << traits.info.name;
    EXPECT_EQ(traits.rest->stability, Stability::l_stable) << traits.info.name;
    if (traits.info.name == "siere") {
      EXPECT_NEAR(traits.rest->damping_at_one, std::log(2), 1e-12);
    }
  }
  EXPECT_GE(hybrids, 6);
}

TEST(Traits, TableHasARowForEveryIntegrator) {
  const std::vector<IntegratorTraits> list = integrator_traits();
  ASSERT_EQ(list.size(), integrators().size());
  for (const bool markdown : {false, true}) {
    const std::string table = traits_table(list, markdown);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'),
              static_cast<std::ptrdiff_t>(list.size()) + 1 + markdown);
    for (const IntegratorTraits& traits : list)
      EXPECT_NE(table.find(traits.info.name), std::string::npos);
  }
}

TEST(TextTable, AlignsByCharactersAndQuotesForCsv) {
  TextTable table({"name", "ω"});
  table.add({"größe", "1"});
  table.add({"a, \"b\"", "22"});
  EXPECT_EQ(table.text(), "name     ω\ngröße    1\na, \"b\"  22\n");
  EXPECT_EQ(table.csv(), "name,ω\ngröße,1\n\"a, \"\"b\"\"\",22\n");
  EXPECT_EQ(table.markdown(), "| name | ω |\n|---|---:|\n| größe | 1 |\n| a, \"b\" | 22 |\n");
}

}  // namespace
}  // namespace pliant
