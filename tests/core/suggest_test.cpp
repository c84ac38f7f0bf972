#include <pliant/core/suggest.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pliant {
namespace {

const std::vector<std::string> names = {"young", "poisson", "density", "model"};

TEST(Suggest, FindsANameWithOneLetterWrongMissingAddedOrTwoSwapped) {
  EXPECT_EQ(nearest_name("yuung", names), "young");
  EXPECT_EQ(nearest_name("poison", names), "poisson");
  EXPECT_EQ(nearest_name("dennsity", names), "density");
  EXPECT_EQ(nearest_name("moedl", names), "model");
}

TEST(Suggest, IgnoresCase) { EXPECT_EQ(nearest_name("POISSON", names), "poisson"); }

TEST(Suggest, ProposesTheNearerOfTwo) {
  const std::vector<std::string> close = {"sdirk2", "sdirk3"};
  EXPECT_EQ(nearest_name("sdirk3x", close), "sdirk3");
}

TEST(Suggest, ProposesNothingThatIsFarAwayOrSharesNoLetter) {
  EXPECT_EQ(nearest_name("viscosity", names), "");
  const std::vector<std::string> one = {"x"};
  EXPECT_EQ(nearest_name("q", one), "");
  EXPECT_EQ(nearest_name(std::string(1000, 'y'), names), "");
  const std::vector<std::string> formats = {"glb", "obj", "mdd"};
  EXPECT_EQ(nearest_name("obk", formats), "obj");
  EXPECT_EQ(nearest_name("usd", formats), "");  // one letter of three is like that of "mdd"
}

TEST(Suggest, KnowsWhatOthersCallIt) {
  const std::vector<std::string> ours = {"qp",          "barrier", "be",  "si",
                                         "trapezoidal", "verlet",  "stvk"};
  for (const auto& [theirs, name] :
       {std::pair("ipc", "barrier"), std::pair("IPC", "barrier"), std::pair("backward-euler", "be"),
        std::pair("implicit_euler", "be"), std::pair("Crank-Nicolson", "trapezoidal"),
        std::pair("leapfrog", "verlet"), std::pair("St. Venant-Kirchhoff", "stvk")})
    EXPECT_EQ(nearest_name(theirs, ours), name) << theirs;
  EXPECT_EQ(nearest_name("leapfrog", names), "");  // where there is none of it
}

TEST(Suggest, SaysTheNearNameOrAllNamesOrNothing) {
  EXPECT_EQ(suggestion("poison", names), ", did you mean \"poisson\"?");
  EXPECT_EQ(suggestion("viscosity", names), ", known: young, poisson, density, model");
  EXPECT_EQ(suggestion("", names), ", known: young, poisson, density, model");
  EXPECT_EQ(suggestion("poison", {}), "");
}

}  // namespace
}  // namespace pliant
