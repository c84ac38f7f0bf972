#include <pliant/io/formats/vtu_numbers.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant::formats {
namespace {

// Small files can expand to large arrays, and pieces may share one array. No more numbers than this
// are taken from a file.
constexpr std::size_t most_numbers = std::size_t{1} << 28;

std::string_view decoded_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::optional<Scalar> vtk_scalar(std::string_view name) {
  constexpr std::array<std::string_view, 10> names = {"Int8",    "UInt8",  "Int16", "UInt16",
                                                      "Int32",   "UInt32", "Int64", "UInt64",
                                                      "Float32", "Float64"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<Scalar>(found - names.begin());
}

VtuNumbers::VtuNumbers(std::string name, std::string_view bytes, std::string_view kind)
    : name_(std::move(name)),
      bytes_(bytes),
      cursor_(name_, bytes_),
      document_(scan_vtu(cursor_, kind)) {
  if (document_.pieces.empty()) cursor_.fail("there is no <Piece>");
}

const VtuArray* VtuNumbers::find(std::string_view section, std::string_view array) const {
  for (const VtuArray& one : document_.arrays)
    if (one.piece == 0 && one.section == section && one.name == array) return &one;
  return nullptr;
}

const VtuArray& VtuNumbers::require(std::string_view section, std::string_view array) const {
  const VtuArray* found = find(section, array);
  if (!found) fail(fmt::format("has no array \"{}\"", array));
  return *found;
}

void VtuNumbers::fail(const VtuArray& array, const std::string& problem) const {
  throw InputError(fmt::format("{}: array {} {}", name_, in_quotes(array.name), problem));
}

// Calls take(cursor, type) for each number of the array.
template <class Take>
void VtuNumbers::for_each_number(const VtuArray& array, Take&& take) {
  const std::optional<Scalar> type = vtk_scalar(array.type == "String" ? "UInt8" : array.type);
  if (!type) fail(array, fmt::format("has type {}, which is unknown", in_quotes(array.type)));
  const bool text = array.format == VtuFormat::ascii;
  const std::vector<std::byte> bytes =
      text ? std::vector<std::byte>() : decode_vtu_array(document_, cursor_, array);
  FileCursor numbers(text ? name_ : fmt::format("{}: array {}", name_, in_quotes(array.name)),
                     text ? bytes_.substr(0, array.end) : decoded_text(bytes));
  if (text) {
    numbers.seek(array.begin);
  } else {
    numbers.coding = document_.byte_order;
    if (bytes.size() % size_of(*type) != 0)
      fail(array, fmt::format("has {} bytes, which is no whole number of values", bytes.size()));
  }
  while (text ? !numbers.at_end() : numbers.left() > 0) {
    if (++numbers_ > most_numbers) fail(array, "makes the file too large");
    take(numbers, *type);
  }
}

std::vector<std::int64_t> VtuNumbers::integers(const VtuArray& array) {
  std::vector<std::int64_t> values;
  for_each_number(array, [&values](FileCursor& numbers, Scalar type) {
    values.push_back(numbers.integer_as(type, "a whole number"));
  });
  return values;
}

std::vector<double> VtuNumbers::reals(const VtuArray& array, std::string_view item,
                                      std::size_t components) {
  std::vector<double> values;
  for_each_number(array, [&](FileCursor& numbers, Scalar type) {
    values.push_back(numbers.number_as(type, "a number"));
    if (!std::isfinite(values.back()))
      numbers.fail(fmt::format("{} {} is not finite", item, (values.size() - 1) / components));
  });
  return values;
}

}  // namespace pliant::formats
