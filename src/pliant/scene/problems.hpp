// Collects what is wrong with a document, so that a user sees several mistakes at once: one line
// each, "scene.json#/materials/jelly/poisson: must be below 0.5, got 0.5".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

class Problems {
 public:
  explicit Problems(std::string_view document) : document_(document) {}

  // Throws at once when `limit` problems have come together.
  void add(std::string_view pointer, std::string_view what);
  void throw_if_any() const;  // InputError with all of them
  std::size_t count() const { return lines_.size(); }

  static constexpr std::size_t limit = 10;

 private:
  std::string document_;
  std::vector<std::string> lines_;
};

}  // namespace pliant
