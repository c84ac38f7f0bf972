// What AdmmParts does with parts that turn with their bodies (admm_turns.hpp).
#include <pliant/core/parallel.hpp>
#include <pliant/stage/admm_parts.hpp>

namespace pliant {

void AdmmParts::set_bodies(std::span<const int> number) {
  for (std::size_t k = 0; k < lasting_; ++k) {
    Group& group = groups_[k];
    group.bodies.assign(group.maps.size(), -1);
    if (!group.potential->turns()) continue;
    const auto n = static_cast<std::size_t>(group.maps.nodes);
    for (std::size_t i = 0; i < group.maps.size(); ++i)
      for (std::size_t a = 0; a < n && group.bodies[i] < 0; ++a)
        group.bodies[i] = number[static_cast<std::size_t>(group.maps.connectivity[n * i + a])];
  }
}

void AdmmParts::turn_rates(int axis, const Vector& z, Vector& y) const {
  y.setZero(static_cast<Eigen::Index>(numbers_));
  const Vec3 e = Vec3::Unit(axis);
  for (const Group& group : lasting()) {
    const double* from = group.of(z).data();
    double* to = group.of(y).data();
    parallel_for_each(group.maps.size(), 256, [&](std::size_t i) {
      if (group.bodies[i] < 0) return;
      for (std::size_t k = group.numbers() * i; k < group.numbers() * (i + 1); k += 3)
        Map3(to + k) = e.cross(ConstMap3(from + k));
    });
  }
}

void AdmmParts::add_products(const Vector& a, const Vector& b, std::span<double> of_bodies) const {
  for (const Group& group : lasting())
    for (std::size_t i = 0; i < group.maps.size(); ++i) {
      if (group.bodies[i] < 0) continue;
      const auto first = static_cast<Eigen::Index>(group.first + group.numbers() * i);
      const auto n = static_cast<Eigen::Index>(group.numbers());
      of_bodies[static_cast<std::size_t>(group.bodies[i])] +=
          group.weights[i] * a.segment(first, n).dot(b.segment(first, n));
    }
}

void AdmmParts::turn(std::span<const Mat3> rotations, Vector& y) const {
  for (const Group& group : lasting()) {
    double* of_group = group.of(y).data();
    parallel_for_each(group.maps.size(), 256, [&](std::size_t i) {
      if (group.bodies[i] < 0) return;
      const Mat3& R = rotations[static_cast<std::size_t>(group.bodies[i])];
      for (std::size_t k = group.numbers() * i; k < group.numbers() * (i + 1); k += 3)
        Map3(of_group + k) = (R * ConstMap3(of_group + k)).eval();
    });
  }
}

}  // namespace pliant
