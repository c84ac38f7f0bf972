// Where an axis is ruled and what it says there.
#pragma once

#include <pliant/analysis/plot.hpp>

namespace pliant {

struct Tick {
  double value = 0;
  std::string label;  // empty: a minor tick
};

// An axis with its ends fixed: places run from 0 to 1.
struct Ruler {
  Scale scale = Scale::linear;
  double min = 0, max = 1;
  double place(double value) const;
  bool shows(double value) const;  // finite, and positive on a logarithmic axis
};

// The ends that show all values of the series with a little air, unless the axis gives its own.
Ruler make_ruler(const Axis& axis, const std::vector<Series>& series,
                 std::vector<double> Series::*values);
std::vector<Tick> make_ticks(const Ruler& ruler, int wanted);

}  // namespace pliant
