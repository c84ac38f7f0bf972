// The only thing an integrator sees: M q̈ = f(t, q, v) with f a sum of terms, and the pins that
// remove coordinates. Constant during a run; all that changes is in State and StepData.
#pragma once

#include <pliant/constraint/constraint_set.hpp>
#include <pliant/sparse/followers.hpp>
#include <pliant/system/rigid_path.hpp>
#include <pliant/system/state.hpp>
#include <pliant/term/term.hpp>

#include <memory>

namespace pliant {

class BarrierTerm;   // contact/barrier_term.hpp
class FrictionTerm;  // contact/friction_term.hpp
class PlasticTerm;   // element/plasticity.hpp

struct Energies {
  double kinetic = 0, elastic = 0, external = 0, contact = 0;  // J
  double total() const { return kinetic + elastic + external + contact; }
};
// Outside of a step: nothing is frozen, friction is as it was last.
inline Configuration at(const State& state) {
  return {.t = state.t,
          .q = view(state.q),
          .v = view(state.v),
          .friction = state.friction.get(),
          .plastic = state.plastic.get(),
          .shares = state.shares.get(),
          .memories = &state.memories};
}
struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // kg m/s, kg m²/s about the origin
};

class System {
 public:
  // Terms that bring stencils of their own come with the construction, which fixes the pattern.
  // The last `obstacles` nodes are not those of bodies. Followers are not solved for and have no
  // mass: what acts on them acts on their leaders.
  System(std::vector<Vec3> rest, std::vector<std::unique_ptr<Term>> terms,
         std::size_t obstacles = 0, Followers followers = {});
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  // Terms that couple no nodes that are not coupled already (gravity, loads, damping) may be added
  // later; others are refused.
  void add_term(std::unique_ptr<Term> term);
  // Contact couples nodes that nothing else couples, others from one moment to the next: its part
  // of the tangent is left to who solves stages (stage/contact_detector.hpp).
  void add_contact(std::unique_ptr<BarrierTerm> contact);
  const BarrierTerm* contact() const { return contact_; }  // null where nothing can touch
  // After the contact it acts on.
  void add_friction(std::unique_ptr<FrictionTerm> friction);
  const FrictionTerm* friction() const { return friction_; }  // null where nothing rubs
  // Beside the elastic term whose elements it is about.
  void add_plasticity(std::unique_ptr<PlasticTerm> term);
  std::size_t plastic_numbers() const { return plastic_numbers_; }
  void add_constraint(std::unique_ptr<Constraint> batch) { constraints_.add(std::move(batch)); }
  const ConstraintSet& constraints() const { return constraints_; }
  void add_pin(Pin pin) {
    pins_work_ = pins_work_ || pin.works();
    pins_.push_back(std::move(pin));
  }

  Index nodes() const { return static_cast<Index>(rest_.size() / 3); }
  Index body_nodes() const { return body_nodes_; }  // before those of obstacles
  Eigen::Index dofs() const { return rest_.size(); }
  const Vector& rest() const { return rest_; }
  // m, the diagonal of the box around the bodies at rest, or 1 where that is a point.
  double size() const { return size_; }
  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  NodeMatrix& mass() { return mass_; }
  const NodeMatrix& mass() const { return mass_; }
  std::span<const std::unique_ptr<Term>> terms() const { return terms_; }
  std::span<const Pin> pins() const { return pins_; }
  bool pins_work() const { return pins_work_; }  // does any?
  // Does a term or a constraint take energy, beside friction?
  bool has_damping() const { return has_damping_ || constraints_.take_energy(); }
  // Does anybody ask a method what acted over its steps?
  bool asks_for_forces() const { return pins_work_ || has_damping() || friction_; }
  const Followers& followers() const { return followers_; }

  bool has_potential() const;  // then every stage has an objective
  bool symmetric() const;
  bool lags() const;
  bool remembers() const;     // does a term carry more from step to step than the state's q and v?
  bool has_low_rank() const;  // is a part of the tangent dense?
  bool limits_steps() const;
  // Does the force on the free coordinates change with time alone, by a load or a moving pin?
  bool depends_on_time(const State& state) const;

  State make_state() const;  // at rest at t = 0
  // Called once before each step of length h from state: pins begin and end, terms freeze what they
  // freeze, and `mask` receives the prescribed coordinates.
  void open_step(State& state, double h, StepData& data, DofMask& mask) const;
  // Writes position, velocity and acceleration of the prescribed coordinates at time t, and then of
  // those that follow others; any of the three may be empty.
  void prescribe(const State& state, double t, std::span<double> q, std::span<double> v,
                 std::span<double> a) const;

  // Nodes that keep their shape, four each.
  RigidPath& rigid_path() { return rigid_path_; }
  const RigidPath& rigid_path() const { return rigid_path_; }
  void follow(std::span<double> x) const { followers_.follow(x); }
  // Force and matrix on followers go over to their leaders, where that has not been done already.
  void pull_back(std::span<double> f) const { followers_.pull_back(f); }
  void pull_back(BlockMatrix& A) const { follower_plan_.pull_back(A); }
  void pull_back_mass() { follower_plan_.pull_back(mass_); }  // once all of it is there

  double potential(const Configuration& c) const;
  double dissipation(const Configuration& c) const;
  void force(const Configuration& c, std::span<double> f) const;
  double force_and_potential(const Configuration& c, std::span<double> f) const;
  // Over the system's own pattern, without contact and friction.
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const;
  // The dense part of it; empty where there is none.
  void low_rank(const Configuration& c, Tangent tangent, LowRank& out) const;
  double max_step(const Configuration& c, std::span<const double> dq) const;

  Energies energies(const Configuration& c) const;
  // J: of all masses at a speed that crosses 1e-6 of the scene within a step of length h. What is
  // less is rounding and what stages are solved to.
  double least_energy(double h) const;
  Momentum momentum(std::span<const double> q, std::span<const double> v) const;

 private:
  void let_flow(State& state, double h) const;  // what is plastic

  Vector rest_;
  Index body_nodes_ = 0;
  double size_ = 0;
  Followers followers_;
  RigidPath rigid_path_;
  FollowerPlan follower_plan_;
  std::shared_ptr<const BlockPattern> pattern_;
  NodeMatrix mass_;
  std::vector<std::unique_ptr<Term>> terms_;
  const BarrierTerm* contact_ = nullptr;    // one of the terms
  const FrictionTerm* friction_ = nullptr;  // likewise
  std::vector<const PlasticTerm*> plastic_;
  std::size_t plastic_numbers_ = 0;
  ConstraintSet constraints_;
  std::vector<Pin> pins_;
  bool pins_work_ = false, has_damping_ = false;
};

}  // namespace pliant
