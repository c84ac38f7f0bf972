// A quantity given at some times. Between them either straight lines, as loads are, or a monotone
// cubic (Fritsch and Butland 1984), as motions are: a continuous velocity that never overshoots the
// knots. Before the first and after the last time it holds their value, at rest: a motion that
// shall begin and end without a jerk repeats its first and its last row.
#pragma once

#include <pliant/core/types.hpp>

#include <span>
#include <vector>

namespace pliant {

class Curve {
 public:
  struct Sample {
    Vec3 value = Vec3::Zero(), first = Vec3::Zero(),
         second = Vec3::Zero();  // with time derivatives
  };

  enum class Between { smooth, straight };

  Curve() = default;
  explicit Curve(const Vec3& constant) : times_{0.0}, values_{constant}, slopes_{Vec3::Zero()} {}
  // Times must increase strictly; the caller has checked it.
  Curve(std::vector<double> times, std::vector<Vec3> values, Between between = Between::smooth);

  bool constant() const { return times_.size() < 2; }
  std::span<const Vec3> values() const { return values_; }  // at the knots, which bound the rest
  Sample at(double t) const;

 private:
  std::vector<double> times_;
  std::vector<Vec3> values_, slopes_;
  Between between_ = Between::smooth;
};

}  // namespace pliant
