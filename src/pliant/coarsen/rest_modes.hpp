// The lowest elastic modes of a body at rest, for each set of pins that will ever hold it.
#pragma once

#include <pliant/coarsen/elastic_modes.hpp>
#include <pliant/system/pins.hpp>

namespace pliant {

struct RestModes {
  std::vector<bool> active;  // which of the body's pins hold
  DofMask mask;              // of the body
  Vector values;             // ascending, 1/s²
  Matrix vectors, MU;        // M-orthonormal; M times them, zero on the mask
  Matrix start;              // for later searches

  // Whether these pins hold during a step, and nothing else does.
  bool are_of(const StepStart& step, std::span<const Pin> pins, const BodyPart& part) const;
};

// Which pins hold together, at time 0 first, then as time goes on; each set once.
std::vector<std::vector<bool>> pin_sets(std::span<const Pin> pins);

// K is that of the body at `rest`, which holds the whole system. Throws CannotContinue where they
// cannot be found; there are fewer where the body has no more.
RestModes find_rest_modes(const BodyPart& part, const BlockMatrix& K, const Vector& rest,
                          std::span<const Pin> pins, const std::vector<bool>& active, Index count);

}  // namespace pliant
