// All local parts of a system, as the local–global solver sees them: z = D q, their weights, and
// what is done to all of them at once. Vectors over parts hold those of one term after the other.
#pragma once

#include <pliant/dissipation/lagged_damping.hpp>
#include <pliant/dissipation/rayleigh.hpp>
#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/stage/admm_contact.hpp>
#include <pliant/system/system.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

class AdmmParts {
 public:
  // Throws InputError where the system holds what has no local minimiser. `weight` multiplies what
  // stiffness says.
  void gather(const System& system, double weight);
  std::size_t numbers() const { return numbers_; }  // in z
  bool dissipates() const { return dissipates_; }
  // Damping by mass, which the global step takes: no elastic terms, no β.
  std::span<const RayleighPart> drag() const { return drag_; }

  // Contact comes and goes: its parts stand behind all others, as long as there are any.
  void set_contact(const AdmmContact& contact, const System& system);
  Eigen::Index contact_numbers() const;  // in z

  // Weights for stages of this γq; all of them times `level`. Contact has its own.
  void set_weights(double gamma, double level);
  void set_contact_weights(const AdmmContact& contact);
  void freeze_damping(const Vector& z);  // at the start of a step

  void map(const Vector& q, Vector& z) const;             // z = D q
  void add_transposed(const Vector& y, Vector& f) const;  // f += Dᵀ W y
  void add_matrix(double scale, NodeMatrix& A) const;     // A += scale Dᵀ W D, without contact
  void add_contact_matrix(double scale, NodeMatrix& A) const;
  // ‖W^½ y‖ over all parts but those of contact, whose z are positions, and over these.
  struct Norms {
    double lasting = 0, contact = 0;
  };
  Norms norms(const Vector& y) const;
  double norm_of_ones() const;        // without contact
  Vector weights_of_numbers() const;  // w_i for each number of z

  // The stage that rates are measured over: D q_p and D v̂.
  struct StageView {
    double gamma = 0;
    const Vector* before = nullptr;
    const Vector* v_hat = nullptr;
  };
  // z_i by (16b), all at once; false where one was not found.
  bool minimise(const Configuration& c, const StageView& stage, const Vector& target,
                Vector& z) const;
  // u = W⁻¹ ∇Φ(z): what it is at the solution, if z is.
  void start(const Configuration& c, const StageView& stage, const Vector& z, Vector& u) const;
  // Between two places u changes by about as much as z where weights stand for the stiffness. Where
  // a wall is hit on the way (cloth at the limit of its stretch) it grows a thousand times faster
  // and says nothing of the solution: such parts get the u of the other place. True where there
  // were any.
  struct Place {
    const Vector &z, &u;
  };
  bool keep_off_walls(const Place& other, const Vector& z, Vector& u) const;
  // Of parts that turn with a body: y = axis × z, and zero for all others; Σ w a·b, added to the
  // number of each part's body; and all of y turned with its body. A part belongs to the body that
  // `number` has for the first of its nodes that has one (−1: none).
  void set_bodies(std::span<const int> number);
  void turn_rates(int axis, const Vector& z, Vector& y) const;
  void add_products(const Vector& a, const Vector& b, std::span<double> of_bodies) const;
  void turn(std::span<const Mat3> rotations, Vector& y) const;
  // As `start` for contact alone, and back: W u of its rows.
  void start_contact(Vector& u) const;
  std::span<const double> contact_gradient(const Vector& u);

 private:
  // All parts of one term.
  struct Group {
    const LocalPotential* potential = nullptr;
    LocalMaps maps;
    AssemblyPlan plan;
    std::vector<double> weights;   // w_i, J
    std::vector<int> bodies = {};  // of each part, −1 where it does not turn with one
    std::size_t first = 0;         // number in z
    std::size_t numbers() const { return 3 * static_cast<std::size_t>(maps.rows); }
    std::size_t all() const { return numbers() * maps.size(); }
    std::span<const double> of(const Vector& x) const { return {x.data() + first, all()}; }
    std::span<double> of(Vector& x) const { return {x.data() + first, all()}; }
    LocalRange range(std::size_t begin, std::size_t end, const StageView& stage) const {
      if (!stage.before) return {begin, end, {}};
      return {begin, end, {stage.gamma, of(*stage.before), of(*stage.v_hat)}};
    }
  };
  void add_group(const LocalPotential& potential, const System& system);
  std::span<const Group> lasting() const { return {groups_.data(), lasting_}; }
  static void add_matrix_of(const Group& group, double scale, NodeMatrix& A);
  static double squared_norm(const Group& group, const Vector& y);
  static void start_group(const Group& group, const Configuration& c, const StageView& stage,
                          const Vector& z, Vector& u);
  void add_rayleigh(const Rayleigh& rayleigh, const System& system);

  double weight_ = 1;
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<LaggedDamping>> lagged_;
  std::vector<std::size_t> lagged_groups_;
  std::vector<RayleighPart> drag_;
  std::size_t numbers_ = 0;
  std::size_t lasting_ = 0;  // groups without that of contact
  std::vector<double> contact_gradient_;
  bool dissipates_ = false;
};

}  // namespace pliant
