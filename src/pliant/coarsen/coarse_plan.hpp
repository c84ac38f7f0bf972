// Everything about a coarse body that is decided before it moves: the fits for all sets of pins
// that will hold it, and how many of its modes are corrected.
#pragma once

#include <pliant/coarsen/fine_reference.hpp>

namespace pliant {

struct CoarseRequest {
  std::optional<Index> modes;  // none: as many as the meshes agree on
  Index subspace = 0;          // at least as many are followed
  ModePairing pairing = ModePairing::overlap;
  std::vector<double> ratios;           // given ones, without a fine mesh
  const FineReference* fine = nullptr;  // else
  std::string where;                    // for messages
};

struct CoarsePlan {
  Index nodes = 0;  // of the coarse mesh
  Index modes = 0, subspace = 0;
  std::vector<std::shared_ptr<const RestFit>> fits;  // the first is that of time 0
};

// `coarse` has one body. Throws InputError where more modes are wanted than it has.
CoarsePlan make_coarse_plan(const Model& coarse, std::span<const Pin> pins,
                            const CoarseRequest& request, const ModeCache& cache, const Log& log);

PartNodes nodes_of(const Body& body);
// All moduli of what the body is made of, times the factor: DAC.
void scale_stiffness(double factor, SolidInput& solid);

}  // namespace pliant
