// What a driven constraint is to follow over time: a constant, a rate, or a curve.
#pragma once

#include <pliant/core/curve.hpp>

#include <optional>

namespace pliant {

struct Target {
  double start = 0, rate = 0;  // rad or m, and per second
  std::optional<Curve> curve;  // its first component, in place of both

  double at(double t) const { return curve ? curve->at(t).value.x() : start + rate * t; }
  double acceleration(double t) const { return curve ? curve->at(t).second.x() : 0; }
};

}  // namespace pliant
