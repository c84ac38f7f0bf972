// One scene with a coarse body, run on the fine mesh, on the coarse one as it is, and corrected:
// how far each is from the fine one at the same places of the body, step by step.
#pragma once

#include <pliant/reproduce/method_run.hpp>

namespace pliant {

enum class CoarseMethod { plain, dac, eigenfit };
std::string_view name_of(CoarseMethod method);

// The scene's body 0 has a `coarsen` with a fine mesh.
SceneDescription on_fine_mesh(SceneDescription scene);
SceneDescription with_method(SceneDescription scene, CoarseMethod method);

// Changes the start of a built scene, by places alone, so that all meshes start alike.
using SetStart = std::function<void(const System& system, State& start)>;

struct CoarseMotion {
  std::string name;
  Trajectory trajectory;
  bool complete = true;
  std::vector<double> t, error, signal;  // s; m, the largest of all places; m, along one axis
  double known_least = 1;                // part of the modes known again
  double first_failure = -1;             // s, of the acceptance test; negative: never
  long steps_crossed = 0, steps = 0;     // where one of the first three has changed places; all
  Index nodes = 0;
  std::vector<Vec3> ends;  // the places, at the end
  State last;
  // r of the first mode, once for every set of ratios that was in use, in their order.
  std::vector<double> first_ratios;
  double largest_error(double since = 0) const;  // from this time on, s
  double mean_error() const;
};

// How often, at the same moments after the start, one error is below another, and the largest of
// their ratios.
struct Throughout {
  long below = 0, of = 0;
  double most = 0;
  bool always() const { return of > 0 && below == of; }
};
Throughout compare_throughout(const CoarseMotion& one, const CoarseMotion& other);

struct FineMotion {
  SceneDescription scene;
  Trajectory trajectory;
  bool complete = true;
  std::vector<Vec3> places;               // undeformed
  std::vector<std::vector<Vec3>> frames;  // where they are after each step, the start first
  std::vector<double> t, signal;          // of one place along one axis: where it moves most
  std::size_t place = 0;
  int axis = 0;
  Index nodes = 0;
  State last;
  // m, the largest way that any place goes from where it is at that time, s
  double swing(double since = 0) const;
};

struct CoarseRunOptions {
  SetStart start = {};
  std::vector<Vec3> places = {};  // where errors are measured; empty: nodes of the fine mesh
};

FineMotion run_fine(const CaseContext& context, const SceneDescription& scene,
                    const CoarseRunOptions& options = {});
CoarseMotion run_coarse(const CaseContext& context, const SceneDescription& scene,
                        const std::string& name, const FineMotion& fine,
                        const CoarseRunOptions& options = {});

// Of two motions of the same place, from this time on: 1: in phase, 0: nothing in common.
double correlation(const FineMotion& fine, const CoarseMotion& coarse, double since = 0);

Plot error_plot(const std::string& title, const std::vector<CoarseMotion>& motions);
Plot signal_plot(const std::string& title, const FineMotion& fine,
                 const std::vector<CoarseMotion>& motions);

}  // namespace pliant
