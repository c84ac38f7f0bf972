// `pliant coarsen`: which coarser mesh of a body still has the modes of the one it has.
#pragma once

#include <pliant/coarsen/pairing.hpp>
#include <pliant/core/interruption.hpp>
#include <pliant/core/log.hpp>
#include <pliant/scene/description.hpp>
#include <pliant/study/scene_loader.hpp>

namespace pliant {

struct CoarseCandidate {
  double times = 1;  // how much coarser than the fine mesh
  MeshDescription mesh;
  Index nodes = 0;
  Acceptance acceptance;
  double least_overlap = 0;                // of the corrected modes with their partners
  double first_ratio = 1, last_ratio = 1;  // λ_fine/λ_coarse
  std::string refusal;                     // why it is none
  bool passes() const { return refusal.empty() && acceptance.passed(); }
};

struct CoarseProposal {
  std::string body;
  Index fine_nodes = 0;
  std::vector<CoarseCandidate> tried;   // from the coarsest on
  const CoarseCandidate* best() const;  // the coarsest that passes; null: none does
};

struct CoarseSearch {
  std::size_t body = 0;
  int modes = 10;
  double most = 8;  // how much coarser at most
  Interruption interrupted = {};
};

// The body's mesh, or the fine mesh of its `coarsen`, is what is to be kept up with. Throws
// InputError where it has no size that could be changed.
CoarseProposal propose_coarse(const SceneDescription& scene, const CoarseSearch& search,
                              const Announce& announce, const Log& log);

std::string proposal_table(const CoarseProposal& proposal);
// What to change in the scene, as --set takes it: the mesh, and `coarsen` with the factor back to
// the fine one.
std::vector<std::string> proposal_settings(const CoarseCandidate& candidate, std::size_t body,
                                           int modes);

}  // namespace pliant
