// Clamped beams whose matrices need many iterations of conjugate gradients.
#pragma once

#include "support/beams.hpp"

namespace pliant::test {

struct StiffBeam {
  Vector q;
  BlockMatrix A;
  Vector b;
};

// M + h² K at h = 5 ms with E in Pa, both ends pinned, turned by `turn`, under a bending load.
inline StiffBeam make_stiff_beam(double young, std::array<Index, 3> cells,
                                 const Mat3& turn = Mat3::Identity()) {
  BeamSpec spec;
  spec.cells = cells;
  spec.young = young;
  spec.pin_right = true;
  const Model model = make_beam(spec);
  const System& system = *model.system;
  StiffBeam out{system.rest(), BlockMatrix(system.pattern()), Vector(system.dofs())};
  for (Index n = 0; n < system.nodes(); ++n) {
    node(view(out.q), n) = turn * Vec3(node(view(system.rest()), n));
    const double x = system.rest()[3 * n];
    node(view(out.b), n) = turn * Vec3(0.1 * std::sin(x), -1, 0.3 * std::cos(2 * x));
  }
  system.mass().write_to(out.A);
  const Vector v = Vector::Zero(system.dofs());
  system.add_tangent({0, view(out.q), view(v), nullptr}, {.stiffness = 2.5e-5}, out.A);
  DofMask mask(static_cast<std::size_t>(system.dofs()), 0);
  for (Index n = 0; n < system.nodes(); ++n)
    if (std::abs(std::abs(system.rest()[3 * n]) - 4) < 1e-9)
      for (int c = 0; c < 3; ++c) mask[static_cast<std::size_t>(3 * n + c)] = kPrescribed;
  out.A.remove(mask);
  for (Eigen::Index i = 0; i < out.b.size(); ++i)
    if (mask[static_cast<std::size_t>(i)]) out.b[i] = 0;
  return out;
}

// A contact between two nodes that share an element: stiff along n alone.
inline void add_contact(StiffBeam& beam, Index i, double stiffness) {
  const BlockPattern& pattern = beam.A.pattern();
  const Index k = pattern.row_start[i], j = pattern.column[k];
  const Vec3 n = Vec3(1, 2, -3).normalized();
  const Mat3 K = stiffness * n * n.transpose();
  Eigen::Map<Mat3>(beam.A.block(pattern.diagonal[i])) += K;
  Eigen::Map<Mat3>(beam.A.block(pattern.diagonal[j])) += K;
  Eigen::Map<Mat3>(beam.A.block(k)) -= K;
  Eigen::Map<Mat3>(beam.A.block(pattern.mirror[k])) -= K;
}

}  // namespace pliant::test
