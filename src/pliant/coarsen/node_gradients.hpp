// The mean deformation gradient around each node of a body, by volume: what its modes are turned by
// as it moves. Made once; elements that do not fill space have none.
#pragma once

#include <pliant/coarsen/body_part.hpp>

namespace pliant {

class NodeGradients {
 public:
  NodeGradients(const PartNodes& nodes,
                std::span<const double> rest);  // the body's own coordinates

  std::vector<Mat3> at(std::span<const double> x) const;  // F; identity where there is none
  std::vector<Mat3> rotations_at(std::span<const double> x) const;  // those of F = R S

 private:
  struct Element {
    std::array<Index, 4> corners;  // that span it
    Mat3 to_rest;                  // edges at rest, inverted
    double volume = 0;             // m³, up to a factor
    std::size_t first = 0;         // of its nodes
    std::size_t count = 0;
  };
  std::vector<Element> elements_;
  std::vector<Index> nodes_;
  std::vector<double> volumes_;  // around each node
};

}  // namespace pliant
