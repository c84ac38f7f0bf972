// Chains of rigid boxes for the cases of TOURNIER §4.1: hung up at one end, stretched out sideways
// and let fall, with a weight at the other end.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/constraint/joints.hpp>
#include <pliant/integrate/stepper.hpp>

namespace pliant {

struct LinkChain {
  Index links = 10;
  double weight = 1;  // kg, of the last link; the others have 1 kg
  JointType joint = JointType::ball;
  double length = 0.2;                               // m, of each
  std::optional<std::array<double, 2>> limits = {};  // rad, of hinges
};
// Joints behind the rods that keep the bodies in shape, with gravity.
Model make_link_chain(const LinkChain& chain);

// How a chain falls and swings over some time in steps of h. It is stable where no joint gapes by
// more than a tenth of a link and the energy never rises above that of the start, by more than a
// thousandth of what the chain can fall.
struct Swing {
  bool stable = false;
  double gap = 0;    // m, the largest at any joint
  double gain = 0;   // the largest rise of energy, over what it can fall
  double until = 0;  // s
};
Swing swing(const LinkChain& chain, const SolverOptions& solver, double h, double duration);

}  // namespace pliant
