#include "commands.hpp"

#include <pliant/core/error.hpp>
#include <pliant/report/report.hpp>
#include <pliant/study/curve_report.hpp>
#include <pliant/study/figures.hpp>
#include <pliant/study/variations.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace pliant::apps {
namespace {

struct CurvesOptions {
  std::string integrators, out = "out/curves";
};

std::vector<std::string> chosen_names(const std::string& words) {
  if (words.empty()) return usual_integrators();
  if (words != "all") return split_values(words);
  std::vector<std::string> names;
  for (const IntegratorInfo& info : integrators()) names.emplace_back(info.name);
  return names;
}

int curves(const CurvesOptions& options) {
  const std::vector<double> h_omega = log_spaced(1e-2, 1e2, 161);  // 0.1, 1, 10 among them
  std::vector<DampingCurve> list;
  for (const std::string& name : chosen_names(options.integrators))
    list.push_back(make_damping_curve(std::string_view(name), h_omega));
  const std::vector<std::string> figures = write_curves(options.out, list);
  write_study_report(options.out, {"curves", curve_table(list), ""});
  fmt::print("{}", curve_table(list));
  fmt::print("curves.csv and report.html in {}; {}\n", options.out, figures_in_words(figures));
  return 0;
}

}  // namespace

void add_curves(CLI::App& app, Chosen& chosen) {
  const auto options = std::make_shared<CurvesOptions>();
  CLI::App* command = app.add_subcommand(
      "curves", "damping and dispersion of integrators on the test equation, from their steps");
  command->add_option("--integrators", options->integrators,
                      "names separated by commas, or all (default: a selection)");
  command->add_option("--out", options->out, "the folder for table and figures")
      ->capture_default_str();
  command->callback([options, &chosen] { chosen = [options] { return curves(*options); }; });
}

}  // namespace pliant::apps
