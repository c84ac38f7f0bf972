// Formulas in a scene, such as a modulus that varies in space: "1e4 + 1e5*(x > 0)". The grammar is
// closed, so a scene can never run code:
//
//   formula    = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]          gives 1 or 0
//   sum        = product { ("+" | "-") product }
//   product    = signed { ("*" | "/") signed }
//   signed     = "-" signed | power
//   power      = operand [ "^" signed ]                                      right associative
//   operand    = number | variable | "pi" | function "(" formula { "," formula } ")" | "(" formula
//   ")"
//
// with the functions sin cos exp sqrt abs (one argument), min max (two or more) and the variables
// x y z (m) and t (s). A formula is compiled once to postfix code; evaluation allocates nothing.
#pragma once

#include <pliant/core/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

constexpr std::size_t max_expression_length = 4096;
constexpr int max_expression_depth = 64;

class Expression {
 public:
  // Throws InputError with the column. `variables` are those that make sense where it is used.
  explicit Expression(std::string_view text, std::string_view variables = "xyzt");

  double operator()(const Vec3& x, double t = 0) const;

  const std::string& text() const { return text_; }

  enum class Op : unsigned char {
    number,
    x,
    y,
    z,
    t,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    sin,
    cos,
    exp,
    sqrt,
    abs,
    min,
    max
  };
  struct Instruction {
    Op op = Op::number;
    double number = 0;
  };

 private:
  std::string text_;
  std::vector<Instruction> code_;
};

}  // namespace pliant
