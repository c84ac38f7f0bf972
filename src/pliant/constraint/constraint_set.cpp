#include <pliant/constraint/constraint_set.hpp>

namespace pliant {
namespace {

template <class T>
std::span<T> part(std::span<T> whole, Index first, Index count) {
  return whole.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

}  // namespace

void ConstraintSet::add(std::unique_ptr<Constraint> batch) {
  first_.push_back(rows_);
  rows_ += batch->rows();
  compliance_.conservativeResize(rows_);
  batch->compliance(part(view(compliance_), first_.back(), batch->rows()));
  batches_.push_back(std::move(batch));
}

void ConstraintSet::value(std::span<const double> q, Vector& phi) const {
  phi.resize(rows_);
  for (std::size_t k = 0; k < batches_.size(); ++k)
    batches_[k]->value(q, part(view(phi), first_[k], batches_[k]->rows()));
}

void ConstraintSet::jacobian(std::span<const double> q, std::vector<JacobianEntry>& out) const {
  out.clear();
  for (std::size_t k = 0; k < batches_.size(); ++k) batches_[k]->add_jacobian(q, first_[k], out);
}

void ConstraintSet::geometric_stiffness(std::span<const double> q, const Vector& lambda,
                                        double scale, GeometricStiffness which,
                                        std::vector<NodeBlock>& out) const {
  out.clear();
  for (std::size_t k = 0; k < batches_.size(); ++k)
    batches_[k]->add_geometric_stiffness(q, part(view(lambda), first_[k], batches_[k]->rows()),
                                         scale, which, out);
}

void ConstraintSet::curvature(std::span<const double> q, std::span<const double> v,
                              Vector& out) const {
  out.resize(rows_);
  for (std::size_t k = 0; k < batches_.size(); ++k)
    batches_[k]->curvature(q, v, part(view(out), first_[k], batches_[k]->rows()));
}

std::string ConstraintSet::row_name(Index row) const {
  std::size_t k = batches_.size();
  while (k-- > 0)
    if (first_[k] <= row) return batches_[k]->row_name(row - first_[k]);
  return {};
}

double ConstraintSet::energy(std::span<const double> q) const {
  Vector phi;
  value(q, phi);
  double sum = 0;
  for (Index k = 0; k < rows_; ++k)
    if (compliance_[k] > 0) sum += 0.5 * phi[k] * phi[k] / compliance_[k];
  return sum;
}

void add_constraint_force(const std::vector<JacobianEntry>& J, const Vector& lambda,
                          std::span<double> f) {
  for (const JacobianEntry& entry : J) node(f, entry.node) += lambda[entry.row] * entry.gradient;
}

}  // namespace pliant
