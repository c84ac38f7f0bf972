// Conjugate gradients on the assembled matrix, preconditioned with the inverses of its 3×3 diagonal
// blocks. Cheap where the mass dominates (soft bodies, small steps); the iteration count grows with
// stiffness and with incompressibility. Where it is large and the nodes' positions are known, a
// coarse level of rigid motions is added (rigid_level.hpp).
//
// In mixed precision products are with a copy of the matrix in single precision, and so is the
// preconditioner; vectors and sums stay double. What rounding adds to the residual is taken out now
// and then and before the end: the residual is computed anew from the matrix itself, and iterations
// go on from it along the direction they had (residual replacement, Van der Vorst and Ye 2000).
// Where that gets nowhere the rest is iterated in double precision.
#pragma once

#include <pliant/solve/level_choice.hpp>
#include <pliant/solve/rigid_level.hpp>
#include <pliant/sparse/single_matrix.hpp>

#include <vector>

namespace pliant {

class PcgSolver final : public LinearSolver {
 public:
  explicit PcgSolver(Precision precision = Precision::full) : precision_(precision) {}
  std::string_view name() const override { return "pcg"; }
  void analyze(const std::shared_ptr<const BlockPattern>& pattern) override;
  SolveStatus factorize(const BlockMatrix& A) override;
  SolveStatus solve(std::span<const double> b, std::span<double> x,
                    SolveAccuracy accuracy) override;
  void set_nodes(std::span<const double> q) override { q_.assign(q.begin(), q.end()); }
  void set_update(const LowRank* update) override { update_ = update; }
  long iterations() const override { return iterations_; }
  bool keeps_factors() const override { return false; }
  static constexpr std::size_t kMemory = LevelChoice::kMemory;
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;

  void limit_iterations(long limit) { limit_ = limit; }  // per solve
  // Of the last solve: all iterations, those in double precision, and those before the level was
  // added; residuals computed anew.
  long last_iterations() const { return last_; }
  long last_exact_iterations() const { return last_exact_; }
  long last_plain_iterations() const { return levelled_ ? levelled_at_ : last_; }
  long last_replacements() const { return replacements_; }

 private:
  double multiply_dot();                  // Ap = (A + Y Zᵀ) p, returns p·Ap
  double shorten_residual(double alpha);  // r −= α Ap, returns the square of its norm
  double correct(double square);          // r·P⁻¹r with the level, from that without
  void turn(double alpha, double beta, std::span<double> x);  // x += α p, p = P⁻¹r + β p
  SolveStatus iterate(std::span<const double> b, std::span<double> x, double relative);
  bool must_replace() const;
  bool replace_residual(std::span<const double> b, std::span<const double> x);
  bool look_for_cheaper();
  bool make_single();
  bool start_level();

  Precision precision_;
  const BlockMatrix* A_ = nullptr;
  const LowRank* update_ = nullptr;
  std::vector<double> inverse_;  // the upper triangle of each inverse diagonal block, six numbers
  Vector r_, p_, Ap_;
  long limit_ = 10'000, last_ = 0, iterations_ = 0;

  // Of the iteration at hand: the squares of the norm that we stop by, ‖r‖ by P without the level.
  double start_ = 0, square_ = 0, target_ = 0;
  double rz_ = 0;  // r·P⁻¹r

  // In single precision:
  SingleMatrix single_;
  std::vector<float> factors_;    // of the diagonal blocks
  std::vector<float> rounded_;    // p
  std::vector<double> softness_;  // of each node, see SingleMatrix
  enum class Single { none, unknown, made } single_state_ = Single::none;
  bool exact_ = true;    // products are with A itself
  double replaced_ = 0;  // the last square that rounding is not in
  long next_ = 0;        // the iteration that looks at it again
  int slow_ = 0;         // how often it had hardly shrunk
  long replacements_ = 0, last_exact_ = 0;

  // With the coarse level:
  std::unique_ptr<RigidLevel> level_;
  LevelChoice choice_;
  std::shared_ptr<const BlockPattern> first_pattern_;  // that its parts are of
  std::vector<double> q_;
  bool level_is_made_ = false, levelled_ = false;
  long levelled_at_ = 0;        // iteration
  double levelled_square_ = 0;  // then
};

}  // namespace pliant
