#include <pliant/contact/ccd_queries.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/timer.hpp>

#include <fmt/format.h>
#include <boost/multiprecision/cpp_int.hpp>

#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

namespace pliant {
namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr std::size_t most_digits = 4000, most_columns = 7, rows_per_query = 8;

class Line {
 public:
  Line(std::string_view text, const std::string& name, std::size_t number)
      : text_(text), name_(name), number_(number) {}

  std::string_view field() {
    const std::size_t comma = text_.find(',');
    std::string_view word = text_.substr(0, comma);
    text_ = comma == std::string_view::npos ? std::string_view() : text_.substr(comma + 1);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\r')) word.remove_suffix(1);
    return word;
  }

  Integer integer() {
    const std::string_view word = field();
    const std::size_t sign = word.starts_with('-') || word.starts_with('+') ? 1 : 0;
    const std::string_view digits = word.substr(sign);
    if (digits.empty() || digits.size() > most_digits ||
        digits.find_first_not_of("0123456789") != std::string_view::npos)
      fail(fmt::format("\"{}\" is no whole number", word.substr(0, 40)));
    // A leading zero would be read as octal.
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    const Integer value(std::string(digits.substr(first)));
    return word.starts_with('-') ? Integer(-value) : value;
  }

  double rational() {
    const Integer numerator = integer(), denominator = integer();
    if (denominator == 0) fail("a denominator is zero");
    const double value =
        static_cast<double>(boost::multiprecision::cpp_rational(numerator, denominator));
    if (!std::isfinite(value)) fail("a coordinate is too large");
    return value;
  }

  bool flag() {
    const std::string_view word = field();
    if (word != "0" && word != "1")
      fail(fmt::format("the last column must be 0 or 1, got \"{}\"", word.substr(0, 40)));
    if (!text_.empty()) fail(fmt::format("has more than {} columns", most_columns));
    return word == "1";
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: {}", name_, number_, problem));
  }

 private:
  std::string_view text_;
  const std::string& name_;
  std::size_t number_;
};

}  // namespace

std::vector<CcdQuery> parse_ccd_queries(std::istream& in, const std::string& name) {
  std::vector<CcdQuery> queries;
  std::string text;
  std::size_t row = 0, number = 0;
  while (std::getline(in, text)) {
    ++number;
    if (text.find_first_not_of(" \r\t") == std::string::npos) continue;
    Line line(text, name, number);
    if (row == 0) queries.emplace_back();
    CcdQuery& query = queries.back();
    PairPoints& points = row < 4 ? query.start : query.end;
    for (int j = 0; j < 3; ++j) points(j, static_cast<int>(row % 4)) = line.rational();
    const bool collides = line.flag();
    if (row > 0 && collides != query.collides)
      line.fail("the rows of a query disagree on its answer");
    query.collides = collides;
    row = (row + 1) % rows_per_query;
  }
  if (row != 0)
    throw InputError(fmt::format("{}: ends within query {}, which has {} rows of 8", name,
                                 queries.size() - 1, row));
  if (queries.empty()) throw InputError(fmt::format("{}: holds no query", name));
  return queries;
}

std::vector<CcdQuery> read_ccd_queries(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError(fmt::format("{}: is a directory, expected a file of queries", path.string()));
  std::ifstream in(path);
  if (!in) throw InputError(fmt::format("{}: cannot be opened", path.string()));
  return parse_ccd_queries(in, path.string());
}

CcdScore score_ccd(PairKind kind, const std::vector<CcdQuery>& queries) {
  CcdScore score;
  score.queries = queries.size();
  const Timer timer;
  for (const CcdQuery& query : queries) {
    const CcdAnswer answer = find_impact(kind, query.start, query.end - query.start);
    score.collisions += query.collides;
    score.false_negatives += query.collides && !answer.hit;
    score.false_positives += !query.collides && answer.hit;
    score.iterations += answer.iterations;
  }
  score.seconds = timer.seconds();
  return score;
}

}  // namespace pliant
