// A token that outlasts the program: whoever starts the server again on the same address and port
// gets the one that open pages have in their addresses. It lies in a file that its owner alone can
// read, and one that others could have read or put there is not believed.
#pragma once

#include <pliant/core/log.hpp>

#include <filesystem>
#include <string>

namespace pliant {

// The token of `place` ("127.0.0.1-8123", part of the file's name), made where there is none yet.
// What was there and was not believed is replaced, which the log hears. Where the folder cannot be
// made or is not ours alone to write in, the token is a new one and the log says why.
std::string kept_token(const std::filesystem::path& folder, const std::string& place,
                       const Log& log);

}  // namespace pliant
