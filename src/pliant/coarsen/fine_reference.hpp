// The fine mesh that a coarse body shall move like. Only its modes at rest are ever computed.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/coarsen/mode_cache.hpp>
#include <pliant/coarsen/rest_fit.hpp>
#include <pliant/element/mapped_point.hpp>

namespace pliant {

struct HeldNodes {           // by one pin
  std::vector<Index> nodes;  // of the system
  std::array<bool, 3> axes = {true, true, true};
};

class FineReference {
 public:
  // `fine` has one body, made of what the coarse one is made of; `pins` hold it like those of the
  // coarse body, in the same order. Throws InputError, beginning with `where`, where the two
  // meshes are not of the same shape and place.
  FineReference(Model fine, std::vector<HeldNodes> pins, const Mesh& coarse,
                const std::string& where);

  // The lowest `count` modes at rest with the pins that are active. Throws CannotContinue where
  // they cannot be found.
  FineModes modes(const std::vector<bool>& active, Index count, const ModeCache& cache,
                  const Log& log) const;
  // The same as vectors of the fine mesh.
  ElasticModes find(const std::vector<bool>& active, Index count, const ModeCache& cache,
                    const Log& log) const;
  const Model& model() const { return model_; }
  Matrix carry(const Matrix& coarse) const;  // B U: vectors of the coarse mesh on the fine one

 private:
  Model model_;
  std::vector<HeldNodes> pins_;
  std::vector<MappedPoint> points_;  // of the fine mesh by nodes of the coarse one: B
  Eigen::Index coarse_dofs_ = 0;
};

}  // namespace pliant
