#include <pliant/gradient/scene_gradient.hpp>

#include <pliant/core/error.hpp>
#include <pliant/gradient/motion_record.hpp>
#include <pliant/gradient/varied_scene.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>

#include <algorithm>

namespace pliant {
namespace {

// Stages between the ends of a step are found again, as well as rounding lets them.
constexpr double kStageTolerance = 1e-11;

SceneDescription described(const GradientInput& input, const Json& document, Json* resolved) {
  Json whole = resolve(document, built_vocabulary(), input.name);
  SceneDescription scene = describe(whole, input.base_folder, input.name);
  // A motion whose steps miss their equations by a part of their error has no gradient to digits.
  scene.solver.auto_tolerance = false;
  if (resolved) *resolved = std::move(whole);
  return scene;
}

// The motion backwards.
class Sweep {
 public:
  Sweep(const SceneDescription& scene, const BuiltScene& built, const MotionRecord& motion,
        std::vector<VariedScene>& varied)
      : scene_(scene),
        system_(*built.model.system),
        motion_(motion),
        varied_(varied),
        integrator_(integrator_options(scene)),
        step_(system_, tight(scene)),
        out_(varied.size(), 0.0) {
    find_carried();
  }

  std::vector<double> run(StateGradient& start) {
    const auto last = static_cast<std::size_t>(motion_.states.size() - 1);
    StateGradient end = felt(last), before = none();
    for (std::size_t n = last; n-- > 0;) {
      StateGradient own = felt(n);
      own.q += before.q;
      own.v += before.v;
      before = none();
      go_back(n, end, own, before);
      end = std::move(own);
    }
    for (std::size_t k = 0; k < varied_.size(); ++k) out_[k] += varied_[k].of_start(end);
    start = std::move(end);
    return out_;
  }

 private:
  static SolverOptions tight(const SceneDescription& scene) {
    SolverOptions options = solver_options(scene);
    options.tolerance = std::min(options.tolerance, kStageTolerance);
    return options;
  }
  StateGradient none() const {
    return {Vector::Zero(system_.dofs()), Vector::Zero(system_.dofs())};
  }

  // What the objective feels of a state, on coordinates that do not follow others.
  StateGradient felt(std::size_t n) {
    if (motion_.objective[n].q.size() == 0) return none();
    StateGradient own = motion_.objective[n];
    for (std::size_t k = 0; k < varied_.size(); ++k)
      out_[k] += varied_[k].of_followers(motion_.states[n], own);
    system_.pull_back(view(own.q));
    system_.pull_back(view(own.v));
    return own;
  }

  AdjointStep::Recorded recorded(std::size_t n) const {
    return {.before = n > 0 ? &motion_.states[n - 1] : nullptr,
            .start = motion_.states[n],
            .end = motion_.states[n + 1],
            .h = scene_.time.dt,
            .carried = !carried_.empty() && carried_[n].size() > 0 ? &carried_[n] : nullptr};
  }

  // What the method carried into each step; empty where it began there, at the first step and where
  // pins did.
  void find_carried() {
    if (plan_step(integrator_, 0).carry_gamma == 0) return;
    DofMask last;
    carried_.resize(motion_.states.size());
    for (std::size_t n = 0; n + 1 < motion_.states.size(); ++n) {
      const StepPlan plan = plan_step(integrator_, n);
      Vector next = step_.carry(plan, recorded(n));
      if (n > 0 && step_.mask() != last) {
        carried_[n].resize(0);
        next = step_.carry(plan, recorded(n));
      }
      last = step_.mask();
      carried_[n + 1] = std::move(next);
    }
  }

  void go_back(std::size_t n, StateGradient& end, StateGradient& start, StateGradient& before) {
    const State &from = motion_.states[n], &to = motion_.states[n + 1];
    const double h = scene_.time.dt;
    State held = from;
    StepData data;
    DofMask mask;
    system_.open_step(held, h, data, mask);
    for (std::size_t k = 0; k < varied_.size(); ++k) {
      varied_[k].begin(from, h);
      out_[k] += varied_[k].of_pins(to.t, end, mask);
    }
    step_.go_back(plan_step(integrator_, n), recorded(n), {&before, start, end},
                  [&](const StagePoint& stage, const Vector& x, const EquationWeights& w) {
                    for (std::size_t k = 0; k < varied_.size(); ++k)
                      out_[k] += varied_[k].of_equation(stage, x, w);
                  });
  }

  const SceneDescription& scene_;
  const System& system_;
  const MotionRecord& motion_;
  std::vector<VariedScene>& varied_;
  IntegratorOptions integrator_;
  AdjointStep step_;
  std::vector<Vector> carried_;
  std::vector<double> out_;
};

}  // namespace

SceneGradient scene_gradient(const GradientInput& input, const Log& log) {
  Json resolved;
  const SceneDescription scene = described(input, input.document, &resolved);
  const BuiltScene built = build_scene(scene, log);
  require_gradient_exists(scene, built);
  SceneGradient out;
  std::vector<VariedScene> varied;
  for (const std::string& path : input.parameters) {
    out.parameters.push_back(number_at(resolved, path));
    varied.emplace_back(input, path, out.parameters.back(), *built.model.system);
  }
  const MotionRecord motion = record_motion(scene, built, input, true, log);
  out.value = motion.value;
  out.steps = static_cast<std::int64_t>(motion.states.size()) - 1;
  out.gradient = Sweep(scene, built, motion, varied).run(out.start);
  return out;
}

double scene_objective(const GradientInput& input, std::span<const double> values, const Log& log) {
  Json document = input.document;
  for (std::size_t k = 0; k < values.size(); ++k)
    set_number(input, input.parameters[k], values[k], document);
  const SceneDescription scene = described(input, document, nullptr);
  return record_motion(scene, build_scene(scene, log), input, false, log).value;
}

}  // namespace pliant
