// Gradients against central differences of whole motions.
#pragma once

#include "gradient/bars.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant::test {

// Differences of whole motions over h and h/2, extrapolated: free of the error of second order.
// Where stiffness is made positive, and where contacts begin, motions have kinks: h is short, so
// that few of them are near.
inline double difference(const GradientInput& input, std::size_t k, const std::vector<double>& at,
                         double part) {
  const auto over = [&](double h) {
    std::vector<double> above = at, below = at;
    above[k] += h;
    below[k] -= h;
    return (scene_objective(input, above, Log()) - scene_objective(input, below, Log())) / (2 * h);
  };
  const double h = part * std::max(std::abs(at[k]), 1e-2);
  return (4 * over(h / 2) - over(h)) / 3;
}

struct Accuracy {
  double part = 2e-5;  // of a parameter, that differences are made over
  double tolerance = 1e-5;
  // Of the objective over the parameter: what is felt less than this is held to no more digits.
  double felt = 0;
};
inline void expect_gradient(Json scene, std::vector<std::string> parameters,
                            Accuracy accuracy = {}) {
  GradientInput input{.document = std::move(scene),
                      .base_folder = {},
                      .parameters = std::move(parameters),
                      .objective = everywhere};
  const SceneGradient found = scene_gradient(input, Log());
  EXPECT_EQ(found.value, scene_objective(input, {}, Log()));
  for (std::size_t k = 0; k < input.parameters.size(); ++k) {
    const double wanted = difference(input, k, found.parameters, accuracy.part);
    EXPECT_GT(std::abs(wanted * found.parameters[k]), 1e-7) << input.parameters[k];
    const double scale =
        std::max(std::abs(wanted), accuracy.felt * std::abs(found.value / found.parameters[k]));
    EXPECT_NEAR(found.gradient[k], wanted, accuracy.tolerance * scale) << input.parameters[k];
  }
}

}  // namespace pliant::test
