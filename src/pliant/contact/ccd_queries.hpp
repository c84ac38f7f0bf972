// Collision queries with known answers, as benchmarks of collision detection publish them: a text
// file of eight lines a query, the four points at t = 0 and then at t = 1; a line is x, y and z,
// each as numerator,denominator of any length, and 1 or 0 for whether the pair collides. A point
// and a triangle come as the point and the three corners, two edges as a0, a1, b0, b1.
#pragma once

#include <pliant/contact/ccd.hpp>

#include <filesystem>
#include <istream>
#include <vector>

namespace pliant {

struct CcdQuery {
  PairPoints start, end;  // the rational numbers rounded to double
  bool collides = false;
};

// Throws InputError that names file and line.
std::vector<CcdQuery> read_ccd_queries(const std::filesystem::path& path);
std::vector<CcdQuery> parse_ccd_queries(std::istream& in, const std::string& name);

struct CcdScore {
  std::size_t queries = 0, collisions = 0;
  std::size_t false_negatives = 0, false_positives = 0;
  long iterations = 0;
  double seconds = 0;  // in all
};
CcdScore score_ccd(PairKind kind, const std::vector<CcdQuery>& queries);

}  // namespace pliant
