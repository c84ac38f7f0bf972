#include <pliant/contact/ccd_queries.hpp>

#include <pliant/core/error.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace pliant {
namespace {

// A point falls from 1 to −1 through (collides) or beside (does not) a triangle at rest. Numbers
// may be longer than any machine word.
std::string falling(const std::string& x, const std::string& flag) {
  const std::string huge = "1" + std::string(60, '0');
  std::string text;
  for (const char* y : {"1", "-1"}) {
    text += x + ",4," + y + ",1," + huge + ",4" + std::string(60, '0') + "," + flag + "\n";
    text += "0,1,0,1,0,1," + flag + "\n1,1,0,1,0,1," + flag + "\n0,1,0,1,1,1," + flag + "\r\n";
  }
  return text;
}

std::vector<CcdQuery> parse(const std::string& text) {
  std::istringstream in(text);
  return parse_ccd_queries(in, "queries.csv");
}

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CcdQueries, AreReadAndScored) {
  const std::vector<CcdQuery> queries = parse(falling("1", "1") + falling("9", "0"));
  ASSERT_EQ(queries.size(), 2u);
  EXPECT_EQ(queries[0].start.col(0), Vec3(0.25, 1, 0.25));
  EXPECT_EQ(queries[1].end.col(0), Vec3(2.25, -1, 0.25));
  EXPECT_EQ(queries[0].start.col(3), Vec3(0, 0, 1));
  const CcdScore score = score_ccd(PairKind::point_triangle, queries);
  EXPECT_EQ(score.queries, 2u);
  EXPECT_EQ(score.collisions, 1u);
  EXPECT_EQ(score.false_negatives, 0u);
  EXPECT_EQ(score.false_positives, 0u);
}

TEST(CcdQueries, WrongAnswersAreCounted) {
  const CcdScore score =
      score_ccd(PairKind::point_triangle, parse(falling("1", "0") + falling("9", "1")));
  EXPECT_EQ(score.false_negatives, 1u);
  EXPECT_EQ(score.false_positives, 1u);
}

TEST(CcdQueries, MistakesAreReportedWithTheirLine) {
  const std::string good = falling("1", "1");
  EXPECT_EQ(refusal(""), "queries.csv: holds no query");
  EXPECT_NE(refusal(good + "1,1,1,1,1,1,1\n").find("query 1, which has 1 rows of 8"),
            std::string::npos);
  EXPECT_EQ(refusal("1,0,0,1,0,1,1\n"), "queries.csv:1: a denominator is zero");
  EXPECT_EQ(refusal("1,1,0,1,0,1,2\n"), "queries.csv:1: the last column must be 0 or 1, got \"2\"");
  EXPECT_EQ(refusal("1,1,0x1,1,0,1,1\n"), "queries.csv:1: \"0x1\" is no whole number");
  EXPECT_EQ(refusal("1,1,0,1,0,1,1\n1,1,0,1,0,1,0\n"),
            "queries.csv:2: the rows of a query disagree on its answer");
  EXPECT_EQ(refusal("1,1,0,1,0,1,1,5\n"), "queries.csv:1: has more than 7 columns");
  EXPECT_EQ(refusal("1" + std::string(400, '0') + ",1,0,1,0,1,1\n"),
            "queries.csv:1: a coordinate is too large");
}

}  // namespace
}  // namespace pliant
