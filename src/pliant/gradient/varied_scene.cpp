#include <pliant/gradient/varied_scene.hpp>

#include <pliant/core/error.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of the parameter's size; of numbers near zero, of this size in their unit. Rigid bodies are so
// stiff that the rounding of where they are is felt in residuals: their differences are longer.
constexpr double kNumberDifference = 1e-5;
constexpr double kRigidDifference = 1e-4;
constexpr double kSmallest = 1e-3;

// a.b.0 as /a/b/0
Json::json_pointer pointer_of(const std::string& path) {
  std::string pointer = "/" + path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return Json::json_pointer(pointer);
}

}  // namespace

double number_at(const Json& resolved, const std::string& path) {
  const Json* found = nullptr;
  try {
    if (const auto pointer = pointer_of(path); resolved.contains(pointer))
      found = &resolved.at(pointer);
  } catch (const nlohmann::json::exception&) {  // no path at all
  }
  if (!found)
    throw InputError(fmt::format(
        "parameter \"{}\": the scene has nothing there; a path names keys and numbers of list "
        "items, as in materials.jelly.young or gravity.1",
        path));
  if (!found->is_number())
    throw InputError(fmt::format("parameter \"{}\" is {}, not a number", path, kind_of(*found)));
  return found->get<double>();
}

void set_number(const GradientInput& input, const std::string& path, double value, Json& document) {
  apply_setting(document, Assignment(fmt::format("{}={:.17g}", path, value), "parameter " + path),
                [&] { return resolve(document, built_vocabulary(), input.name); });
}

VariedScene::VariedScene(const GradientInput& input, const std::string& path, double value,
                         const System& nominal) {
  const double part = nominal.rigid_path().empty() ? kNumberDifference : kRigidDifference;
  delta_ = part * std::max(std::abs(value), kSmallest);
  const Vocabulary vocabulary = built_vocabulary();
  for (std::size_t side = 0; side < 2; ++side) {
    Json document = input.document;
    const double moved = value + (side == 0 ? -delta_ : delta_);
    set_number(input, path, moved, document);
    try {
      const SceneDescription scene =
          describe(resolve(document, vocabulary, input.name), input.base_folder, input.name);
      sides_[side].built = std::make_unique<BuiltScene>(build_scene(scene, Log()));
    } catch (const Error& error) {
      throw InputError(fmt::format(
          "parameter \"{}\": the scene cannot be built with {:.9g} in place of {:.9g}: {}", path,
          moved, value, error.what()));
    }
    const System& system = *sides_[side].built->model.system;
    if (system.dofs() != nominal.dofs() || system.terms().size() != nominal.terms().size() ||
        system.constraints().rows() != nominal.constraints().rows())
      throw InputError(
          fmt::format("parameter \"{}\" changes the number of nodes or of forces: there is no "
                      "gradient by it",
                      path));
    sides_[side].equations = std::make_unique<StepEquations>(system);
  }
}

void VariedScene::begin(const State& state, double h) {
  for (Side& side : sides_) {
    const System& system = *side.built->model.system;
    State own = side.built->start;
    own.t = state.t;
    own.q = state.q;
    own.v = state.v;
    own.shares = state.shares;
    own.a_known = false;
    StepData data;
    DofMask mask;
    State held = own;
    system.open_step(held, h, data, mask);  // which pins hold
    system.prescribe(held, own.t, view(own.q), view(own.v), {});
    system.follow(view(own.q));
    system.follow(view(own.v));
    side.equations->begin(own, h);
  }
}

double VariedScene::of_equation(const StagePoint& stage, const Vector& solution,
                                const EquationWeights& weights) {
  return -difference([&](const Side& side) {
    side.equations->place(stage, solution);
    return side.equations->weighted_residual(stage, solution, weights);
  });
}

double VariedScene::of_pins(double t, const StateGradient& felt, const DofMask& mask) {
  return difference([&](const Side& side) {
    const System& system = *side.built->model.system;
    Vector q = Vector::Zero(system.dofs()), v = q;
    system.prescribe(side.equations->start(), t, view(q), view(v), {});
    double sum = 0;
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (const auto k = static_cast<Eigen::Index>(i); mask[i] == kPrescribed)
        sum += felt.q[k] * q[k] + felt.v[k] * v[k];
    return sum;
  });
}

double VariedScene::of_start(const StateGradient& felt) const {
  return difference([&](const Side& side) {
    return felt.q.dot(side.built->start.q) + felt.v.dot(side.built->start.v);
  });
}

double VariedScene::of_followers(const State& state, const StateGradient& felt) const {
  if (sides_[0].built->model.system->followers().empty()) return 0;
  return difference([&](const Side& side) {
    Vector q = state.q, v = state.v;
    side.built->model.system->follow(view(q));
    side.built->model.system->follow(view(v));
    return felt.q.dot(q) + felt.v.dot(v);
  });
}

}  // namespace pliant
