#include <pliant/system/constrained_acceleration.hpp>

#include <pliant/system/kkt_assembly.hpp>

namespace pliant {

bool find_constrained_acceleration(const System& system, const DofMask& mask,
                                   const Configuration& c, std::span<const double> f,
                                   std::span<double> a) {
  const ConstraintSet& constraints = system.constraints();
  std::vector<JacobianEntry> J, hard;
  constraints.jacobian(c.q, J);
  Vector phi, bend;
  constraints.value(c.q, phi);
  constraints.curvature(c.q, c.v, bend);
  // Rows with a compliance are springs here; the others are numbered anew.
  std::vector<Index> number(static_cast<std::size_t>(constraints.rows()), -1);
  Index rows = 0;
  for (Index k = 0; k < constraints.rows(); ++k)
    if (constraints.compliance()[k] == 0) number[static_cast<std::size_t>(k)] = rows++;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) a[i] = 0;
  Vector b = as_vector(f), g = Vector::Zero(rows), Ma(b.size());
  for (const JacobianEntry& entry : J) {
    const Index row = number[static_cast<std::size_t>(entry.row)];
    if (row < 0) {
      node(view(b), entry.node) -=
          phi[entry.row] / constraints.compliance()[entry.row] * entry.gradient;
      continue;
    }
    hard.push_back({row, entry.node, entry.gradient});
    g[row] -= entry.gradient.dot(node(std::span<const double>(a), entry.node));
  }
  for (Index k = 0; k < constraints.rows(); ++k)
    if (number[static_cast<std::size_t>(k)] >= 0) g[number[static_cast<std::size_t>(k)]] -= bend[k];
  system.mass().multiply(a, view(Ma));
  b -= Ma;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) b[static_cast<Eigen::Index>(i)] = 0;
  BlockMatrix M(system.pattern());
  system.mass().write_to(M);
  M.remove(mask);
  KktMatrix matrix;
  matrix.C = Vector::Zero(rows);
  matrix.unit = g.size() > 0 ? g.lpNorm<Eigen::Infinity>() : 0;
  fill_kkt_matrix(M, {}, hard, mask, matrix);
  const auto solver = make_kkt_solver("schur");
  Vector x, y;
  if (solver->factorize(matrix) != SolveStatus::ok) return false;
  if (solver->solve(b, g, x, y).status != SolveStatus::ok || !x.allFinite()) return false;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) a[i] = x[static_cast<Eigen::Index>(i)];
  return true;
}

}  // namespace pliant
