#include <pliant/robots/xml.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pliant::robots {
namespace {

constexpr std::size_t kMostNumbers = 1000;  // in one attribute

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string XmlElement::where() const { return fmt::format("{}:{}", *file, line); }

const std::string* XmlElement::find(std::string_view attribute) const {
  for (const XmlAttribute& one : attributes)
    if (one.name == attribute) return &one.value;
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& one : children)
    if (one.name == wanted) return &one;
  return nullptr;
}

std::vector<const XmlElement*> XmlElement::all(std::string_view wanted) const {
  std::vector<const XmlElement*> found;
  for (const XmlElement& one : children)
    if (one.name == wanted) found.push_back(&one);
  return found;
}

void XmlElement::fail(std::string_view problem) const {
  const std::string* called = find("name");
  throw InputError(fmt::format("{}: <{}{}>: {}", where(), name,
                               called ? " name=" + in_quotes(*called) : std::string(), problem));
}

double number_of(const XmlElement& element, std::string_view attribute, std::string_view value) {
  const auto wrong = [&] {
    element.fail(
        fmt::format("{} must be a number, got {}", attribute, in_quotes(std::string(value))));
  };
  std::string_view digits = value;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc::result_out_of_range && end == digits.data() + digits.size())
    element.fail(fmt::format("{} is beyond the range of numbers: {}", attribute,
                             in_quotes(std::string(value))));
  if (error != std::errc() || end != digits.data() + digits.size()) wrong();
  if (!std::isfinite(number))
    element.fail(fmt::format("{} must be finite, got {}", attribute, in_quotes(digits)));
  return number;
}

std::vector<double> numbers_of(const XmlElement& element, std::string_view attribute,
                               std::string_view value) {
  std::vector<double> numbers;
  std::size_t at = 0;
  while (true) {
    while (at < value.size() && is_blank(value[at])) ++at;
    if (at == value.size()) return numbers;
    std::size_t end = at;
    while (end < value.size() && !is_blank(value[end])) ++end;
    if (numbers.size() == kMostNumbers)
      element.fail(fmt::format("{} has more than {} numbers", attribute, kMostNumbers));
    numbers.push_back(number_of(element, attribute, value.substr(at, end - at)));
    at = end;
  }
}

std::string required_text(const XmlElement& element, std::string_view attribute) {
  const std::string* value = element.find(attribute);
  if (!value) element.fail(fmt::format("needs the attribute \"{}\"", attribute));
  if (value->empty()) element.fail(fmt::format("the attribute \"{}\" is empty", attribute));
  return *value;
}

double required_number(const XmlElement& element, std::string_view attribute) {
  required_text(element, attribute);
  return *optional_number(element, attribute);
}

std::optional<double> optional_number(const XmlElement& element, std::string_view attribute) {
  const auto one = optional_numbers(element, attribute, 1);
  if (!one) return std::nullopt;
  return one->front();
}

std::optional<std::vector<double>> optional_numbers(const XmlElement& element,
                                                    std::string_view attribute, std::size_t count) {
  const std::string* value = element.find(attribute);
  if (!value) return std::nullopt;
  std::vector<double> numbers = numbers_of(element, attribute, *value);
  if (numbers.size() != count)
    element.fail(fmt::format("{} must have {} number{}, got {}", attribute, count,
                             count == 1 ? "" : "s", in_quotes(*value)));
  return numbers;
}

std::optional<Vec3> optional_vec3(const XmlElement& element, std::string_view attribute) {
  const auto numbers = optional_numbers(element, attribute, 3);
  if (!numbers) return std::nullopt;
  return Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

}  // namespace pliant::robots
