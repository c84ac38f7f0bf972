#include <pliant/coarsen/coarse_plan.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr Index kMostModes = 20;  // "essentially determine the visual result", CHEN §3.5
constexpr Index kMoreFine = 6;    // fine modes beyond, among which partners are looked for too

RestFit find_rest_modes(const BodyPart& part, const BlockMatrix& K, const Vector& rest,
                        std::span<const Pin> pins, const std::vector<bool>& active, Index count) {
  RestFit fit;
  fit.active = active;
  fit.mask.assign(static_cast<std::size_t>(part.dofs()), 0);
  for (std::size_t p = 0; p < pins.size(); ++p)
    if (active[p])
      for (const Index n : pins[p].nodes)
        for (std::size_t i = 0; i < 3; ++i)
          if (pins[p].axes[i])
            fit.mask[3 * static_cast<std::size_t>(n - part.nodes().first) + i] = kPrescribed;
  EigenpairSolver solver;
  ElasticModes modes =
      find_elastic_modes({{K, part.mass(), fit.mask}, part.part_of(view(rest)), count}, solver);
  if (!modes.ok)
    throw CannotContinue("the modes of the coarse mesh could not be found: " + modes.reason);
  fit.values = std::move(modes.values);
  fit.vectors = std::move(modes.vectors);
  fit.start = std::move(modes.start);
  fit.MU = part.times_mass(fit.vectors);
  for (std::size_t i = 0; i < fit.mask.size(); ++i)
    if (fit.mask[i]) fit.MU.row(static_cast<Eigen::Index>(i)).setZero();
  return fit;
}

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
    RestFit fit = find_rest_modes(part, K, system.rest(), pins, active, wanted);
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
