// Constraints by a factorisation: scaling, the factors, what they left out, refinement. Where the
// residual stays large, more pivots are left to the border, which is exact but costs a solve for
// each; where that does not help either, C is regularised and the refinement does the rest.
// Where elimination takes little work, `first` is tried before: what it costs beyond arithmetic is
// next to nothing, and its answers are held to the same measure.
#pragma once

#include <pliant/solve/kkt_border.hpp>

#include <string>

namespace pliant {

// Takes from g what no x and y can meet, and notes the rows concerned.
Vector without_contradiction(const Matrix& null_space, const Vector& g, double unit,
                             KktReport& report);
// Takes from y what changes nothing.
void shorten(const Matrix& null_space, Vector& y);

class DirectKkt final : public KktSolver {
 public:
  DirectKkt(std::string_view name, std::unique_ptr<KktFactors> factors,
            std::unique_ptr<KktFactors> first = nullptr)
      : name_(name), pivoting_(std::move(factors)), first_(std::move(first)) {}
  std::string_view name() const override { return name_; }
  SolveStatus factorize(const KktMatrix& matrix) override;
  KktReport solve(const Vector& f, const Vector& g, Vector& x, Vector& y) override;
  const Matrix& null_space() const { return border_.null_space(); }

 private:
  void analyze();
  SolveStatus prepare(std::size_t attempt);
  double refine(const Vector& b, Vector& z, int& solves);
  KktReport solve_once(const Vector& f, const Vector& g, Vector& x, Vector& y);

  std::string name_;
  std::unique_ptr<KktFactors> pivoting_, first_;
  KktFactors* factors_ = nullptr;  // one of them
  std::vector<Index> order_;
  bool analyzed_ = false, easy_ = false;  // by pivoting_; for first_
  KktSystem system_;
  KktBorder border_;
  SolveStatus status_ = SolveStatus::failed;
  double unit_ = 0, regularization_ = 0;
  double error_ = 0;  // backward, of the last refinement
  int negative_ = 0;
  std::size_t attempt_ = 0;
  Vector b_, z_, r_, trial_;
};

}  // namespace pliant
