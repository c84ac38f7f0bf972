#include <pliant/constraint/angle_rows.hpp>

#include <pliant/core/symmetric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {

AngleConstraints::AngleConstraints(const std::vector<AngleRow>& list, About about) : about_(about) {
  for (const AngleRow& from : list) {
    Row row{from.name,   {},          from.u.constant, from.c.constant, from.s.constant,
            from.sign,   from.centre, from.offset,     from.compliance, from.relaxation,
            from.bounds, from.target};
    const auto part_of = [&row](Index n) -> Part& {
      const auto found = std::find_if(row.parts.begin(), row.parts.end(),
                                      [n](const Part& part) { return part.node == n; });
      return found != row.parts.end() ? *found : row.parts.emplace_back(Part{n});
    };
    for (const LinearForm::Part& part : from.u.parts) part_of(part.node).u += part.weight;
    for (const LinearForm::Part& part : from.c.parts) part_of(part.node).c += part.weight;
    for (const LinearForm::Part& part : from.s.parts) part_of(part.node).s += part.weight;
    list_.push_back(std::move(row));
  }
}

AngleConstraints::Directions AngleConstraints::directions(const Row& row,
                                                          std::span<const double> q) {
  Directions d{row.u, row.c, row.s};
  for (const Part& part : row.parts) {
    const Vec3 x = node(q, part.node);
    d.u += part.u * x, d.c += part.c * x, d.s += part.s * x;
  }
  return d;
}

void AngleConstraints::value(double t, std::span<const double> q, std::span<double> phi) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Row& row = list_[k];
    if (about_rates()) {
      phi[k] = -row.sign * row.target.rate;
      continue;
    }
    const Directions d = directions(row, q);
    const double turned = std::atan2(d.y(), d.x()) - row.centre - row.target.at(t);
    phi[k] = row.sign * std::remainder(turned, 2 * std::numbers::pi) + row.offset;
  }
}

void AngleConstraints::add_jacobian(std::span<const double> q, Index first_row,
                                    std::vector<JacobianEntry>& out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Row& row = list_[k];
    const Directions d = directions(row, q);
    const double x = d.x(), y = d.y(), scale = row.sign / (x * x + y * y);
    for (const Part& p : row.parts)
      out.push_back({first_row + static_cast<Index>(k), p.node,
                     scale * (x * (p.u * d.s + p.s * d.u) - y * (p.u * d.c + p.c * d.u))});
  }
}

void AngleConstraints::compliance(std::span<double> c) const {
  for (std::size_t k = 0; k < list_.size(); ++k) c[k] = list_[k].compliance;
}

void AngleConstraints::relaxation(std::span<double> tau) const {
  for (std::size_t k = 0; k < list_.size(); ++k) tau[k] = list_[k].relaxation;
}

void AngleConstraints::bounds(std::span<double> low, std::span<double> high) const {
  for (std::size_t k = 0; k < list_.size(); ++k)
    low[k] = list_[k].bounds.low, high[k] = list_[k].bounds.high;
}

Eigen::MatrixXd AngleConstraints::hessian(const Row& row, std::span<const double> q) {
  const Directions d = directions(row, q);
  const double x = d.x(), y = d.y(), rr = x * x + y * y;
  const auto n = static_cast<Eigen::Index>(row.parts.size());
  Vector gx(3 * n), gy(3 * n);
  Eigen::MatrixXd H(3 * n, 3 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Part& p = row.parts[static_cast<std::size_t>(i)];
    gx.segment<3>(3 * i) = p.u * d.c + p.c * d.u;
    gy.segment<3>(3 * i) = p.u * d.s + p.s * d.u;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Part& o = row.parts[static_cast<std::size_t>(j)];
      const double yy = p.u * o.s + p.s * o.u, xx = p.u * o.c + p.c * o.u;
      H.block<3, 3>(3 * i, 3 * j) = (x * yy - y * xx) / rr * Mat3::Identity();
    }
  }
  const Eigen::MatrixXd mixed = gx * gy.transpose();
  H += (2 * x * y * (gx * gx.transpose() - gy * gy.transpose()) +
        (y * y - x * x) * (mixed + mixed.transpose())) /
       (rr * rr);
  return row.sign * H;
}

void AngleConstraints::add_geometric_stiffness(std::span<const double> q,
                                               std::span<const double> lambda, double scale,
                                               GeometricStiffness part,
                                               std::vector<NodeBlock>& out) const {
  if (part == GeometricStiffness::off) return;
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Row& row = list_[k];
    Eigen::MatrixXd H = -scale * lambda[k] * hessian(row, q);
    if (part == GeometricStiffness::positive) H = positive_part(H);
    for (std::size_t i = 0; i < row.parts.size(); ++i)
      for (std::size_t j = 0; j < row.parts.size(); ++j)
        out.push_back(
            {row.parts[i].node, row.parts[j].node,
             H.block<3, 3>(3 * static_cast<Eigen::Index>(i), 3 * static_cast<Eigen::Index>(j))});
  }
}

void AngleConstraints::curvature(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<double> out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Row& row = list_[k];
    Vector along(3 * static_cast<Eigen::Index>(row.parts.size()));
    for (std::size_t i = 0; i < row.parts.size(); ++i)
      along.segment<3>(3 * static_cast<Eigen::Index>(i)) = node(v, row.parts[i].node);
    out[k] = along.dot(hessian(row, q) * along) - row.sign * row.target.acceleration(t);
  }
}

}  // namespace pliant
