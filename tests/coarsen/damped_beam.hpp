// A beam some of whose modes are damped, for tests of that damping.
#pragma once

#include <pliant/coarsen/coarse_plan.hpp>
#include <pliant/coarsen/modal_damping.hpp>

#include "coarsen/coarse_beam.hpp"

namespace pliant::test {

struct DampedBeam {
  Model model;
  const ModalDamping* term = nullptr;
  System& system() const { return *model.system; }
  const ModalSet& set() const { return *term->sets()[0]; }
};

inline void add_damping(const ModalLaw& law, DampedBeam& beam) {
  System& system = beam.system();
  auto term = std::make_unique<ModalDamping>(
      ModalDampingInput{.body = "beam",
                        .nodes = nodes_of(beam.model.bodies[0]),
                        .pins = {system.pins().begin(), system.pins().end()},
                        .law = law},
      system.mass(), system.rest());
  beam.term = term.get();
  system.add_term(std::move(term));
}

inline DampedBeam make_damped(const BeamSpec& spec, const ModalLaw& law) {
  DampedBeam beam{make_beam(spec)};
  add_damping(law, beam);
  return beam;
}

inline BeamSpec beam_spec(const std::string& law, bool pinned = true) {
  BeamSpec spec = coarse_spec(law);
  spec.pin_left = pinned;
  return spec;
}

inline std::shared_ptr<const FactorCurve> curve(std::vector<SplineCurve::Knot> knots) {
  return std::make_shared<const FactorCurve>(knots, "knots");
}

// Mass-normalised shapes, which the term does not keep.
inline Matrix shapes(const DampedBeam& beam, Index count) {
  const System& system = beam.system();
  const BodyPart part(nodes_of(beam.model.bodies[0]), system.mass());
  BlockMatrix workspace, K;
  const Vector v = Vector::Zero(system.dofs());
  part.assemble({.q = view(system.rest()), .v = view(v)}, workspace, K);
  return find_rest_modes(part, K, system.rest(), system.pins(), beam.set().modes.active, count)
      .vectors;
}

inline const ModalLaw kCurved{.modes = 6,
                              .ratios = {0.05, 0.1, 0.02, 0.3, 0, 1},
                              .curve = curve({{0, 0.2}, {0.05, 1}, {0.3, 4}, {2, 0.5}})};

}  // namespace pliant::test
