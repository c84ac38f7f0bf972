#include <pliant/coarsen/modal_set.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/symmetric.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// With G the rigid motions and H their rows on what is held:  Y ← MU − H (HᵀH)⁺ Gᵀ MU.
Matrix without_rigid_motions(const Matrix& MU, std::span<const double> x, const DofMask& mask,
                             const NodeMatrix& M) {
  const Matrix G = free_rigid_motions(x, DofMask(mask.size(), 0), M);
  Matrix H = G;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) H.row(static_cast<Eigen::Index>(i)).setZero();
  const auto eigen = symmetric_pairs<Matrix>(H.transpose() * H);
  constexpr double kernel = 1e-10;  // of the largest eigenvalue
  Vector inverse = eigen.eigenvalues();
  const double smallest = kernel * inverse.maxCoeff();
  for (double& value : inverse) value = value > smallest ? 1 / value : 0;
  const Matrix& E = eigen.eigenvectors();
  return MU - H * (E * (inverse.asDiagonal() * (E.transpose() * (G.transpose() * MU))));
}

// By itself it does not turn about pins that stay where it is at rest.
void set_turning(const BodyPart& part, std::span<const double> rest, std::span<const Pin> pins,
                 ModalSet& set) {
  const DofMask& mask = set.modes.mask;
  const bool loose = free_rigid_motions(rest, mask, part.mass()).cols() > 0;
  set.turns = loose;
  for (std::size_t p = 0; p < pins.size(); ++p)
    if (set.modes.active[p]) set.turns = set.turns || !pins[p].motion.at_rest() || pins[p].from > 0;
  if (!set.turns) return;
  for (std::size_t i = 0; i < mask.size(); i += 3) {
    const bool held = mask[i] && mask[i + 1] && mask[i + 2];
    set.weights.push_back(loose ? part.mass().diagonal(static_cast<Index>(i / 3)) : held ? 1 : 0);
  }
}

void set_coefficients(const ModalLaw& law, ModalSet& set) {
  const Eigen::Index count = set.modes.values.size();
  set.c.resize(count);
  set.reach.setZero(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    set.c[k] = 2 * law.ratio(static_cast<Index>(k)) * std::sqrt(std::max(0.0, set.modes.values[k]));
    for (Eigen::Index i = 0; i < set.modes.vectors.rows(); i += 3)
      set.reach[k] = std::max(set.reach[k], set.modes.vectors.col(k).segment<3>(i).norm());
  }
}

}  // namespace

std::vector<std::shared_ptr<const ModalSet>> make_modal_sets(const BodyPart& part,
                                                             const Vector& rest,
                                                             std::span<const Pin> pins,
                                                             const ModalLaw& law) {
  check(law);
  BlockMatrix workspace, K;
  const Vector v = Vector::Zero(rest.size());
  part.assemble({.q = view(rest), .v = view(v)}, workspace, K);
  const std::span<const double> x = part.part_of(view(rest));
  const auto require_enough = [&law](Eigen::Index there) {
    if (there < law.modes)
      throw InputError(
          fmt::format("modes: {} are wanted, the body has {} that deform it", law.modes, there));
  };
  std::vector<std::shared_ptr<const ModalSet>> sets;
  Eigen::Index most = 0;
  for (const std::vector<bool>& active : pin_sets(pins)) {
    auto set = std::make_shared<ModalSet>();
    set->number = sets.size();
    set->modes = find_rest_modes(part, K, rest, pins, active, law.modes);
    const Eigen::Index there = set->modes.values.size();
    if (there > 0) require_enough(there);
    most = std::max(most, there);
    set_coefficients(law, *set);
    set->Y = without_rigid_motions(set->modes.MU, x, set->modes.mask, part.mass());
    set->offset = set->Y.transpose() * as_vector(x);
    set_turning(part, x, pins, *set);
    for (Matrix* shapes : {&set->modes.vectors, &set->modes.MU, &set->modes.start})
      shapes->resize(0, 0);
    sets.push_back(std::move(set));
  }
  require_enough(most);  // pins may hold all of a body for a while, but not for ever
  return sets;
}

}  // namespace pliant
