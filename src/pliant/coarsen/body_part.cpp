#include <pliant/coarsen/body_part.hpp>

#include <pliant/core/symmetric.hpp>
#include <pliant/sparse/column_products.hpp>

#include <algorithm>

namespace pliant {
namespace {

// The blocks between nodes [first, end), and where each is among those of the whole.
BlockPattern part_pattern(const BlockPattern& whole, Index first, Index end,
                          std::vector<Index>& place) {
  BlockPattern part;
  part.rows = end - first;
  part.row_start = {0};
  for (Index i = first; i < end; ++i) {
    for (Index k = whole.row_start[i]; k < whole.row_start[i + 1]; ++k) {
      const Index j = whole.column[k];
      if (j < first || j >= end) continue;
      if (i == j) part.diagonal.push_back(part.blocks());
      part.column.push_back(j - first);
      place.push_back(k);
    }
    part.row_start.push_back(part.blocks());
  }
  part.mirror.resize(part.column.size());
  for (Index i = 0; i < part.rows; ++i)
    for (Index k = part.row_start[i]; k < part.row_start[i + 1]; ++k)
      part.mirror[k] = part.find(part.column[k], i);
  return part;
}

}  // namespace

BodyPart::BodyPart(PartNodes nodes, const NodeMatrix& system_mass)
    : nodes_(std::move(nodes)), system_pattern_(system_mass.shared_pattern()) {
  BlockPattern own = part_pattern(*system_pattern_, nodes_.first, nodes_.end, place_);
  is_whole_ = own.rows == system_pattern_->rows;
  M_ = NodeMatrix(is_whole_ ? system_pattern_
                            : std::make_shared<const BlockPattern>(std::move(own)));
  for (std::size_t k = 0; k < place_.size(); ++k)
    M_.values()[k] = system_mass.values()[static_cast<std::size_t>(place_[k])];
}

void BodyPart::assemble(const Configuration& c, BlockMatrix& workspace, BlockMatrix& K) const {
  BlockMatrix& whole = is_whole_ ? K : workspace;
  if (whole.empty() || whole.shared_pattern() != system_pattern_)
    whole = BlockMatrix(system_pattern_);
  whole.set_zero();
  for (const Term* term : nodes_.elastic)
    term->add_tangent(c, {.stiffness = 1, .projection = Projection::psd}, whole);
  if (is_whole_) return;
  if (K.empty() || K.shared_pattern() != M_.shared_pattern()) K = BlockMatrix(M_.shared_pattern());
  for (std::size_t k = 0; k < place_.size(); ++k)
    std::copy_n(workspace.block(place_[k]), 9, K.block(static_cast<Index>(k)));
}

Vector BodyPart::force(const Configuration& c) const {
  Vector f = Vector::Zero(static_cast<Eigen::Index>(c.q.size()));
  for (const Term* term : nodes_.elastic) term->add_force(c, view(f));
  return f.segment(3 * static_cast<Eigen::Index>(nodes_.first), dofs());
}

Matrix BodyPart::times_mass(const Matrix& X) const {
  Matrix MX;
  multiply(M_, X, MX);
  return MX;
}

Matrix BodyPart::times_stiffness_on(const DofMask& mask, const BlockMatrix& K,
                                    const Matrix& X) const {
  Matrix KX = Matrix::Zero(X.rows(), X.cols());
  const BlockPattern& pattern = K.pattern();
  for (Index n = 0; n < pattern.rows; ++n) {
    const Eigen::Index row = 3 * static_cast<Eigen::Index>(n);
    const auto held = mask.begin() + row;
    if (!held[0] && !held[1] && !held[2]) continue;
    for (Index k = pattern.row_start[n]; k < pattern.row_start[n + 1]; ++k)
      KX.middleRows<3>(row).noalias() +=
          Eigen::Map<const Mat3>(K.block(k)) * X.middleRows<3>(3 * pattern.column[k]);
    for (int c = 0; c < 3; ++c)
      if (!held[c]) KX.row(row + c).setZero();
  }
  return KX;
}

Matrix free_rigid_motions(std::span<const double> x, const DofMask& mask, const NodeMatrix& M) {
  const auto n = static_cast<Eigen::Index>(x.size());
  Vec3 center = Vec3::Zero();
  for (Eigen::Index i = 0; i < n; i += 3) center += node(x, static_cast<Index>(i / 3));
  center /= static_cast<double>(n) / 3;
  double size = 0;
  for (Eigen::Index i = 0; i < n; i += 3)
    size = std::max(size, (node(x, static_cast<Index>(i / 3)) - center).norm());
  if (!(size > 0)) size = 1;
  Matrix all = Matrix::Zero(n, 6);  // translations, and turns by one radius
  for (Eigen::Index i = 0; i < n; i += 3) {
    const Vec3 r = (node(x, static_cast<Index>(i / 3)) - center) / size;
    for (int k = 0; k < 3; ++k) {
      all(i + k, k) = 1;
      all.block<3, 1>(i, 3 + k) = Vec3::Unit(k).cross(r);
    }
  }
  // Combinations that vanish on the mask: the kernel of what all six do there.
  Eigen::Matrix<double, 6, 6> held = Eigen::Matrix<double, 6, 6>::Zero();
  for (Eigen::Index i = 0; i < n; ++i)
    if (mask[static_cast<std::size_t>(i)]) held += all.row(i).transpose() * all.row(i);
  const auto eigen = symmetric_pairs(held);
  constexpr double kernel = 1e-12;  // of the largest eigenvalue, and of one node's
  Eigen::Index count = 0;
  while (count < 6 && eigen.eigenvalues()[count] <= kernel * std::max(1.0, eigen.eigenvalues()[5]))
    ++count;
  Matrix X = all * eigen.eigenvectors().leftCols(count);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) X.row(static_cast<Eigen::Index>(i)).setZero();
  Matrix MX;
  multiply(M, X, MX);
  const Matrix gram = X.transpose() * MX;
  if (count > 0) gram.llt().matrixU().solveInPlace<Eigen::OnTheRight>(X);
  return X;
}

Mat3 best_rotation(std::span<const double> X, std::span<const double> x,
                   std::span<const double> weights) {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  double sum = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    from += weights[n] * node(X, static_cast<Index>(n));
    to += weights[n] * node(x, static_cast<Index>(n));
    sum += weights[n];
  }
  if (!(sum > 0)) return Mat3::Identity();
  from /= sum, to /= sum;
  Mat3 A = Mat3::Zero();
  for (std::size_t n = 0; n < weights.size(); ++n)
    A += weights[n] * (node(x, static_cast<Index>(n)) - to) *
         (node(X, static_cast<Index>(n)) - from).transpose();
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  // Places on one line say nothing of the turn about it.
  if (!(svd.singularValues()[1] > 1e-9 * svd.singularValues()[0])) return Mat3::Identity();
  Mat3 flip = Mat3::Identity();
  flip(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  return svd.matrixU() * flip * svd.matrixV().transpose();
}

}  // namespace pliant
