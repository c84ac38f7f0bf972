// What this build is made of, for summary.json and `pliant doctor`.
#pragma once

#include <map>
#include <string>

namespace pliant {

std::map<std::string, std::string> versions();  // of Pliant, the compiler and the libraries

// The options of the build that change what it can do, as CMake knows them.
std::map<std::string, std::string> build_options();

}  // namespace pliant
