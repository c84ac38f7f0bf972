// The page as text: what is put in is escaped, and figures do not disturb each other.
#include <pliant/report/history_figures.hpp>
#include <pliant/report/report.hpp>
#include <pliant/report/svg.hpp>

#include "../io/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

using pliant::fixtures::ScratchFolder;
using pliant::fixtures::write_text;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Html, EscapesEveryText) {
  const std::string bad = "<script>alert(\"&\")</script>";
  Report report;
  report.title = report.subtitle = report.scene_json = bad;
  report.paragraphs = report.remarks = report.warnings = {bad};
  TextTable table({bad, "b"});
  table.add({bad, "1"});
  report.tables.emplace_back(bad, table);
  report.texts.emplace_back(bad, bad);
  report.figures.emplace_back(bad, "<svg></svg>");
  report.pictures.emplace_back(bad, "bytes");
  report.versions.emplace_back(bad, bad);
  const std::string html = make_html(report);
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("alert(\"")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"));
}

TEST(Html, LeavesOutWhatIsEmpty) {
  const std::string html = make_html({});
  for (const char* word : {"<table", "<figure", "<details", "<h2", "<pre>"})
    EXPECT_THAT(html, Not(HasSubstr(word))) << word;
}

TEST(Html, KeepsTheLinesOfTextsOfFixedWidth) {
  Report report;
  report.texts.emplace_back("", "a  1\nb  2\n");
  EXPECT_THAT(make_html(report), HasSubstr("<pre>a  1\nb  2\n</pre>"));
}

TEST(InlineSvg, HasNamesOfItsOwn) {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<svg width=\"1\"><g id=\"glyph-0\"/><use xlink:href=\"#glyph-0\"/>"
      "<g clip-path=\"url(#clip-1)\"/></svg>\n";
  EXPECT_EQ(inline_svg(svg, "a < b", 7),
            "<svg role=\"img\" aria-label=\"a &lt; b\" width=\"1\"><g id=\"f7-glyph-0\"/>"
            "<use xlink:href=\"#f7-glyph-0\"/><g clip-path=\"url(#f7-clip-1)\"/></svg>");
  EXPECT_EQ(inline_svg("no picture", "", 0), "");
}

TEST(HistoryPlots, ShowWhatTheHistoryHas) {
  const HistoryTable history = HistoryTable::parse(
      "time,total,kinetic,px,newton,tip.x,tip.y,tip.z\n0,1,0,0,0,2,0,0\n1,1,1,0,3,2.5,0,0\n", "h");
  const std::vector<Plot> plots = history_plots(history);
  std::vector<std::string> titles;
  for (const Plot& plot : plots) titles.push_back(plot.title);
  // No momentum: it stays zero. The steps' own numbers begin with the first step.
  EXPECT_THAT(titles, ::testing::ElementsAre("Energy", "Probe “tip”", "Iterations"));
  EXPECT_THAT(plots[1].series[0].y, ::testing::ElementsAre(0, 0.5));
  EXPECT_THAT(plots[2].series[0].y, ::testing::ElementsAre(3));
  EXPECT_EQ(plots[1].y.label, "displacement (m)");
}

TEST(HistoryPlots, ShowForcesAsTheyAreInTheirUnit) {
  const ScratchFolder folder;
  write_text(folder.path() / "history.csv",
             "time,total,push.x,push.y,push.z,turn.x,turn.y,turn.z,rope\n"
             "0,1,2,0,0,0,0,0,9\n1,1,5,0,0,0,0,1,8\n");
  write_text(folder.path() / "scene.json",
             R"({"probes": [{"name": "push", "force_on": "b"},
                  {"name": "turn", "torque_of": "hinge"}, {"name": "rope", "tension_of": "r"}]})");
  const std::vector<Plot> plots = history_plots(HistoryTable::of_run(folder.path()));
  ASSERT_EQ(plots.size(), 4u);  // the first is the energy
  EXPECT_EQ(plots[1].y.label, "force (N)");
  EXPECT_THAT(plots[1].series[0].y, ::testing::ElementsAre(2, 5));
  EXPECT_EQ(plots[2].y.label, "torque (N·m)");
  EXPECT_EQ(plots[3].y.label, "tension (N)");
  ASSERT_EQ(plots[3].series.size(), 1u);
  EXPECT_THAT(plots[3].series[0].y, ::testing::ElementsAre(9, 8));
}

}  // namespace
}  // namespace pliant
