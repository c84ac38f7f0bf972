// Says where a run has made energy from nothing, more than the error of a method explains: 1 % of
// the largest energy that there was, and again whenever it has doubled.
#pragma once

#include <pliant/system/energy_ledger.hpp>

#include <string>

namespace pliant {

class EnergyWatch {
 public:
  static constexpr double kExplained = 0.01;  // of the largest energy

  // After each step; what there is to say, or nothing.
  std::string look(const EnergyLedger& ledger, double dt, std::string_view method,
                   std::string_view energy);

 private:
  double said_ = 0;  // J
};

}  // namespace pliant
