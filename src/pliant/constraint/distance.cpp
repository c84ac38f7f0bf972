#include <pliant/constraint/distance.hpp>

namespace pliant {
namespace {

// From b to a.
Vec3 between(const DistanceRow& row, std::span<const double> q) {
  return row.a.at(q) - row.b.at(q) - row.world;
}

// The direction; where both points are in one place there is none, and any will do.
Vec3 direction(const Vec3& d) {
  const double length = d.norm();
  return length > 0 ? Vec3(d / length) : Vec3(Vec3::UnitX());
}

// take(node, w) with x_a − x_b = Σ w x.
template <class Take>
void for_each_node(const DistanceRow& row, Take&& take) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(row.a.count); ++i)
    take(row.a.nodes[i], row.a.weights[i]);
  for (std::size_t i = 0; i < static_cast<std::size_t>(row.b.count); ++i)
    take(row.b.nodes[i], -row.b.weights[i]);
}

}  // namespace

void DistanceConstraints::value(double, std::span<const double> q, std::span<double> phi) const {
  for (std::size_t k = 0; k < list_.size(); ++k)
    phi[k] = list_[k].sign * (between(list_[k], q).norm() - list_[k].rest);
}

void DistanceConstraints::add_jacobian(std::span<const double> q, Index first_row,
                                       std::vector<JacobianEntry>& out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Vec3 n = list_[k].sign * direction(between(list_[k], q));
    for_each_node(list_[k], [&](Index node, double w) {
      out.push_back({first_row + static_cast<Index>(k), node, w * n});
    });
  }
}

void DistanceConstraints::compliance(std::span<double> c) const {
  for (std::size_t k = 0; k < list_.size(); ++k) c[k] = list_[k].compliance;
}

void DistanceConstraints::relaxation(std::span<double> tau) const {
  for (std::size_t k = 0; k < list_.size(); ++k) tau[k] = list_[k].relaxation;
}

void DistanceConstraints::bounds(std::span<double> low, std::span<double> high) const {
  for (std::size_t k = 0; k < list_.size(); ++k)
    low[k] = list_[k].bounds.low, high[k] = list_[k].bounds.high;
}

// ∇²‖d‖ = (I − n nᵀ)/‖d‖ is never negative: tension, λ < 0, makes −λ∇²φ stabilise.
void DistanceConstraints::add_geometric_stiffness(std::span<const double> q,
                                                  std::span<const double> lambda, double scale,
                                                  GeometricStiffness part,
                                                  std::vector<NodeBlock>& out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Vec3 d = between(list_[k], q);
    const double length = d.norm();
    const double pull = -list_[k].sign * lambda[k];
    const bool counts =
        part == GeometricStiffness::exact || (part == GeometricStiffness::positive && pull > 0);
    Mat3 H = Mat3::Zero();
    if (counts && length > 0) {
      const Vec3 n = d / length;
      H = scale * pull / length * (Mat3::Identity() - n * n.transpose());
    }
    for_each_node(list_[k], [&](Index i, double wi) {
      for_each_node(list_[k], [&](Index j, double wj) { out.push_back({i, j, wi * wj * H}); });
    });
  }
}

void DistanceConstraints::curvature(double, std::span<const double> q, std::span<const double> v,
                                    std::span<double> out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Vec3 d = between(list_[k], q), n = direction(d);
    const Vec3 u = list_[k].a.at(v) - list_[k].b.at(v);
    const double bend = d.norm() > 0 ? (u.squaredNorm() - std::pow(n.dot(u), 2)) / d.norm() : 0;
    out[k] = list_[k].sign * bend;
  }
}

}  // namespace pliant
