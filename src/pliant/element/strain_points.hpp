// The points at which a batch of elements measures strain: F = Σ_a x_a g_aᵀ with three rows and as
// many columns as the element has dimensions, FᵀF = 1 at rest, and Hooke's law there.
#pragma once

#include <pliant/element/strain_measure.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

class StrainPoints {
 public:
  // `rest` holds all nodes of the system.
  StrainPoints(const LocalElastic& elastic, std::span<const double> rest);

  std::size_t size() const { return maps_.size(); }
  std::size_t nodes() const { return static_cast<std::size_t>(maps_.nodes); }  // of a point
  int d() const { return maps_.rows; }
  const std::vector<Index>& connectivity() const { return maps_.connectivity; }
  Index node_of(std::size_t point, std::size_t a) const {
    return maps_.connectivity[point * nodes() + a];
  }
  Eigen::Map<const Vector> gradient(std::size_t point, std::size_t a) const {
    return {maps_.g.data() + (point * nodes() + a) * static_cast<std::size_t>(d()), d()};
  }
  Gradient deformation(std::size_t point, std::span<const double> x) const;

  // What the potential is at rest, as a matrix over the components of a strain, in J.
  ComponentMatrix law(const LocalElastic& elastic, std::span<const double> rest, std::size_t point,
                      StrainMeasure measure) const;

 private:
  LocalMaps maps_;
  std::vector<double> scale_;  // what g was multiplied by
};

}  // namespace pliant
