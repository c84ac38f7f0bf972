#include <pliant/analysis/text_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

std::string escaped(const std::string& cell) {  // a bar would end the cell
  std::string text;
  for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

bool looks_numeric(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-e%~x ") == std::string::npos;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string shortest(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths;
  for (const std::string& word : header_) widths.push_back(display_width(word));
  for (const auto& row : rows_)
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], display_width(row[k]));
  return widths;
}

// A column is set to the right where all that is in it are numbers.
bool TextTable::numeric(std::size_t column) const {
  return std::all_of(rows_.begin(), rows_.end(), [&](const auto& row) {
    return row[column].empty() || looks_numeric(row[column]);
  });
}

std::string TextTable::text() const {
  const std::vector<std::size_t> width = widths();
  std::string out;
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string gap(width[k] - display_width(row[k]), ' ');
      text += numeric(k) ? gap + row[k] : row[k] + gap;
      text += "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  };
  line(header_);
  for (const auto& row : rows_) line(row);
  return out;
}

std::string TextTable::markdown() const {
  std::string out;
  const auto line = [&](const std::vector<std::string>& row) {
    out += '|';
    for (const std::string& cell : row) out += ' ' + escaped(cell) + " |";
    out += '\n';
  };
  line(header_);
  out += '|';
  for (std::size_t k = 0; k < header_.size(); ++k) out += numeric(k) ? "---:|" : "---|";
  out += '\n';
  for (const auto& row : rows_) line(row);
  return out;
}

std::string TextTable::csv() const {
  std::string out;
  const auto line = [&](const std::vector<std::string>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) out += (k ? "," : "") + quoted(row[k]);
    out += '\n';
  };
  line(header_);
  for (const auto& row : rows_) line(row);
  return out;
}

}  // namespace pliant
