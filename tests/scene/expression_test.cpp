#include <pliant/scene/expression.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "scene/example.hpp"

namespace pliant {
namespace {

using test::message_of;
using testing::HasSubstr;
using testing::StartsWith;

struct Case {
  const char* text;
  double (*by_compiler)(double x, double y, double z, double t);
};

// The same operations in the same order, so the results agree to the bit.
constexpr double pi = std::numbers::pi;
const Case cases[] = {
    {"1e4 + 1e5*(x > 0)", [](double x, double, double, double) { return 1e4 + 1e5 * (x > 0); }},
    {"x - y - z", [](double x, double y, double z, double) { return x - y - z; }},
    {"x / y / z", [](double x, double y, double z, double) { return x / y / z; }},
    {"x + y * z", [](double x, double y, double z, double) { return x + y * z; }},
    {"(x + y) * z", [](double x, double y, double z, double) { return (x + y) * z; }},
    {"2^3^2", [](double, double, double, double) { return 512.0; }},
    {"-x^2", [](double x, double, double, double) { return -std::pow(x, 2); }},
    {"2^-x", [](double x, double, double, double) { return std::pow(2, -x); }},
    {"--x", [](double x, double, double, double) { return x; }},
    {"x * -y", [](double x, double y, double, double) { return x * -y; }},
    {"x + 1 < y * 2", [](double x, double y, double, double) { return double(x + 1 < y * 2); }},
    {"(x <= y) + (x >= y) + (x == x) + (x != x) + (y > x)",
     [](double x, double y, double, double) {
       return double(x <= y) + double(x >= y) + 1 + 0 + double(y > x);
     }},
    {"sin(pi*x) + cos(t)",
     [](double x, double, double, double t) { return std::sin(pi * x) + std::cos(t); }},
    {"exp(-abs(x))*sqrt(y^2 + z^2)",
     [](double x, double y, double z, double) {
       return std::exp(-std::abs(x)) * std::sqrt(std::pow(y, 2) + std::pow(z, 2));
     }},
    {"min(x, y, z) + max(x, 0.5)",
     [](double x, double y, double z, double) {
       return std::min(std::min(x, y), z) + std::max(x, 0.5);
     }},
    {"  .5e+1*x+2.", [](double x, double, double, double) { return 5 * x + 2; }},
};

TEST(Expression, AgreesWithTheCompiler) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> coordinate(-3, 3);
  for (const Case& entry : cases) {
    const Expression expression(entry.text);
    for (int k = 0; k < 50; ++k) {
      const Vec3 x(coordinate(random), coordinate(random), coordinate(random));
      const double t = coordinate(random);
      EXPECT_EQ(expression(x, t), entry.by_compiler(x[0], x[1], x[2], t)) << entry.text;
    }
  }
}

std::string refusal_of_expression(const std::string& text, const char* variables = "xyzt") {
  return message_of([&] { Expression(text, variables); });
}

TEST(Expression, NamesTheColumnOfAnError) {
  EXPECT_EQ(refusal_of_expression("1 + "), "expression, column 5: expected a value, got the end");
  EXPECT_EQ(refusal_of_expression("(1 + 2"), "expression, column 7: expected \")\", got the end");
  EXPECT_EQ(refusal_of_expression("1 2"),
            "expression, column 3: expected an operator or the end, got \"2\"");
  EXPECT_THAT(refusal_of_expression("sni(x)"),
              StartsWith("expression, column 1: unknown name \"sni\", did you mean \"sin\"?"));
  EXPECT_EQ(refusal_of_expression("min(x)"),
            "expression, column 4: min takes two or more values, got 1");
  EXPECT_EQ(refusal_of_expression("sin(x, y)"), "expression, column 4: sin takes one value, got 2");
  EXPECT_EQ(refusal_of_expression("sin x"), "expression, column 5: expected \"(\" after sin");
  EXPECT_EQ(refusal_of_expression("2*1e400"), "expression, column 3: the number is out of range");
  EXPECT_THAT(refusal_of_expression("x < y < z"), HasSubstr("comparisons cannot be chained"));
  EXPECT_THAT(refusal_of_expression("(x < y == 1)"), HasSubstr("comparisons cannot be chained"));
}

TEST(Expression, KnowsNothingBeyondItsGrammar) {
  for (const char* text :
       {"",      " ",    "+x",   "tan(x)", "w",         "xx",   "x = 1", "x && y", "x % 2",
        "0x10",  "f(x)", "x; y", "pi()",   "system(1)", "x[0]", "\"x\"", "1e",     ".",
        "min()", "ä",    "x!",   "inf",    "nan",       "1,2",  ")",     "x ** 2"})
    EXPECT_NE(refusal_of_expression(text), "") << text;
}

TEST(Expression, RefusesVariablesThatMakeNoSenseInItsPlace) {
  EXPECT_EQ(refusal_of_expression("x + t", "xyzt"), "");
  EXPECT_THAT(refusal_of_expression("x + t", "xyz"), HasSubstr("column 5: unknown name \"t\""));
}

TEST(Expression, CapsLengthAndDepth) {
  EXPECT_THAT(refusal_of_expression(std::string(5000, '1')), HasSubstr("longer than 4096"));
  EXPECT_THAT(refusal_of_expression(std::string(2000, '(') + "1"), HasSubstr("too deeply nested"));
  EXPECT_THAT(refusal_of_expression(std::string(2000, '-') + "1"), HasSubstr("too deeply nested"));
  std::string tower = "1";
  for (int i = 0; i < 500; ++i) tower += "^1";
  EXPECT_THAT(refusal_of_expression(tower), HasSubstr("too deeply nested"));
  std::string deep;  // each sum keeps one value waiting on the stack
  for (int i = 0; i < 60; ++i) deep += "1+(";
  deep += "1" + std::string(60, ')');
  EXPECT_EQ(Expression(deep)(Vec3::Zero()), 61);
  std::string wide = "1";
  for (int i = 0; i < 1000; ++i) wide += "+x";
  EXPECT_EQ(Expression(wide)(Vec3(1, 0, 0)), 1001);
}

}  // namespace
}  // namespace pliant
