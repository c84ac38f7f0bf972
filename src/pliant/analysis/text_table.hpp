// A table of words: aligned for a terminal, as Markdown for the docs, as CSV for other programs.
#pragma once

#include <string>
#include <vector>

namespace pliant {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string text() const;  // columns of numbers to the right
  std::string markdown() const;
  std::string csv() const;  // quoted where RFC 4180 asks for it

  const std::vector<std::string>& header() const { return header_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  std::vector<std::size_t> widths() const;
  bool numeric(std::size_t column) const;

  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

std::size_t display_width(const std::string& text);  // in characters, not bytes
std::string shortest(double value);  // reads back as the same number; empty where it is not finite

}  // namespace pliant
