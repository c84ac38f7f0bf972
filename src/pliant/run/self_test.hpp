// A look at whether this build works on this machine: a few small problems whose answers are known
// by other means, in a few seconds. The tests of the repository say far more; this is for those who
// only have the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

struct SelfCheck {
  std::string name;  // "equilibrium"
  bool passed = false;
  std::string found;  // what was found and what should have been, in words
};

// Writes below `scratch`; that it does not exist is a failure of the last check.
std::vector<SelfCheck> self_test(const std::filesystem::path& scratch);

}  // namespace pliant
