// `pliant export`: results as files of other programs.
#include "commands.hpp"
#include "session.hpp"
#include "terminal.hpp"

#include <pliant/core/error.hpp>
#include <pliant/exports/export.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct ExportOptions : SessionOptions {
  std::string folder, format, frames, body;
  bool list = false;
};

int list_formats() {
  for (const ExportFormat& format : export_formats())
    fmt::print("{:<6} {}{}{}\n", format.name, format.per_frame ? "a file per frame: " : "",
               format.description, format.built ? "" : " (not in this build)");
  return 0;
}

std::string size_in_words(std::uintmax_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes < 1000) return counted(static_cast<std::int64_t>(bytes), "byte", "bytes");
  if (bytes < 1000000) return fmt::format("{:.1f} kB", size * 1e-3);
  return fmt::format("{:.1f} MB", size * 1e-6);
}

int export_folder(const ExportOptions& options) {
  if (options.list) return list_formats();
  if (options.folder.empty()) throw InputError("export: say which result folder to export");
  if (options.format.empty())
    throw InputError("export: say how with --to FORMAT; `pliant export --list` shows them");
  ExportRequest request;
  request.format = options.format;
  request.out = options.out;
  request.frames = options.frames;
  request.body = options.body;
  request.force = options.force;
  request.interrupted = caught_signal;
  const ExportOutcome outcome = export_results(Results(options.folder), request);
  if (outcome.signal != 0) {
    fmt::print(stderr, "pliant: stopped by signal {}; the export is not complete\n",
               outcome.signal);
    return 128 + outcome.signal;
  }
  fmt::print("{}: {} in {}, {}\n", outcome.out.string(),
             counted(static_cast<std::int64_t>(outcome.frames), "frame", "frames"),
             counted(static_cast<std::int64_t>(outcome.files), "file", "files"),
             size_in_words(outcome.bytes));
  return 0;
}

}  // namespace

void add_export(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "results as files of other programs");
  command->add_option("folder", options->folder, "the result folder");
  std::string names;
  for (const ExportFormat& format : export_formats())
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  command->add_option("--to", options->format, "the format: " + names);
  command->add_option("--out", options->out,
                      "the file, or the folder of a file per frame (default: in DIR/export)");
  command->add_option("--frames", options->frames,
                      "a frame, or first:end:step without the end; negative ones from the back");
  command->add_option("--body", options->body, "one body only, by its name");
  command->add_flag("--force", options->force, "replace files that are there");
  command->add_flag("--list", options->list, "what there is to choose from");
  command->callback([options, &chosen] {
    chosen = [options] {
      return in_session(*options, [&](int) { return export_folder(*options); });
    };
  });
}

}  // namespace pliant::apps
