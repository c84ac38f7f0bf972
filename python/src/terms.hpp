// Potentials and forces written in Python as terms of a system. They are evaluated by the thread
// that evaluates the system, one call of Python for all their nodes, with the interpreter's lock
// taken for as long as that lasts. What Python raises goes through the library as it is: terms are
// pure functions, so whoever made the step puts the state back.
#pragma once

#include "interop.hpp"

#include <pliant/body/solid.hpp>

namespace pliant::python {

// From instances of pliant.Potential and pliant.Force. Called without the interpreter's lock, once
// bodies have their nodes. Throws InputError, or what their functions raise at the undeformed
// state.
std::vector<std::unique_ptr<Term>> make_terms(const Held& list, std::span<const Body> bodies,
                                              std::span<const Vec3> rest);

}  // namespace pliant::python
