// One step of Newton's method on the natural map F = λ − P(u), u = λ − w. Rows that P holds at a
// bound have F = λ − bound and give their step at once; the others need the system of W among them:
//   free, sticking   F = w             dF = W dλ
//   sliding          F_t = λ_t − r t,  t = u_t/|u_t|, r = μ P(u_n):
//                    dF_t = dλ_t − t dr − (r/|u_t|) (I − t tᵀ) du_t
#include <pliant/solve/lcp_scaled.hpp>

#include <Eigen/LU>

#include <cmath>

namespace pliant {

// Each open row of dF is a combination of rows of du and dλ: dF_i = Σ_k on_w dw_k + on_lambda dλ_k
// over at most three k, the rows of its cone.
struct ScaledLcp::Jacobian {
  struct Term {
    Index row = 0;
    double on_w = 0, on_lambda = 0;
  };
  std::vector<std::vector<Term>> terms;  // one list per row; empty: held
};

void ScaledLcp::linearise_cone(std::size_t c, const Vector& u, Jacobian& jacobian) const {
  const FrictionCone& cone = cones[c];
  const auto& [first, second] = cone.tangents;
  const Index n = cone.normal;
  const double normal = std::clamp(u[n], lower[n], upper[n]);
  const double r = cone.mu * normal;
  const Eigen::Vector2d ut(u[first], u[second]);
  const double length = ut.norm();
  if (length <= r && r > 0) {
    for (const Index row : cone.tangents)
      jacobian.terms[static_cast<std::size_t>(row)] = {{row, 1, 0}};
    return;
  }
  if (!(r > 0)) return;  // out of contact: held at zero
  const Eigen::Vector2d t = ut / length;
  const Eigen::Matrix2d turn = (r / length) * (Eigen::Matrix2d::Identity() - t * t.transpose());
  const bool normal_moves = u[n] > lower[n] && u[n] < upper[n];
  for (int i = 0; i < 2; ++i) {
    auto& terms =
        jacobian.terms[static_cast<std::size_t>(cone.tangents[static_cast<std::size_t>(i)])];
    for (int j = 0; j < 2; ++j)  // du = dλ − dw
      terms.push_back({cone.tangents[static_cast<std::size_t>(j)], turn(i, j),
                       (i == j ? 1.0 : 0.0) - turn(i, j)});
    if (normal_moves) terms.push_back({n, cone.mu * t[i], -cone.mu * t[i]});
  }
}

bool ScaledLcp::newton_step(const Vector& lambda, const Vector& F, Vector& step) const {
  const Vector u = lambda - slack(lambda);
  Jacobian jacobian;
  jacobian.terms.resize(static_cast<std::size_t>(rows()));
  for (Index i = 0; i < rows(); ++i)
    if (tangent_of_[static_cast<std::size_t>(i)] < 0 && u[i] > lower[i] && u[i] < upper[i])
      jacobian.terms[static_cast<std::size_t>(i)] = {{i, 1, 0}};
  for (std::size_t c = 0; c < cones.size(); ++c) linearise_cone(c, u, jacobian);
  std::vector<Index> place(static_cast<std::size_t>(rows()), -1);
  Index open = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (!jacobian.terms[i].empty()) place[i] = open++;
  step = -F;
  if (open == 0) return true;
  Matrix M = Matrix::Zero(open, open);
  Vector right(open);
  for (Index i = 0; i < rows(); ++i) {
    const Index row = place[static_cast<std::size_t>(i)];
    if (row < 0) continue;
    right[row] = -F[i];
    const auto add = [&](Index k, double value) {  // a held row's step is known
      const Index column = place[static_cast<std::size_t>(k)];
      if (column >= 0)
        M(row, column) += value;
      else
        right[row] += value * F[k];
    };
    for (const auto& [k, on_w, on_lambda] : jacobian.terms[static_cast<std::size_t>(i)]) {
      add(k, on_lambda + proximal_ * on_w);
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(W, k); it && on_w != 0;
           ++it)
        add(static_cast<Index>(it.col()), on_w * it.value());
    }
  }
  const Eigen::PartialPivLU<Matrix> lu(M);
  Vector solved = lu.solve(right);
  solved += lu.solve(right - M * solved);
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] >= 0) step[static_cast<Eigen::Index>(i)] = solved[place[i]];
  return step.allFinite();
}

}  // namespace pliant
