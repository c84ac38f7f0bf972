// One method of several that a case compares: announced, interruptible, with its figures in words.
#pragma once

#include <pliant/reproduce/case.hpp>
#include <pliant/reproduce/trajectory.hpp>

namespace pliant {

struct MethodRun {
  std::string integrator;
  double dt = 0;  // s
  Trajectory trajectory;
  bool complete = true;  // false where it failed or was interrupted

  // Seconds of processor time per simulated one: on one thread of an idle machine the papers' "real
  // s per simulated s".
  double cpu_per_second() const;
  double newton_per_step() const;
};

// A scene with settings as --set takes them, built.
struct CaseScene {
  SceneDescription description;
  BuiltScene built;
  double mass() const;  // kg, of all bodies
};
CaseScene load_case_scene(const CaseContext& context, const std::string& name,
                          const std::vector<std::string>& settings);

// `request.observe`, where there is one, still sees every step; `title` comes before the method's
// name in what is announced.
MethodRun run_method(const CaseContext& context, const BuiltScene& scene, TrajectoryRequest request,
                     const std::string& title = {});

// A picture of a state, called `name`, seen from where the start and that state are both seen, or
// that state alone. Nothing where no pictures are wished for or can be drawn, or where the state is
// not finite.
enum class PictureView { motion, moment };
void add_picture(const CaseContext& context, const std::string& name, const BuiltScene& scene,
                 const State& state, CaseResult& result, PictureView view = PictureView::motion);

double median(std::vector<double> values);  // NaN where there are none

std::string in_milliseconds(double seconds);  // "0.05 ms"

}  // namespace pliant
