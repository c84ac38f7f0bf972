#include <pliant/render/colour.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Oklab, WhiteAndTheWayBack) {
  const Oklab white = to_oklab(Rgb(1, 1, 1));
  EXPECT_NEAR(white.lightness, 1, 1e-4);  // the published matrices have ten digits, floats seven
  EXPECT_NEAR(white.a, 0, 1e-4);
  EXPECT_NEAR(white.b, 0, 1e-4);
  const Rgb colour(0.2f, 0.5f, 0.1f);
  EXPECT_LT((from_oklab(to_oklab(colour)) - colour).abs().maxCoeff(), 1e-5f);
}

// A colour that the screen does not have would be cut, and its lightness would miss the line.
TEST(ColourMap, RisingBecomesLighterInEqualStepsAndStaysOnTheScreen) {
  for (int k = 0; k <= 100; ++k) {
    const double s = k / 100.0;
    EXPECT_NEAR(to_oklab(map_colour(ColourMap::rising, s)).lightness, 0.29 + 0.61 * s, 1e-4) << s;
  }
}

TEST(ColourMap, TwoSidedIsAsDarkOnBothSidesAndLightInTheMiddle) {
  for (int k = 0; k <= 50; ++k) {
    const double away = k / 100.0;
    const Oklab below = to_oklab(map_colour(ColourMap::two_sided, 0.5 - away));
    const Oklab above = to_oklab(map_colour(ColourMap::two_sided, 0.5 + away));
    EXPECT_NEAR(below.lightness, above.lightness, 3e-3) << away;
    if (k > 0) {
      EXPECT_LT(below.b, above.b);
    }
  }
  EXPECT_GT(to_oklab(map_colour(ColourMap::two_sided, 0.5)).lightness, 0.9);
}

TEST(ColourMap, BeyondItsEndsTheEndsHold) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE((map_colour(ColourMap::rising, -3) == map_colour(ColourMap::rising, 0)).all());
  EXPECT_TRUE((map_colour(ColourMap::rising, 9) == map_colour(ColourMap::rising, 1)).all());
  EXPECT_TRUE((map_colour(ColourMap::rising, nan) == map_colour(ColourMap::rising, 0)).all());
}

TEST(BodyColours, NeighboursAreFarApart) {
  for (std::size_t k = 0; k < 8; ++k) {
    const Oklab a = to_oklab(body_colour(k)), b = to_oklab(body_colour(k + 1));
    EXPECT_GT(std::hypot(a.lightness - b.lightness, a.a - b.a, a.b - b.b), 0.1) << k;
  }
}

TEST(Develop, FollowsTheCurveOfSrgbAndBendsTowardsWhite) {
  const LightImage light{
      {4, 1}, {Rgb::Constant(0), Rgb::Constant(0.2158605f), Rgb::Constant(1), Rgb::Constant(1e6f)}};
  const Image image = develop(light);
  EXPECT_EQ(image.rgb[0], 0);
  EXPECT_EQ(image.rgb[3], 128);  // IEC 61966-2-1: ((128/255 + 0.055)/1.055)^2.4 = 0.21586
  EXPECT_GT(image.rgb[6], 235);
  EXPECT_LT(image.rgb[6], 255);
  EXPECT_EQ(image.rgb[9], 255);
}

}  // namespace
}  // namespace pliant
