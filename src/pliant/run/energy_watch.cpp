#include <pliant/run/energy_watch.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

std::string EnergyWatch::look(const EnergyLedger& ledger, double dt, std::string_view method,
                              std::string_view energy) {
  const EnergyCreated& created = ledger.created();
  const bool new_gain = ledger.last_gain() > 0 && created.now > 2 * said_;
  if (!new_gain || created.now <= kExplained * created.scale) return {};
  said_ = std::max(created.now, kExplained * created.scale);
  return fmt::format(
      "{} has made {:.3g} J from nothing, {:.2g} % of the largest energy so far ({:.3g} J of it in "
      "this step of {:.3g} s): shorter steps or a method that loses energy where it is in doubt "
      "(be, sdirk2, trbdf2) help{}",
      method, created.now, 100 * created.now / created.scale, ledger.last_gain(), dt,
      energy == "redo" ? "" : ", and \"energy\": \"redo\" makes such steps with be");
}

}  // namespace pliant
