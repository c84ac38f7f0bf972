#include <pliant/coarsen/rest_fit.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

void fit_to(const FineModes& fine, ModePairing pairing, RestFit& fit) {
  const Eigen::Index s = fit.values.size();
  fit.overlap = fit.vectors.transpose() * fine.carried;
  fit.pairing = pair_modes(fit.overlap);
  fit.acceptance = accept_modes(fit.overlap.leftCols(std::min(s, fit.overlap.cols())));
  fit.ratios.setOnes(s);
  fit.fine_values.setZero(s);
  fit.distances.setConstant(s, std::sqrt(2.0));
  for (Eigen::Index i = 0; i < s; ++i) {
    const Eigen::Index j =
        pairing == ModePairing::index ? i : fit.pairing.partner[static_cast<std::size_t>(i)];
    if (j < 0 || j >= fine.values.size()) continue;
    fit.fine_values[i] = fine.values[j];
    const double overlap = std::min(1.0, std::abs(fit.overlap(i, j)));
    fit.distances[i] = std::sqrt(2 - 2 * overlap);
    // A shape that has nothing to do with its partner says nothing of a ratio.
    const bool known = fit.overlap.row(i).norm() > kKnownOverlap;
    if (fit.values[i] > 0 && (known || pairing == ModePairing::index))
      fit.ratios[i] = fine.values[j] / fit.values[i];
  }
}

void fit_to(std::span<const double> ratios, RestFit& fit) {
  const Eigen::Index s = fit.values.size();
  fit.ratios.setOnes(s);
  for (Eigen::Index i = 0; i < std::min<Eigen::Index>(s, ratios.size()); ++i)
    fit.ratios[i] = ratios[static_cast<std::size_t>(i)];
  fit.fine_values = fit.values.cwiseProduct(fit.ratios);
  fit.distances.setZero(s);
  fit.pairing.partner.resize(static_cast<std::size_t>(s));
  std::iota(fit.pairing.partner.begin(), fit.pairing.partner.end(), 0);
  fit.acceptance = {static_cast<Index>(s), static_cast<Index>(s)};
}

Index agreed_modes(const RestFit& fit) {
  const double farthest = std::sqrt(2 - 2 * kKnownOverlap);
  Index count = 0;
  while (count < fit.distances.size() && fit.distances[count] < farthest) ++count;
  return count;
}

double stiffness_factor(const RestFit& fit, Index count) {
  double sum = 0, squares = 0;
  for (Eigen::Index i = 0; i < std::min<Eigen::Index>(count, fit.values.size()); ++i) {
    if (!(fit.fine_values[i] > 0)) continue;
    const double stiffer = fit.values[i] / fit.fine_values[i];
    sum += stiffer;
    squares += stiffer * stiffer;
  }
  return squares > 0 ? sum / squares : 1;
}

}  // namespace pliant
