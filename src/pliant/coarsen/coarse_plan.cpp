#include <pliant/coarsen/coarse_plan.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr Index kMostModes = 20;  // "essentially determine the visual result", CHEN §3.5
constexpr Index kMoreFine = 6;    // fine modes beyond, among which partners are looked for too

// A body that is held everywhere has no modes and needs none.
void require_enough(const RestFit& fit, const CoarseRequest& request, Index wanted) {
  const auto there = static_cast<Index>(fit.values.size());
  if (there == 0 || there >= wanted || !request.modes) return;
  throw InputError(fmt::format("{}: {} modes are wanted, the coarse mesh has {} that deform it",
                               request.where, wanted, there));
}

void keep(Index count, RestFit& fit) {
  const Eigen::Index s = std::min<Eigen::Index>(count, fit.values.size());
  for (Vector* part : {&fit.values, &fit.ratios, &fit.fine_values, &fit.distances})
    part->conservativeResize(s);
  for (Matrix* part : {&fit.vectors, &fit.MU}) part->conservativeResize(part->rows(), s);
  if (fit.overlap.size() == 0) {
    fit.acceptance = {static_cast<Index>(s), static_cast<Index>(s)};
  } else {
    fit.overlap.conservativeResize(s, fit.overlap.cols());
    fit.acceptance = accept_modes(fit.overlap.leftCols(std::min(s, fit.overlap.cols())));
  }
  fit.pairing.partner.resize(static_cast<std::size_t>(s));
}

}  // namespace

PartNodes nodes_of(const Body& body) {
  PartNodes nodes{body.first_node, body.end_node() - body.skin_nodes, {}};
  for (const Body::Batch& batch : body.batches) nodes.elastic.push_back(batch.term);
  return nodes;
}

CoarsePlan make_coarse_plan(const Model& coarse, std::span<const Pin> pins,
                            const CoarseRequest& request, const ModeCache& cache, const Log& log) {
  const System& system = *coarse.system;
  const BodyPart part(nodes_of(coarse.bodies[0]), system.mass());
  BlockMatrix workspace, K;
  const Vector v = Vector::Zero(system.dofs());
  part.assemble({.q = view(system.rest()), .v = view(v)}, workspace, K);
  CoarsePlan plan;
  plan.nodes = coarse.bodies[0].mesh.point_count();
  const Index wanted = std::max(request.modes ? *request.modes : kMostModes, request.subspace);
  std::vector<RestFit> fits;
  plan.modes = request.modes ? *request.modes : kMostModes;
  for (const std::vector<bool>& active : pin_sets(pins)) {
    RestFit fit;
    static_cast<RestModes&>(fit) = find_rest_modes(part, K, system.rest(), pins, active, wanted);
    require_enough(fit, request, wanted);
    if (request.fine)
      fit_to(request.fine->modes(active, wanted + kMoreFine, cache, log), request.pairing, fit);
    else
      fit_to(request.ratios, fit);
    if (!request.modes && fit.values.size() > 0)
      plan.modes = std::min(plan.modes, std::max(agreed_modes(fit), Index{1}));
    fits.push_back(std::move(fit));
  }
  plan.subspace = request.modes ? wanted : std::max(plan.modes, request.subspace);
  for (RestFit& fit : fits) {
    keep(plan.subspace, fit);
    plan.fits.push_back(std::make_shared<const RestFit>(std::move(fit)));
  }
  return plan;
}

void scale_stiffness(double factor, SolidInput& solid) {
  for (SolidMaterial& material : solid.materials) {
    MaterialConstants& constants = material.constants;
    constants.young *= factor;
    for (std::optional<double>* modulus : {&constants.c10, &constants.c01, &constants.bulk})
      if (*modulus) **modulus *= factor;
    for (auto* moduli : {&constants.axial_young, &constants.axial_shear})
      if (*moduli)
        for (double& modulus : **moduli) modulus *= factor;
  }
  for (double& young : solid.young) young *= factor;
}

}  // namespace pliant
