// A coarse and a fine beam of the same material, and the coarse one with its modes corrected.
#pragma once

#include <pliant/coarsen/coarse_plan.hpp>
#include <pliant/coarsen/eigenfit_term.hpp>

#include "support/beams.hpp"

#include <algorithm>

namespace pliant::test {

// Of three different edges, so that no two modes have one frequency.
inline BeamSpec coarse_spec(const std::string& law) {
  return {.size = Vec3(4, 1, 0.7),
          .cells = {6, 2, 1},
          .law = law,
          .young = 1e5,
          .poisson = 0.4,
          .gravity = Vec3::Zero()};
}

inline FineReference make_fine(BeamSpec spec, const Mesh& coarse, double shift = 0) {
  spec.cells = {12, 4, 3};
  Model fine = make_beam(spec);
  for (Vec3& x : fine.bodies[0].mesh.points) x.x() += shift;
  std::vector<HeldNodes> pins;
  for (const Pin& pin : fine.system->pins()) pins.push_back({pin.nodes, pin.axes});
  return FineReference(std::move(fine), std::move(pins), coarse, "fine");
}

struct CorrectedBeam {
  Model model;
  CoarsePlan plan;
  const EigenFitTerm* term = nullptr;
  const RestFit& fit() const { return *plan.fits[0]; }
};

struct Correction {
  std::optional<Index> modes = 6;
  Index subspace = 0;
  std::vector<double> ratios = {};  // empty: those of a fine mesh
  EigenFitOptions options = {};
};

inline CorrectedBeam make_corrected(const BeamSpec& spec, const Correction& wanted = {}) {
  CorrectedBeam out;
  out.model = make_beam(spec);
  System& system = *out.model.system;
  const Body& body = out.model.bodies[0];
  const std::vector<Pin> pins(system.pins().begin(), system.pins().end());
  CoarseRequest request{.modes = wanted.modes,
                        .subspace = wanted.subspace,
                        .pairing = wanted.options.pairing,
                        .ratios = wanted.ratios,
                        .where = "coarsen"};
  std::optional<FineReference> fine;
  if (wanted.ratios.empty()) {
    fine.emplace(make_fine(spec, body.mesh));
    request.fine = &*fine;
  }
  out.plan = make_coarse_plan(out.model, pins, request, ModeCache(), Log());
  EigenFitInput input{.body = "beam",
                      .nodes = nodes_of(body),
                      .linear = body.batches[0].term->is_linear(),
                      .beta = spec.beta,
                      .pins = pins,
                      .fits = out.plan.fits,
                      .options = wanted.options};
  input.options.modes = out.plan.modes;
  input.options.subspace = out.plan.subspace;
  auto term = std::make_unique<EigenFitTerm>(std::move(input), system.mass(), system.rest());
  out.term = term.get();
  system.add_term(std::move(term));
  return out;
}

// A step of a system that has begun, at positions that need not be those at rest.
struct OpenStep {
  State state;
  StepData data;
  DofMask mask;
  OpenStep(const System& system, State start, double h = 0.01) : state(std::move(start)) {
    system.open_step(state, h, data, mask);
  }
  std::vector<Eigen::Index> free() const {
    std::vector<Eigen::Index> out;
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (!mask[i]) out.push_back(static_cast<Eigen::Index>(i));
    return out;
  }
};

// Bent and twisted about its pinned end, by `angle` at the other.
inline State deformed(const System& system, double angle, double length = 4) {
  State state = system.make_state();
  for (Index n = 0; n < system.nodes(); ++n) {
    const Vec3 x = state.q.segment<3>(3 * n);
    const double part = x.x() / length + 0.5;
    state.q.segment<3>(3 * n) =
        Eigen::AngleAxisd(part * angle, Vec3(1, 0.3, 0.5).normalized()) * x +
        Vec3(0, 0.2 * angle * part * part, 0);
  }
  return state;
}

}  // namespace pliant::test
