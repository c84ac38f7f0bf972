// The first s eigenpairs of K x = λ M x on the free coordinates: the modes of small motion, the
// subspace of ASCHER §4 and CHEN §3. K is symmetric and may be semi-definite (a free body has six
// rigid modes) or indefinite (a compressed one buckles). Everything goes through one Cholesky
// factorisation of K + σM with σ just large enough:
//   cold   Lanczos on (K + σM)⁻¹M by Spectra, which in exact arithmetic sees one vector of a
//          repeated eigenvalue, so the result passes through the block refinement below;
//   warm   refinement of a given subspace: Rayleigh–Ritz on a basis that grows by (K + σM)⁻¹ times
//          the residuals, with some guard vectors that find what the subspace lacks;
//   dense  small problems, and those where about half of all modes are wanted.
// Same input, same output, whatever the number of threads or the calls before.
#pragma once

#include <pliant/core/interruption.hpp>
#include <pliant/solve/cholmod_solver.hpp>

#include <string>

namespace pliant {

class RitzBasis;  // solve/ritz_basis.hpp

struct EigenProblem {
  const BlockMatrix& K;  // symmetric, unmasked
  const NodeMatrix& M;   // of the same pattern, positive definite
  const DofMask& mask;   // prescribed coordinates, which take no part
};

struct EigenOptions {
  // ‖K x − λ M x‖ ≤ tolerance |λ| in the norm of M⁻¹ (diagonal), or what rounding leaves of it; the
  // error of λ is the square of that.
  double tolerance = 1e-8;
  double angle = 0.05;        // of `follow`: what the modes may have turned by in its last round
  int max_iterations = 100;   // of the refinement
  int guards = 3;             // vectors beyond s that look for missed modes
  bool semidefinite = false;  // no eigenvalue is negative: nothing is spent on looking for one
  Interruption interrupted = {};  // asked before every solve of Lanczos and every refinement
};

enum class EigenMethod { dense, cold, warm };
std::string_view name_of(EigenMethod method);

struct Eigenpairs {
  bool ok = true;
  std::string reason;  // why not
  EigenMethod method = EigenMethod::dense;
  Vector values;            // ascending, 1/s²
  Eigen::MatrixXd vectors;  // a column each: XᵀMX = I, zero on the mask; the largest entry positive
  Eigen::MatrixXd guards;  // the next few, not converged, for a later warm start; may be empty
  Vector residuals;        // ‖K x − λ M x‖ in the norm of M⁻¹ (diagonal), 1/s²
  double scale = 0;        // max K_ii/M_ii, 1/s²: values below 1e-12 of it are rounding
  int iterations = 0;      // of the refinement
  int factorizations = 0;
  long solves = 0;  // with the factors
};

class EigenpairSolver {
 public:
  explicit EigenpairSolver(EigenOptions options = {}, bool fast = false);
  ~EigenpairSolver();

  // The lowest `count` pairs, or all where there are fewer. `start` (n rows, any number of columns,
  // best the vectors and guards of a similar problem) makes it warm; it need be neither orthonormal
  // nor zero on the mask.
  [[nodiscard]] Eigenpairs solve(const EigenProblem& problem, Index count,
                                 const Eigen::MatrixXd& start = {});

  // Factors alone, as `solve` makes them. False where there are none.
  [[nodiscard]] bool factorize(const EigenProblem& problem);
  // The modes of a problem near the one whose factors are at hand, from modes that were near: a
  // residual times those factors is what a mode has to turn by, and this is done until that is no
  // more than `angle` (in the norm of M, where modes have length 1); what is left is less, and the
  // error of λ the square of it. Most often once is enough. Not ok where a few times are not, or
  // there are no factors. Residuals are not computed. Whoever wants the same output for the same
  // input must know whose factors they are.
  [[nodiscard]] Eigenpairs follow(const EigenProblem& problem, Index count,
                                  const Eigen::MatrixXd& start);

 private:
  bool factorize_shifted(const EigenProblem& problem, const Eigen::MatrixXd& start,
                         Eigenpairs& out);
  Eigen::MatrixXd lanczos(const EigenProblem& problem, Index count);
  struct Effort {
    Index count;
    // With the factors. Half of what Lanczos needs (about 3 s + 40 were measured on bars): where a
    // warm start is no better than that, Lanczos is.
    long solves;
  };
  void begin(const EigenProblem& problem, const Eigen::MatrixXd& start, Index tracked);
  void refine(const EigenProblem& problem, const Effort& effort, const Eigen::MatrixXd& start,
              Eigenpairs& out);
  Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& R);  // (K + σM)⁻¹ R
  bool is_dense(Index free, Index count) const;

  EigenOptions options_;
  CholmodSolver solver_;
  std::unique_ptr<RitzBasis> basis_;
  std::shared_ptr<const BlockPattern> pattern_;
  BlockMatrix A_;     // K + σM without the mask
  double sigma_ = 0;  // 1/s²
  long solves_ = 0;   // of the refinement
};

}  // namespace pliant
