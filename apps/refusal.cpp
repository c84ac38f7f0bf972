#include "refusal.hpp"

#include <pliant/core/suggest.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace pliant::apps {
namespace {

// The innermost command that was typed, and what it is called: "mesh fill".
std::pair<const CLI::App*, std::string> typed_command(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string name;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += (name.empty() ? "" : " ") + command->get_name();
  }
  return {command, name};
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

std::string unexpected(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  if (option == words.end())
    return words.empty() ? "unexpected argument"
                         : fmt::format("unexpected argument \"{}\"", words.front());
  std::vector<std::string> known;
  for (const CLI::Option* one : command.get_options())
    if (!one->get_lnames().empty()) known.push_back("--" + one->get_lnames().front());
  const std::string word = option->substr(0, option->find('='));
  return fmt::format("unknown option \"{}\"{}", word, suggestion(word, known));
}

// CLI11 words these as "--out: 1 required TEXT missing" and "Could not convert: --threads = x".
std::string in_words(const CLI::ParseError& error, const CLI::App& command) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return unexpected(command);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) &&
      text.find("required") != std::string::npos)
    return text.substr(0, text.find(':')) + " needs a value";
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    std::vector<std::string> names;
    for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(inner->get_name());
    if (!names.empty()) return fmt::format("needs one of {}", fmt::join(names, ", "));
  }
  if (const std::string start = "Could not convert: "; text.rfind(start, 0) == 0) {
    const std::string rest = text.substr(start.size());
    const std::size_t equals = std::min(rest.find(" = "), rest.size());
    return fmt::format("{} must be a number, got \"{}\"", rest.substr(0, equals),
                       rest.substr(std::min(equals + 3, rest.size())));
  }
  return text;
}

}  // namespace

std::string refusal(const CLI::App& app, const CLI::ParseError& error) {
  const auto [command, name] = typed_command(app);
  const std::string full = name.empty() ? "pliant" : "pliant " + name;
  const std::string words = in_words(error, *command);
  return fmt::format("{}{}{}`{} --help` says more", name.empty() ? "" : name + ": ", words,
                     words.back() == '?' ? " " : "; ", full);
}

}  // namespace pliant::apps
