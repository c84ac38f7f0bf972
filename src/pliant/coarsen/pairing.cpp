#include <pliant/coarsen/pairing.hpp>

#include <fmt/format.h>

namespace pliant {

Index Pairing::crossed() const {
  Index count = 0;
  for (std::size_t i = 0; i < partner.size(); ++i) count += partner[i] != static_cast<Index>(i);
  return count;
}

std::string Pairing::in_words() const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < partner.size(); ++i) {
    const auto j = static_cast<std::size_t>(partner[i]);
    if (j == i) continue;
    const bool swapped = j < partner.size() && static_cast<std::size_t>(partner[j]) == i;
    if (swapped && i < j) words.push_back(fmt::format("{} <-> {}", i + 1, j + 1));
    if (!swapped) words.push_back(fmt::format("{} -> {}", j + 1, i + 1));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

Pairing pair_modes(const Matrix& overlap) {
  Matrix left = overlap.cwiseAbs();
  Pairing pairing;
  pairing.partner.assign(static_cast<std::size_t>(overlap.rows()), -1);
  for (Eigen::Index k = 0; k < std::min(overlap.rows(), overlap.cols()); ++k) {
    Eigen::Index i = 0, j = 0;
    left.maxCoeff(&i, &j);
    pairing.partner[static_cast<std::size_t>(i)] = static_cast<Index>(j);
    left.row(i).setConstant(-1);
    left.col(j).setConstant(-1);
  }
  return pairing;
}

Acceptance accept_modes(const Matrix& overlap) {
  Acceptance acceptance;
  acceptance.of = static_cast<Index>(overlap.cols());
  for (Eigen::Index j = 0; j < overlap.cols(); ++j)
    acceptance.known += overlap.rows() > 0 && overlap.col(j).cwiseAbs().maxCoeff() > kKnownOverlap;
  return acceptance;
}

}  // namespace pliant
