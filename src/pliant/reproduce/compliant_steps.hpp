// TOURNIER's linear system itself, for cases that look into it: each step of
//   [ M − h² K̃   Jᵀ    ] [ v₊ ]   [ p + h f_e ]
//   [ J         −C/h²  ] [ −μ ] = [ −φ/h      ]                                            (21)
// is solved by factors, and its matrix can be looked at beside the one that implicit stiffness
// would have in the same place, M − h² K̃ + h² Jᵀ C⁻¹ J (4), (17). Of K̃ only the part that keeps
// the matrix definite is taken, as TOURNIER §3.2 allows: a sheet without bending buckles.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/system/kkt_assembly.hpp>

namespace pliant {

class CompliantSteps {
 public:
  CompliantSteps(const System& system, double h);

  bool step();  // false where it could not be solved
  const State& state() const { return state_; }

  // Of the last step.
  const KktMatrix& matrix() const { return assembly_.matrix(); }
  const Vector& force() const { return b_; }  // the right-hand side
  const Vector& values() const { return g_; }
  // Springs of a compliance in place of rows that have none.
  Eigen::SparseMatrix<double> stiffness_form(double spring_compliance = 0) const;

 private:
  const System& system_;
  double h_;
  State state_;
  Vector lambda_, f_, b_, g_, p_;
  BlockMatrix M_;
  KktAssembly assembly_;
  std::unique_ptr<KktSolver> solver_;
};

// Largest over smallest magnitude of the eigenvalues.
double condition_number(const Eigen::MatrixXd& symmetric);
// Of the whole matrix of (21).
double condition_number(const KktMatrix& matrix);

// A square sheet of St. Venant–Kirchhoff triangles without bending, held at two corners, flat,
// under gravity; the two others carry a weight each.
struct ClothInput {
  Index side = 10;                                    // nodes
  double length = 10, thickness = 1e-3;               // m
  double young = 1e9, poisson = 0.49, density = 100;  // Pa, –, kg/m³
  double weight = 0;                                  // kg
  bool compliant = true;                              // or by stiffness
};
Model make_cloth(const ClothInput& input);

}  // namespace pliant
