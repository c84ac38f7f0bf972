// All forces of a correction at once, by a complementarity problem on the Schur complement
// (TOURNIER §3.3): with constraints the motion that forces f lead to is that of
//   [ A − h²K̃   −Jᵀ   ] [ x ]   [ f ]
//   [ J          C/h²  ] [ ν ] = [ g ],
// so W = (h G, h H) K⁻¹ (h G, h H)ᵀ, one solve with the factors for each row of contact.
// Multipliers that have bounds, of limits and motors, are rows of that problem, too: whether a
// limit still pushes once a contact does is found together with it. Projected Gauss–Seidel and
// Newton's method take turns on it (solve/lcp.hpp).
//
// Of K̃ only the part that makes the matrix more definite is taken: W has to be semidefinite.
// Constraints turn on the way, so g is what they are missed by where the last answer has led, and
// the caller goes on until that is nothing. The matrix stays that of the first turn, and with it
// the columns of W, unless that takes long.
#pragma once

#include <pliant/solve/lcp.hpp>
#include <pliant/stage/contact_forces.hpp>
#include <pliant/stage/row_response.hpp>
#include <pliant/system/kkt_assembly.hpp>

namespace pliant {

class UnilateralForces final : public ContactForces {
 public:
  explicit UnilateralForces(const SolverOptions& options);
  void open(const StepContext& context, double h, const Prediction& predicted) override;
  bool turn(const Vector& q, const Vector& v, const Vector& x) override;
  double missed(const Vector& q, const Vector& v) override;
  void end_way() override;
  bool balance(const ContactRows& rows, ContactAnswer& answer, ContactReport& report) override;

 private:
  struct Row {  // of the complementarity problem
    const NodeRows* list = nullptr;
    Index row = 0;
  };
  struct Bounded {  // a row of the constraints
    Index row = 0;
    double pushed = 0;  // N s, in the prediction
    double change = 0;  // N s, in the correction so far
    double value = 0;   // m/s, of the row at x = 0
    bool acts = true;
  };
  void find_values(const Vector& q, const Vector& v, Vector& values);
  bool factorize();
  void split_bounded_rows();
  bool respond(const Vector& f, const Vector& g, Vector& x);
  bool respond_to_columns(Matrix& columns);
  bool make_problem(const ContactRows& rows, const ContactAnswer& guess);
  void add_row(RowResponse::Kind kind, Row row, double b, double low, double high, double guess);

  const StepContext* context_ = nullptr;
  double h_ = 0, t_ = 0;
  int turns_ = 0;
  bool way_ended_ = false;
  GeometricStiffness geometric_;
  PreparedSolver solver_;           // without constraints
  std::unique_ptr<KktSolver> kkt_;  // with them
  KktAssembly assembly_;
  BlockMatrix A_;
  std::vector<JacobianEntry> J_, factors_J_;  // factors_: of all rows, where the matrix is
  std::vector<NodeBlock> blocks_;
  std::vector<Bounded> bounded_;
  NodeRows bounded_rows_;
  Vector C_, g_;  // C/h²; m/s
  Vector base_;   // of the rows in the prediction
  Vector nu_;     // N s, of the last answer
  LcpProblem problem_;
  RowResponse response_;
  std::vector<Row> rows_;
  std::vector<Index> slot_;  // of each of them in the response
  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<double> b_, low_, high_, guess_;
  Vector lambda_, f_, x_, free_motion_, free_, values_, b_free_, y_;
};

}  // namespace pliant
