// The ways to keep bodies apart, and what each promises (docs/contact.md): what a trial holds it
// to.
//
// barrier     nothing touches at the end of any step, nor of any stage (I1, I2); with the guard
//             contact makes no energy (I6).
// qp,         nothing touches at the end of any step, and no point goes through an obstacle on the
// unilateral  straight way there, however fast. Stages are predictions, which may pass through
//             anything. Programs are solved: friction by qp to 1e-3 at worst, complementarity to
//             1e-6.
// admm        points of bodies do not pass through obstacles on the way to any stage or step: no
//             more. Faces and edges between the points are not looked at, so that what is thin gets
//             between them, and bodies do not meet each other. Stages end converged.
//
// All: linear momentum where nothing is outside (I7), the state whole (I4), failures in words (I5),
// the same bits from a checkpoint (I8) and with any number of threads (I9). Without a barrier the
// energy is the integrator's, less what impacts take; with "energy": "redo", as trials have it, the
// guard lets none of it grow, and without friction no run may have to say that energy came from
// nothing (I6, docs/energy.md).
#pragma once

#include <pliant/core/error.hpp>

#include <array>
#include <string>
#include <string_view>

namespace pliant::reliability {

enum class ContactMethod { barrier, qp, unilateral, admm };

inline constexpr std::array<std::string_view, 4> kContactMethods = {"barrier", "qp", "unilateral",
                                                                    "admm"};

inline std::string name_of(ContactMethod method) {
  return std::string(kContactMethods[static_cast<std::size_t>(method)]);
}

inline ContactMethod contact_method(std::string_view name) {
  for (std::size_t k = 0; k < kContactMethods.size(); ++k)
    if (kContactMethods[k] == name) return static_cast<ContactMethod>(k);
  throw InputError("there is no contact by \"" + std::string(name) + "\"");
}

}  // namespace pliant::reliability
