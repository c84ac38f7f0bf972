#include <pliant/view/history_text.hpp>

#include <pliant/study/history_table.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <string_view>

namespace pliant {
namespace {

// Where each whole line begins, and where the last one ends.
std::vector<std::size_t> line_starts(const std::string& text) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '\n') starts.push_back(k + 1);
  return starts;
}

std::string line(const std::string& text, const std::vector<std::size_t>& starts, std::size_t k) {
  return text.substr(starts[k], starts[k + 1] - 1 - starts[k]);
}

Json number_of_text(const std::string& field) {
  double value = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return nullptr;
  return value;
}

}  // namespace

std::vector<std::string> history_columns(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? std::vector<std::string>() : csv_fields(text.substr(0, end));
}

Json thinned_history(const std::string& text) {
  const std::vector<std::size_t> starts = line_starts(text);
  Json rows = Json::array();
  const std::size_t lines = starts.size() - 1;  // the first of them the header
  if (lines > 1) {
    const std::size_t last = lines - 2, stride = last / (kMostRows - 1) + 1;
    const auto add = [&](std::size_t row) {
      Json numbers = Json::array();
      for (const std::string& field : csv_fields(line(text, starts, row + 1)))
        numbers.push_back(number_of_text(field));
      rows.push_back(std::move(numbers));
    };
    for (std::size_t row = 0; row < last; row += stride) add(row);
    add(last);
  }
  return {{"columns", history_columns(text)}, {"rows", std::move(rows)}};
}

}  // namespace pliant
