// `pliant`: the command line. Errors end here, as one line on standard error and an exit status
// (0 done, 1 our own bug, 2 bad input, 3 infeasible start, 4 cannot continue, 5 cannot write).
#include "commands.hpp"
#include "refusal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

namespace {

using namespace pliant;

int unknown_command(const std::vector<std::string>& known, const std::string& word) {
  std::fprintf(stderr, "pliant: unknown command \"%s\"%s\n", word.c_str(),
               suggestion(word, known).c_str());
  return 2;
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{"Pliant: an engine for deformable solids"};
  app.set_version_flag("--version", PLIANT_VERSION);
  app.require_subcommand(0, 1);
  apps::Chosen chosen;
  apps::add_run(app, chosen);
  apps::add_scene(app, chosen);
  apps::add_list(app, chosen);
  apps::add_mesh(app, chosen);
  apps::add_curves(app, chosen);
  apps::add_converge(app, chosen);
  apps::add_compare(app, chosen);
  apps::add_modes(app, chosen);
  apps::add_coarsen(app, chosen);
  apps::add_gradient(app, chosen);
  apps::add_render(app, chosen);
  apps::add_reproduce(app, chosen);
  apps::add_export(app, chosen);
  apps::add_import(app, chosen);
  apps::add_report(app, chosen);
  apps::add_view(app, chosen);
  apps::add_ccd(app, chosen);
  apps::add_doctor(app, chosen);
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' &&
      std::find(known.begin(), known.end(), argv[1]) == known.end())
    return unknown_command(known, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    throw InputError(apps::refusal(app, error));
  }
  if (chosen) return chosen();
  std::fputs(app.help().c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing, not a death
  try {
    const int status = parse_and_run(argc, argv);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
    std::fprintf(stderr, "pliant: the output could not be written: %s\n", std::strerror(errno));
    return status == 0 ? 5 : status;
  } catch (const pliant::Error& error) {
    std::fprintf(stderr, "pliant: %s\n", error.what());
    return error.exit_status();
  } catch (const std::bad_alloc&) {
    std::fputs("pliant: out of memory\n", stderr);
    return 4;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "pliant: a bug of ours: %s\n", error.what());
    return 1;
  } catch (const std::system_error& error) {  // of a stream that takes no more
    std::fprintf(stderr, "pliant: %s\n", error.what());
    return 5;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pliant: a bug of ours: %s\n", error.what());
    return 1;
  }
}
