#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/scene/expression.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

namespace pliant {
namespace {

using Op = Expression::Op;
using Instruction = Expression::Instruction;

struct Function {
  std::string_view name;
  Op op;
  bool many;  // two or more arguments instead of one
};
constexpr std::array<Function, 7> functions = {{{"sin", Op::sin, false},
                                                {"cos", Op::cos, false},
                                                {"exp", Op::exp, false},
                                                {"sqrt", Op::sqrt, false},
                                                {"abs", Op::abs, false},
                                                {"min", Op::min, true},
                                                {"max", Op::max, true}}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent; each level of recursion counts towards the depth cap, and so does each value
// that waits on the evaluation stack.
class Parser {
 public:
  Parser(std::string_view text, std::string_view variables) : text_(text), variables_(variables) {}

  std::vector<Instruction> parse() {
    formula();
    skip_spaces();
    if (at_ < text_.size()) {
      if (accept_comparison()) fail(at_, "comparisons cannot be chained: use parentheses");
      fail(at_, fmt::format("expected an operator or the end, got \"{}\"", next_character()));
    }
    return std::move(code_);
  }

 private:
  [[noreturn]] void fail(std::size_t at, std::string_view what) const {
    throw InputError(fmt::format("expression, column {}: {}", at + 1, what));
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool accept(std::string_view symbol) {
    skip_spaces();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }
  std::string_view next_character() const {
    std::size_t n = 1;
    while (at_ + n < text_.size() && (text_[at_ + n] & 0xC0) == 0x80) ++n;
    return text_.substr(at_, n);
  }

  void emit(Op op, int stack_change, double number = 0) {
    code_.push_back({op, number});
    stack_ += stack_change;
    if (stack_ > max_expression_depth) fail(at_, "too deeply nested");
  }

  std::optional<Op> accept_comparison() {
    // Two characters before one, so that "<=" is not taken for "<".
    constexpr std::array<std::pair<std::string_view, Op>, 6> symbols = {{{"<=", Op::less_equal},
                                                                         {">=", Op::greater_equal},
                                                                         {"==", Op::equal},
                                                                         {"!=", Op::not_equal},
                                                                         {"<", Op::less},
                                                                         {">", Op::greater}}};
    for (const auto& [symbol, op] : symbols)
      if (accept(symbol)) return op;
    return std::nullopt;
  }

  void formula() {
    sum();
    if (const std::optional<Op> comparison = accept_comparison()) {
      sum();
      emit(*comparison, -1);
    }
  }

  void sum() {
    product();
    while (true) {
      const bool plus = accept("+");
      if (!plus && !accept("-")) return;
      product();
      emit(plus ? Op::add : Op::subtract, -1);
    }
  }

  void product() {
    signed_value();
    while (true) {
      const bool times = accept("*");
      if (!times && !accept("/")) return;
      signed_value();
      emit(times ? Op::multiply : Op::divide, -1);
    }
  }

  void signed_value() {
    if (++depth_ > max_expression_depth) fail(at_, "too deeply nested");
    if (accept("-")) {
      signed_value();
      emit(Op::negate, 0);
    } else {
      operand();
      if (accept("^")) {
        signed_value();
        emit(Op::power, -1);
      }
    }
    --depth_;
  }

  void operand() {
    skip_spaces();
    if (at_ >= text_.size()) fail(at_, "expected a value, got the end");
    const char c = text_[at_];
    if (accept("(")) {
      formula();
      close();
    } else if (is_digit(c) || c == '.') {
      number();
    } else if (is_letter(c)) {
      word();
    } else {
      fail(at_, fmt::format("expected a value, got \"{}\"", next_character()));
    }
  }

  void close() {
    if (accept(")")) return;
    if (accept_comparison()) fail(at_, "comparisons cannot be chained: use parentheses");
    fail(at_, at_ < text_.size() ? fmt::format("expected \")\", got \"{}\"", next_character())
                                 : "expected \")\", got the end");
  }

  void number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail(at_, "the number is out of range");
    if (error != std::errc()) fail(at_, "expected a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    emit(Op::number, 1, value);
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    for (const Function& function : functions)
      if (function.name == name) return arguments(function);
    if (name == "pi") return emit(Op::number, 1, std::numbers::pi);
    constexpr std::string_view coordinates = "xyzt";
    const std::size_t k = name.size() == 1 ? coordinates.find(name[0]) : std::string_view::npos;
    if (k == std::string_view::npos || variables_.find(name[0]) == std::string_view::npos)
      fail(begin, fmt::format("unknown name \"{}\"{}", name.substr(0, 40), known(name)));
    emit(static_cast<Op>(static_cast<std::size_t>(Op::x) + k), 1);
  }

  std::string known(std::string_view name) const {
    std::vector<std::string> names;
    for (const char variable : variables_) names.emplace_back(1, variable);
    names.emplace_back("pi");
    for (const Function& function : functions) names.emplace_back(function.name);
    return suggestion(name, names);
  }

  void arguments(const Function& function) {
    const std::size_t begin = at_;
    if (!accept("(")) fail(at_, fmt::format("expected \"(\" after {}", function.name));
    formula();
    int count = 1;
    for (; accept(","); ++count) {
      formula();
      if (function.many) emit(function.op, -1);
    }
    close();
    if (function.many ? count < 2 : count != 1)
      fail(begin, fmt::format("{} takes {}, got {}", function.name,
                              function.many ? "two or more values" : "one value", count));
    if (!function.many) emit(function.op, 0);
  }

  std::string_view text_, variables_;
  std::size_t at_ = 0;
  int depth_ = 0, stack_ = 0;
  std::vector<Instruction> code_;
};

double combine(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::min:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

double transform(Op op, double a) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::exp:
      return std::exp(a);
    case Op::sqrt:
      return std::sqrt(a);
    default:
      return std::abs(a);
  }
}

}  // namespace

Expression::Expression(std::string_view text, std::string_view variables) : text_(text) {
  if (text.size() > max_expression_length)
    throw InputError(fmt::format("expression: longer than {} characters", max_expression_length));
  code_ = Parser(text_, variables).parse();
}

double Expression::operator()(const Vec3& x, double t) const {
  std::array<double, max_expression_depth + 1> stack;
  std::size_t top = 0;
  for (const auto& [op, number] : code_) {
    switch (op) {
      case Op::number:
        stack[top++] = number;
        break;
      case Op::x:
        stack[top++] = x[0];
        break;
      case Op::y:
        stack[top++] = x[1];
        break;
      case Op::z:
        stack[top++] = x[2];
        break;
      case Op::t:
        stack[top++] = t;
        break;
      case Op::negate:
      case Op::sin:
      case Op::cos:
      case Op::exp:
      case Op::sqrt:
      case Op::abs:
        stack[top - 1] = transform(op, stack[top - 1]);
        break;
      default:
        --top;
        stack[top - 1] = combine(op, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

}  // namespace pliant
