#include <pliant/core/suggest.hpp>

#include <pliant/core/other_names.hpp>

#include <algorithm>
#include <cctype>
#include <vector>

namespace pliant {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Restricted Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of
// neighbours cost one each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> before_last(columns), last(columns), current(columns);
  for (std::size_t j = 0; j < columns; ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j < columns; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 64) return {};
  const std::string_view ours = our_name_of(word);
  if (std::find(candidates.begin(), candidates.end(), ours) != candidates.end())
    return std::string(ours);
  // Up to a third of the letters may be wrong, or two, but never more than half of the word.
  const std::size_t limit = std::min(std::max<std::size_t>(2, word.size() / 3), word.size() / 2);
  std::size_t best = limit + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  if (candidates.empty()) return {};
  if (const std::string near = word.empty() ? "" : nearest_name(word, candidates); !near.empty())
    return ", did you mean \"" + near + "\"?";
  std::string known = ", known: ";
  for (std::size_t i = 0; i < candidates.size(); ++i) known += (i ? ", " : "") + candidates[i];
  return known;
}

}  // namespace pliant
