// What the probes of a scene read of a state: places, forces, torques and tensions.
#pragma once

#include <pliant/scene/build.hpp>
#include <pliant/system/multipliers.hpp>

#include <map>

namespace pliant {

class ProbeReader {
 public:
  explicit ProbeReader(const BuiltScene& built);

  // As a row of the history holds them: three numbers of each, then the tensions. `at_rest`: the
  // state is an equilibrium. Forces that cannot be told apart are not a number.
  void read(const State& state, bool at_rest, std::vector<double>& out);
  // N, of the threads of the scene, one each.
  std::vector<double> tensions(const State& state, bool at_rest);

 private:
  Vec3 triple(const Probe& probe, const State& state, bool at_rest);
  double tension(const Probe& probe, const State& state, bool at_rest);
  double tension_of_rod(const DrawnThread& rod, std::span<const Index> rows, const State& state,
                        bool at_rest);
  Vec3 force_on_body(const Probe& probe, const State& state, bool at_rest);
  const Vector& multipliers(const State& state, bool at_rest);  // of this state, found once

  const BuiltScene& built_;
  std::map<std::string, std::vector<Index>> rod_rows_;  // by name
  Multipliers multipliers_;
  Vector lambda_, contact_, tied_;
  std::vector<JacobianEntry> J_;
  bool lambda_known_ = false, forces_known_ = false;
};

}  // namespace pliant
