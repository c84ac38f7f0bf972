#include <reliability/twin.hpp>

#include <pliant/integrate/advance.hpp>
#include <pliant/run/recorder.hpp>
#include <support/threads.hpp>

#include <fmt/format.h>

namespace pliant::reliability {

Twin::Twin(const World& world, const Combination& combination, const SolverOptions& options,
           const Checkpoint& checkpoint, int threads)
    : world_(world),
      h_(combination.h),
      options_(options),
      threads_(threads),
      watch_(world),
      stepper_(make_watched_stepper(world, combination.integrator, options, watch_)),
      state_(world.start()) {
  Counters counters;
  const Checkpoint read = decode_checkpoint(encode_checkpoint(checkpoint), "a checkpoint");
  stepper_->restore(from_checkpoint(read, world.system(), state_, counters));
}

std::string Twin::follow(const State& state) {
  ++steps_;
  StepReport report;
  const auto step = [&] {
    report = advance(*stepper_, world_.system(), state_, h_,
                     {.max_work = options_.max_work, .interrupted = options_.interrupted}, Log());
  };
  if (threads_ > 0)
    test::with_threads(threads_, step);
  else
    step();
  if (report.reason == "interrupted") return {};
  const std::string after = fmt::format("step {} after a restart", steps_);
  if (!report.ok) return fmt::format("I8: {} fails: {}", after, report.reason);
  state_.t = state.t;
  if (state_.q == state.q && state_.v == state.v) return {};
  const double apart = (state_.q - state.q).lpNorm<Eigen::Infinity>();
  return threads_ > 0
             ? fmt::format("I9: {} with {} threads is {:.3g} m away", after, threads_, apart)
             : fmt::format("I8: {} is {:.3g} m away", after, apart);
}

}  // namespace pliant::reliability
