#include <pliant/constraint/linear_rows.hpp>

namespace pliant {

void LinearConstraints::value(double, std::span<const double> q, std::span<double> phi) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const LinearRow& row = list_[k];
    phi[k] = row.along.dot(row.a.at(q) - row.b.at(q) - row.offset);
  }
}

void LinearConstraints::add_jacobian(std::span<const double>, Index first_row,
                                     std::vector<JacobianEntry>& out) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const auto add = [&](const MappedPoint& point, double sign) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(point.count); ++i)
        out.push_back({first_row + static_cast<Index>(k), point.nodes[i],
                       sign * point.weights[i] * list_[k].along});
    };
    add(list_[k].a, 1);
    add(list_[k].b, -1);
  }
}

void LinearConstraints::compliance(std::span<double> c) const {
  for (std::size_t k = 0; k < list_.size(); ++k) c[k] = list_[k].compliance;
}

void LinearConstraints::relaxation(std::span<double> tau) const {
  for (std::size_t k = 0; k < list_.size(); ++k) tau[k] = list_[k].relaxation;
}

}  // namespace pliant
