// What is said of a command line that cannot be read: which command, what is wrong with which
// option, the nearest one there is.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace pliant::apps {

std::string refusal(const CLI::App& app, const CLI::ParseError& error);

}  // namespace pliant::apps
