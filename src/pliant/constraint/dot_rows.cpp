#include <pliant/constraint/dot_rows.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {

LinearForm::LinearForm(const MappedPoint& point) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(point.count); ++a)
    parts.push_back({point.nodes[a], point.weights[a]});
}

LinearForm& LinearForm::operator-=(const LinearForm& other) {
  constant -= other.constant;
  for (const Part& part : other.parts) parts.push_back({part.node, -part.weight});
  return *this;
}

Vec3 LinearForm::at(std::span<const double> q) const {
  Vec3 sum = constant;
  for (const Part& part : parts) sum += part.weight * node(q, part.node);
  return sum;
}

DotConstraints::DotConstraints(const std::vector<DotRow>& list, About about) : about_(about) {
  for (const DotRow& row : list) {
    const std::size_t first = parts_.size();
    const auto part_of = [&](Index n) -> Part& {
      const auto begin = parts_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto found =
          std::find_if(begin, parts_.end(), [n](const Part& part) { return part.node == n; });
      if (found != parts_.end()) return *found;
      return parts_.emplace_back(Part{n, 0, 0});
    };
    for (const LinearForm::Part& part : row.u.parts) part_of(part.node).a += part.weight;
    for (const LinearForm::Part& part : row.w.parts) part_of(part.node).b += part.weight;
    list_.push_back({row.name, first, parts_.size(), row.u.constant, row.w.constant, row.rest,
                     row.compliance, row.relaxation, row.bounds, row.target});
  }
}

// u and w without their constants: of positions, or of velocities.
std::array<Vec3, 2> DotConstraints::vectors(const Row& row, std::span<const double> x) const {
  Vec3 u = Vec3::Zero(), w = Vec3::Zero();
  for (const Part& part : parts_of(row)) {
    const Vec3 place = node(x, part.node);
    u += part.a * place;
    w += part.b * place;
  }
  return {u, w};
}

void DotConstraints::value(double t, std::span<const double> q, std::span<double> phi) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Row& row = list_[k];
    const auto [u, w] = vectors(row, q);
    phi[k] =
        about_rates() ? -row.target.rate : (u + row.u).dot(w + row.w) - row.rest - row.target.at(t);
  }
}

void DotConstraints::add_jacobian(std::span<const double> q, Index first_row,
                                  std::vector<JacobianEntry>& out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Row& row = list_[k];
    const auto [u, w] = vectors(row, q);
    for (const Part& part : parts_of(row))
      out.push_back({first_row + static_cast<Index>(k), part.node,
                     part.a * (w + row.w) + part.b * (u + row.u)});
  }
}

void DotConstraints::compliance(std::span<double> c) const {
  for (std::size_t k = 0; k < list_.size(); ++k) c[k] = list_[k].compliance;
}

void DotConstraints::relaxation(std::span<double> tau) const {
  for (std::size_t k = 0; k < list_.size(); ++k) tau[k] = list_[k].relaxation;
}

void DotConstraints::bounds(std::span<double> low, std::span<double> high) const {
  for (std::size_t k = 0; k < list_.size(); ++k)
    low[k] = list_[k].bounds.low, high[k] = list_[k].bounds.high;
}

// s (a bᵀ + b aᵀ) has the eigenvectors a/|a| ± b/|b|; what is positive of it is
// ½ |s| |a| |b| e eᵀ with e = a/|a| + sign(s) b/|b|.
void DotConstraints::add_geometric_stiffness(std::span<const double>,
                                             std::span<const double> lambda, double scale,
                                             GeometricStiffness part,
                                             std::vector<NodeBlock>& out) const {
  if (part == GeometricStiffness::off) return;
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const std::span<const Part> parts = parts_of(list_[k]);
    const double s = -scale * lambda[k];
    double aa = 0, bb = 0;
    for (const Part& p : parts) aa += p.a * p.a, bb += p.b * p.b;
    const double size = std::sqrt(aa * bb), sign = s < 0 ? -1 : 1;
    for (const Part& i : parts)
      for (const Part& j : parts) {
        double entry = s * (i.a * j.b + i.b * j.a);
        if (part == GeometricStiffness::positive) {
          const auto e = [&](const Part& p) {
            return size > 0 ? p.a / std::sqrt(aa) + sign * p.b / std::sqrt(bb) : 0;
          };
          entry = 0.5 * std::abs(s) * size * e(i) * e(j);
        }
        out.push_back({i.node, j.node, entry * Mat3::Identity()});
      }
  }
}

void DotConstraints::curvature(double t, std::span<const double>, std::span<const double> v,
                               std::span<double> out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const auto [du, dw] = vectors(list_[k], v);
    out[k] = 2 * du.dot(dw) - list_[k].target.acceleration(t);
  }
}

}  // namespace pliant
