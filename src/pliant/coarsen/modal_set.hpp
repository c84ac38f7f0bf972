// The damped modes of a body under one set of pins. The rows of Y on coordinates that pins hold are
// chosen such that yᵀ vanishes for every rigid motion of body and pins together: then y is a force
// within the body and what holds it, and a mode is at rest where both only move along.
#pragma once

#include <pliant/coarsen/rest_modes.hpp>
#include <pliant/dissipation/modal_law.hpp>

namespace pliant {

struct ModalSet final : TermMemory {
  std::size_t number = 0;  // among the sets of the body
  RestModes modes;         // without their shapes
  Matrix Y;                // M U with those rows, kg^½
  Vector offset;           // Yᵀ X
  Vector c;                // 2 ζ ω, 1/s
  Vector reach;            // the largest displacement of a node by a unit of the mode, kg^-½
  // Where the body can turn as a whole, by itself or with pins that move: what its turn is
  // measured by, the masses of all of its nodes or just those that pins hold.
  bool turns = false;
  std::vector<double> weights;

  std::vector<double> numbers() const override { return {static_cast<double>(number)}; }
};

// One for every set of pins that there will be. `rest` holds the whole system. Throws InputError
// where the body has fewer modes than are wanted.
std::vector<std::shared_ptr<const ModalSet>> make_modal_sets(const BodyPart& part,
                                                             const Vector& rest,
                                                             std::span<const Pin> pins,
                                                             const ModalLaw& law);

}  // namespace pliant
