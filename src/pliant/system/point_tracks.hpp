// Where points are over time, as an animation gives it: places at some times, and between them the
// cubic through two of them whose slopes at both are those of the parabola through the neighbours
// (Catmull and Rom 1974, for times that need not be evenly spaced). Position and velocity are
// continuous. Before the first and after the last time the points rest: a motion that shall begin
// and end without a jerk repeats its first and its last frame.
#pragma once

#include <pliant/core/curve.hpp>

#include <vector>

namespace pliant {

class PointTracks {
 public:
  // Times (s) must increase strictly. `places` (m) holds x, y, z of all points frame by frame, in
  // single precision, as files do: an animation may be large.
  PointTracks(std::vector<double> times, std::size_t points, std::vector<float> places);

  std::size_t points() const { return points_; }
  std::size_t frames() const { return times_.size(); }
  Curve::Sample at(std::size_t point, double t) const;
  double fastest() const;  // m/s, between two frames

 private:
  Vec3 place(std::size_t frame, std::size_t point) const;
  Vec3 slope(std::size_t frame, std::size_t point) const;

  std::vector<double> times_;
  std::size_t points_;
  std::vector<float> places_;
};

}  // namespace pliant
