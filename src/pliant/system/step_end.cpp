#include <pliant/system/step_end.hpp>

#include <pliant/contact/friction_term.hpp>

namespace pliant {

StepEnd::StepEnd(const System& system, const State& state, const ContactSet* contacts)
    : c_(at(state)) {
  c_.contacts = contacts;
  const FrictionTerm* friction = system.friction();
  if (!friction || !state.friction || friction->options().lag <= 1) return;
  friction->lag_at(c_, *state.friction, friction_);
  c_.friction = &friction_;
}

}  // namespace pliant
