// Sparse Cholesky (A = L Lᵀ, supernodal) and L D Lᵀ by CHOLMOD [Chen, Davis, Hager, Rajamanickam
// 2008], ordered by METIS on the graph of nodes, which is a ninth of the graph of coordinates.
//
// Contacts that come and go change the pattern a little each time, and ordering costs more than
// factorising. Where that is to be expected, an order serves for the patterns that follow as long
// as factors by it cost about what they did when it was made.
#pragma once

#include <pliant/solve/linear_solver.hpp>

#include <cholmod.h>

#include <array>
#include <cstdint>
#include <vector>

namespace pliant {

std::uint64_t hash_of(const BlockPattern& pattern);  // of what stands in the rows

class CholmodSolver final : public LinearSolver {
 public:
  enum class Kind { llt, ldlt };
  CholmodSolver(Kind kind, bool fast);
  ~CholmodSolver() override;
  CholmodSolver(const CholmodSolver&) = delete;
  CholmodSolver& operator=(const CholmodSolver&) = delete;

  std::string_view name() const override { return kind_ == Kind::llt ? "cholesky" : "ldlt"; }
  void analyze(const std::shared_ptr<const BlockPattern>& pattern) override;
  SolveStatus factorize(const BlockMatrix& A) override;
  SolveStatus solve(std::span<const double> b, std::span<double> x,
                    SolveAccuracy accuracy) override;
  void set_update(const LowRank* update) override { update_ = update; }
  void expect_patterns() override { keeps_order_ = true; }
  std::vector<double> memory() const override;
  void restore(std::span<const double> memory) override;
  long iterations() const override { return solves_; }

  // B ← A⁻¹ B without the update, all columns at once: less than half the time of one by one.
  [[nodiscard]] bool solve_in_place(Matrix& B);

  bool analyzed() const { return factor_ != nullptr; }
  double factor_flops() const { return flops_; }      // of one factorisation, from the analysis
  double factor_entries() const { return entries_; }  // non-zeros of L

 private:
  cholmod_sparse* make_graph(const BlockPattern& pattern);
  double order_graph(cholmod_sparse* graph, bool as_before);  // the cost of factors
  void order_nodes(const BlockPattern& pattern);
  void lay_out_lower(const BlockPattern& pattern);
  bool copy_lower(const BlockMatrix& A);  // whether it differs from the one before
  bool prepare_update();
  const double* solve_columns(int system, const Matrix& B);
  bool solve_one(int system);
  bool solve_corrected();
  void free_all();

  Kind kind_;
  bool fast_;  // with as many threads as there are
  cholmod_common common_;
  cholmod_factor* factor_ = nullptr;
  cholmod_sparse* lower_ = nullptr;  // the permuted lower triangle, refilled by each factorisation
  cholmod_dense* rhs_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
  std::array<cholmod_dense*, 4> block_ = {};  // the same four for many right-hand sides
  std::vector<int> order_;                    // order_[k]: the node at place k of the elimination
  std::vector<Index> column_start_;  // per block column of lower_: its first entry in source_
  std::vector<Index> source_;        // per block of lower_: the block of A it is copied from
  struct Order {                     // of the last pattern
    std::vector<int> nodes;
    std::uint64_t pattern = 0;  // a hash
    double cost = 0;            // of factors over nodes, by METIS when the order was made
  };
  bool keeps_order_ = false;
  Order kept_;
  std::shared_ptr<const BlockPattern> pattern_;
  const LowRank* update_ = nullptr;
  Woodbury woodbury_;
  bool has_factors_ = false;  // of what is in lower_
  long solves_ = 0;
  double flops_ = 0, entries_ = 0;
};

}  // namespace pliant
