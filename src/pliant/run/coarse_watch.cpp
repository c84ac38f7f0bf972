#include <pliant/run/coarse_watch.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

std::string failure(const EigenFitTerm& term, const EigenFitStatus& status) {
  const std::string_view then =
      term.options().on_failure == FailurePolicy::off
          ? "its correction is faded out until they are known again"
      : term.options().on_failure == FailurePolicy::stop
          ? "it is told to stop there"
          : "its correction may now be worse than none (\"on_failure\": \"off\" would fade it out)";
  return fmt::format(
      "body \"{}\": of {} modes {} are known again by their shapes and {} are about as stiff as at "
      "rest, less than half: it is too far from rest for its coarse mesh to be corrected; {}",
      term.body(), status.acceptance.of, status.acceptance.known, status.near, then);
}

}  // namespace

std::string CoarseWatch::look(std::span<const EigenFitTerm* const> corrections, const State& state,
                              const Log& log) {
  std::string stop;
  said_.resize(corrections.size());
  bool failed = false, crossed = false, refreshed = false;
  for (std::size_t k = 0; k < corrections.size(); ++k) {
    const EigenFitTerm& term = *corrections[k];
    const EigenFitStatus* status = term.status(state.memories);
    if (!status) continue;
    Said& said = said_[k];
    const bool fails = !status->passes();
    if (fails && !said.failed) log.warn(failure(term, *status), state.t);
    if (!fails && said.failed)
      log.info(fmt::format("body \"{}\": {} of {} modes are known again", term.body(),
                           status->acceptance.known, status->acceptance.of),
               state.t);
    if (status->refreshed && status->permutation != said.permutation) {
      log.info(status->permutation.empty()
                   ? fmt::format("body \"{}\": its modes are in their order again", term.body())
                   : fmt::format("body \"{}\": modes have changed places: {}", term.body(),
                                 status->permutation),
               state.t);
      said.permutation = status->permutation;
    }
    if (!status->failure.empty())
      log.warn(fmt::format("body \"{}\": its modes could not be found anew, the old ones serve on: "
                           "{}",
                           term.body(), status->failure),
               state.t);
    if (fails && term.options().on_failure == FailurePolicy::stop) stop = failure(term, *status);
    said.failed = fails;
    failed = failed || fails;
    crossed = crossed || status->crossed > 0;
    refreshed = refreshed || status->refreshed;
  }
  counts_.failed += failed;
  counts_.crossed += crossed;
  counts_.refreshed += refreshed;
  return stop;
}

CoarseRow CoarseWatch::row(std::span<const EigenFitTerm* const> corrections, const State& state) {
  CoarseRow row;
  for (const EigenFitTerm* term : corrections) {
    const EigenFitStatus* status = term->status(state.memories);
    if (!status || status->acceptance.of == 0) continue;
    row.known = std::min(row.known, static_cast<double>(status->acceptance.known) /
                                        static_cast<double>(status->acceptance.of));
    row.near = std::min(
        row.near, static_cast<double>(status->near) / static_cast<double>(status->acceptance.of));
    row.crossed = std::max(row.crossed, static_cast<double>(status->crossed));
    row.strength = std::min(row.strength, status->strength);
  }
  return row;
}

}  // namespace pliant
