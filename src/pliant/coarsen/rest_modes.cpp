#include <pliant/coarsen/rest_modes.hpp>

#include <pliant/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {

bool RestModes::are_of(const StepStart& step, std::span<const Pin> pins,
                       const BodyPart& part) const {
  const double begin = step.now.t, end = step.now.t + step.h;
  for (std::size_t p = 0; p < pins.size(); ++p)
    if (active[p] != pins[p].active_during(begin, end)) return false;
  const auto first = step.mask.begin() + 3 * static_cast<std::ptrdiff_t>(part.nodes().first);
  return std::equal(mask.begin(), mask.end(), first);
}

std::vector<std::vector<bool>> pin_sets(std::span<const Pin> pins) {
  std::vector<double> times = {0};
  for (const Pin& pin : pins)
    for (const double t : {pin.from, pin.until})
      if (std::isfinite(t) && t > 0) times.push_back(t);
  std::sort(times.begin(), times.end());
  std::vector<std::vector<bool>> sets;
  for (const double t : times) {
    std::vector<bool> active;
    for (const Pin& pin : pins) active.push_back(pin.from <= t && t < pin.until);
    if (std::find(sets.begin(), sets.end(), active) == sets.end())
      sets.push_back(std::move(active));
  }
  return sets;
}

RestModes find_rest_modes(const BodyPart& part, const BlockMatrix& K, const Vector& rest,
                          std::span<const Pin> pins, const std::vector<bool>& active, Index count) {
  RestModes out;
  out.active = active;
  out.mask.assign(static_cast<std::size_t>(part.dofs()), 0);
  for (std::size_t p = 0; p < pins.size(); ++p)
    if (active[p])
      for (const Index n : pins[p].nodes)
        for (std::size_t i = 0; i < 3; ++i)
          if (pins[p].axes[i])
            out.mask[3 * static_cast<std::size_t>(n - part.nodes().first) + i] = kPrescribed;
  EigenpairSolver solver;
  ElasticModes modes =
      find_elastic_modes({{K, part.mass(), out.mask}, part.part_of(view(rest)), count}, solver);
  if (!modes.ok) throw CannotContinue("the modes of a body could not be found: " + modes.reason);
  out.values = std::move(modes.values);
  out.vectors = std::move(modes.vectors);
  out.start = std::move(modes.start);
  out.MU = part.times_mass(out.vectors);
  for (std::size_t i = 0; i < out.mask.size(); ++i)
    if (out.mask[i]) out.MU.row(static_cast<Eigen::Index>(i)).setZero();
  return out;
}

}  // namespace pliant
