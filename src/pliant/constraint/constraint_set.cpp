#include <pliant/constraint/constraint_set.hpp>

#include <algorithm>
#include <limits>

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
  relaxation_.conservativeResize(rows_);
  relaxation_.tail(batch->rows()).setZero();
  batch->relaxation(part(view(relaxation_), first_.back(), batch->rows()));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  low_.conservativeResize(rows_);
  high_.conservativeResize(rows_);
  low_.tail(batch->rows()).setConstant(-infinity);
  high_.tail(batch->rows()).setConstant(infinity);
  batch->bounds(part(view(low_), first_.back(), batch->rows()),
                part(view(high_), first_.back(), batch->rows()));
  has_bounds_ = low_.maxCoeff() > -infinity || high_.minCoeff() < infinity;
  rate_.resize(static_cast<std::size_t>(rows_), batch->about_rates() ? 1 : 0);
  has_rates_ = has_rates_ || batch->about_rates() || relaxation_.maxCoeff() > 0;
  batches_.push_back(std::move(batch));
}

void ConstraintSet::value(double t, std::span<const double> q, Vector& phi) const {
  phi.resize(rows_);
  for (std::size_t k = 0; k < batches_.size(); ++k)
    batches_[k]->value(t, q, part(view(phi), first_[k], batches_[k]->rows()));
}

void ConstraintSet::make_rates(std::span<const JacobianEntry> J, std::span<const double> v,
                               double gamma_q, Vector& values) const {
  for (Index k = 0; k < rows_; ++k)
    if (!is_about_rate(k)) values[k] /= gamma_q * stiffening(k, gamma_q);
  if (!has_rates_) return;
  for (const JacobianEntry& entry : J) {
    const double stiffer = stiffening(entry.row, gamma_q);
    const double share = is_about_rate(entry.row) ? 1 : (stiffer - 1) / stiffer;
    if (share > 0) values[entry.row] += share * entry.gradient.dot(node(v, entry.node));
  }
}

Vector ConstraintSet::taking_part(const Vector& phi, const Vector& lambda) const {
  Vector taking = Vector::Zero(rows_);
  for (Index k = 0; k < rows_; ++k) {
    if (is_about_rate(k)) {
      if (phi[k] == 0) taking[k] = lambda[k];  // else it drives
    } else if (relaxation_[k] > 0 && compliance_[k] > 0) {
      taking[k] = lambda[k] - std::clamp(-phi[k] / compliance_[k], low_[k], high_[k]);
    }
  }
  return taking;
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

void ConstraintSet::curvature(double t, std::span<const double> q, std::span<const double> v,
                              Vector& out) const {
  out.resize(rows_);
  for (std::size_t k = 0; k < batches_.size(); ++k)
    batches_[k]->curvature(t, q, v, part(view(out), first_[k], batches_[k]->rows()));
}

std::string ConstraintSet::row_name(Index row) const {
  std::size_t k = batches_.size();
  while (k-- > 0)
    if (first_[k] <= row) return batches_[k]->row_name(row - first_[k]);
  return {};
}

double ConstraintSet::energy(double t, std::span<const double> q) const {
  Vector phi;
  value(t, q, phi);
  double sum = 0;
  for (Index k = 0; k < rows_; ++k) {
    if (compliance_[k] == 0 || is_about_rate(k)) continue;
    const double lambda = std::clamp(-phi[k] / compliance_[k], low_[k], high_[k]);
    sum += 0.5 * lambda * lambda * compliance_[k];
  }
  return sum;
}

void add_constraint_force(const std::vector<JacobianEntry>& J, const Vector& lambda,
                          std::span<double> f) {
  for (const JacobianEntry& entry : J) node(f, entry.node) += lambda[entry.row] * entry.gradient;
}

}  // namespace pliant
