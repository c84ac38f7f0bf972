// Rulers and ticks by their numbers; figures by what every reader of such files checks.
#include <pliant/analysis/ticks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

std::vector<std::string> labels(const Ruler& ruler, int wanted) {
  std::vector<std::string> list;
  for (const Tick& tick : make_ticks(ruler, wanted))
    if (!tick.label.empty()) list.push_back(tick.label);
  return list;
}

TEST(Ticks, OfALinearAxisAreRoundAndExact) {
  EXPECT_THAT(labels({Scale::linear, -0.3, 1.1}, 7),
              testing::ElementsAre("-0.2", "0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels({Scale::linear, 0, 5e-5}, 5),
              testing::ElementsAre("0", "1·10⁻⁵", "2·10⁻⁵", "3·10⁻⁵", "4·10⁻⁵", "5·10⁻⁵"));
}

TEST(Ticks, OfALogarithmicAxisArePowersOfTenOrFiner) {
  EXPECT_THAT(labels({Scale::log, 1e-5, 1.0}, 8),
              testing::ElementsAre("10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"));
  EXPECT_THAT(labels({Scale::log, 0.9, 30.0}, 8), testing::ElementsAre("1", "2", "5", "10", "20"));
  EXPECT_LE(labels({Scale::log, 1e-16, 1.0}, 6).size(), 7u);
}

TEST(Rulers, ShowAllDataAndIgnoreWhatCannotBeShown) {
  Series series;
  series.x = {1, 10, 100};
  series.y = {-5, std::numeric_limits<double>::infinity(), 3};
  const Ruler x = make_ruler({"", Scale::log, {}, {}}, {series}, &Series::x);
  EXPECT_LT(x.min, 1);
  EXPECT_GT(x.max, 100);
  EXPECT_NEAR(x.place(std::sqrt(x.min * x.max)), 0.5, 1e-12);
  const Ruler y = make_ruler({"", Scale::linear, {}, 4.0}, {series}, &Series::y);
  EXPECT_LT(y.min, -5);
  EXPECT_EQ(y.max, 4);
  EXPECT_FALSE(x.shows(-5));
  const Ruler nothing = make_ruler({"", Scale::log, {}, {}}, {}, &Series::x);
  EXPECT_LT(nothing.min, nothing.max);
}

Plot sample() {
  Plot plot;
  plot.title = "Energy";
  plot.x.label = "time (s)";
  plot.y = {"energy (J)", Scale::log, {}, {}};
  Series series;
  series.name = "sdirk2";
  series.markers = true;
  for (int k = 0; k < 5000; ++k) {
    series.x.push_back(k);
    series.y.push_back(k % 7 == 0 ? std::nan("") : 1 + k);
  }
  plot.series = {series, series};
  plot.series[1].guide = true;
  plot.notes = {{10, 20, "a note"}};
  return plot;
}

TEST(Plots, AreSvgAndPngOfTheSameFigure) {
  const Pictures pictures = draw(sample());
  if (!plots_built()) {
    EXPECT_TRUE(pictures.svg.empty() && pictures.png.empty());
    return;
  }
  EXPECT_THAT(pictures.svg, testing::HasSubstr("<svg"));
  EXPECT_THAT(pictures.svg, testing::HasSubstr("</svg>"));
  EXPECT_EQ(pictures.png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(pictures.png.substr(pictures.png.size() - 8, 4), "IEND");
  // The header's width and height: twice those of the plot.
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4; ++k)
      value = value << 8 | static_cast<unsigned char>(pictures.png[at + k]);
    return value;
  };
  EXPECT_EQ(number(16), 2u * 960);
  EXPECT_EQ(number(20), 2u * 600);
  EXPECT_EQ(draw(sample()).png, pictures.png);
}

TEST(Plots, OfNothingAreEmptyFigures) {
  Plot plot;
  plot.series.resize(1);
  plot.series[0].name = "nothing";
  EXPECT_EQ(draw(plot).svg.empty(), !plots_built());
}

}  // namespace
}  // namespace pliant
