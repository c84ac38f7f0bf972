// A quantity given at some times: between them a monotone cubic (Fritsch and Carlson 1980), so that
// the curve has a continuous derivative and never overshoots its knots; before the first and after
// the last it holds their value.
#pragma once

#include <pliant/core/types.hpp>

#include <vector>

namespace pliant {

class Curve {
 public:
  struct Sample {
    Vec3 value = Vec3::Zero(), first = Vec3::Zero(),
         second = Vec3::Zero();  // with time derivatives
  };

  Curve() = default;
  explicit Curve(const Vec3& constant) : times_{0.0}, values_{constant}, slopes_{Vec3::Zero()} {}
  // Times must increase strictly; the caller has checked it.
  Curve(std::vector<double> times, std::vector<Vec3> values);

  bool constant() const { return times_.size() < 2; }
  Sample at(double t) const;

 private:
  std::vector<double> times_;
  std::vector<Vec3> values_, slopes_;
};

}  // namespace pliant
