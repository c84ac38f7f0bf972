#include <pliant/constraint/strain_rows.hpp>

#include <pliant/core/parallel.hpp>

#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr std::size_t kBlock = 256;  // points that one thread takes at a time
// Of the stiffest direction: a softer one is taken as this stiff.
constexpr double kSoftest = 1e-12;

class StrainConstraints final : public Constraint {
 public:
  StrainConstraints(std::string name, const LocalElastic& elastic, std::span<const double> rest,
                    StrainMeasure measure);

  std::string_view name() const override { return "strain"; }
  Index rows() const override { return static_cast<Index>(points_.size() * per_point_); }
  void value(double t, std::span<const double> q, std::span<double> phi) const override;
  void add_jacobian(std::span<const double> q, Index first_row,
                    std::vector<JacobianEntry>& out) const override;
  void compliance(std::span<double> c) const override {
    std::copy(compliance_.begin(), compliance_.end(), c.begin());
  }
  void add_geometric_stiffness(std::span<const double> q, std::span<const double> lambda,
                               double scale, GeometricStiffness part,
                               std::vector<NodeBlock>& out) const override;
  void curvature(double t, std::span<const double> q, std::span<const double> v,
                 std::span<double> out) const override;
  std::string row_name(Index row) const override {
    return fmt::format("{}, quadrature point {}", name_,
                       static_cast<std::size_t>(row) / per_point_);
  }

 private:
  using Directions = Eigen::Map<const Eigen::MatrixXd>;  // a column for each row of the point

  Directions directions(std::size_t point) const {
    const auto m = static_cast<Eigen::Index>(per_point_);
    return {directions_.data() + point * per_point_ * per_point_, m, m};
  }

  std::string name_;
  StrainMeasure measure_;
  StrainPoints points_;
  std::size_t per_point_;
  std::vector<double> directions_, compliance_;
};

StrainConstraints::StrainConstraints(std::string name, const LocalElastic& elastic,
                                     std::span<const double> rest, StrainMeasure measure)
    : name_(std::move(name)),
      measure_(measure),
      points_(elastic, rest),
      per_point_(static_cast<std::size_t>(component_count(measure, points_.d()))),
      directions_(points_.size() * per_point_ * per_point_),
      compliance_(points_.size() * per_point_) {
  const auto m = static_cast<Eigen::Index>(per_point_);
  parallel_for_each(points_.size(), kBlock, [&](std::size_t k) {
    const Eigen::SelfAdjointEigenSolver<ComponentMatrix> eigen(
        points_.law(elastic, rest, k, measure));
    const double least = kSoftest * eigen.eigenvalues().maxCoeff();
    Eigen::Map<Eigen::MatrixXd>(directions_.data() + k * per_point_ * per_point_, m, m) =
        eigen.eigenvectors();
    for (std::size_t r = 0; r < per_point_; ++r)
      compliance_[k * per_point_ + r] =
          1 / std::max(eigen.eigenvalues()[static_cast<Eigen::Index>(r)], least);
  });
}

void StrainConstraints::value(double, std::span<const double> q, std::span<double> phi) const {
  parallel_for_each(points_.size(), kBlock, [&](std::size_t k) {
    const Components E = Strain(measure_, points_.deformation(k, q)).components();
    for (std::size_t r = 0; r < per_point_; ++r)
      phi[k * per_point_ + r] = directions(k).col(static_cast<Eigen::Index>(r)).dot(E);
  });
}

void StrainConstraints::add_jacobian(std::span<const double> q, Index first_row,
                                     std::vector<JacobianEntry>& out) const {
  const std::size_t base = out.size(), entries = per_point_ * points_.nodes();
  out.resize(base + points_.size() * entries);
  parallel_for_each(points_.size(), kBlock, [&](std::size_t k) {
    const Gradient F = points_.deformation(k, q);
    const Strain strain(measure_, F);
    JacobianEntry* entry = out.data() + base + k * entries;
    for (std::size_t r = 0; r < per_point_; ++r) {
      const Gradient P =
          2 * F * strain.slope(directions(k).col(static_cast<Eigen::Index>(r)));  // ∂φ/∂F
      for (std::size_t a = 0; a < points_.nodes(); ++a)
        *entry++ = {first_row + static_cast<Index>(k * per_point_ + r), points_.node_of(k, a),
                    P * points_.gradient(k, a)};
    }
  });
}

void StrainConstraints::add_geometric_stiffness(std::span<const double> q,
                                                std::span<const double> lambda, double scale,
                                                GeometricStiffness part,
                                                std::vector<NodeBlock>& out) const {
  if (part == GeometricStiffness::off) return;
  const std::size_t base = out.size(), entries = points_.nodes() * points_.nodes();
  out.resize(base + points_.size() * entries);
  parallel_for_each(points_.size(), kBlock, [&](std::size_t k) {
    Components stress = Components::Zero(static_cast<Eigen::Index>(per_point_));
    for (std::size_t r = 0; r < per_point_; ++r)
      stress += lambda[k * per_point_ + r] * directions(k).col(static_cast<Eigen::Index>(r));
    GradientMatrix H = -scale * Strain(measure_, points_.deformation(k, q)).hessian(stress);
    if (part == GeometricStiffness::positive) {
      const Eigen::SelfAdjointEigenSolver<GradientMatrix> eigen(H);
      H = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
          eigen.eigenvectors().transpose();
    }
    NodeBlock* block = out.data() + base + k * entries;
    for (std::size_t a = 0; a < points_.nodes(); ++a)
      for (std::size_t b = 0; b < points_.nodes(); ++b) {
        Mat3 sum = Mat3::Zero();
        for (int i = 0; i < points_.d(); ++i)
          for (int j = 0; j < points_.d(); ++j)
            sum +=
                points_.gradient(k, a)[i] * points_.gradient(k, b)[j] * H.block<3, 3>(3 * i, 3 * j);
        *block++ = {points_.node_of(k, a), points_.node_of(k, b), sum};
      }
  });
}

void StrainConstraints::curvature(double, std::span<const double> q, std::span<const double> v,
                                  std::span<double> out) const {
  parallel_for_each(points_.size(), kBlock, [&](std::size_t k) {
    const Strain strain(measure_, points_.deformation(k, q));
    const Gradient rate = points_.deformation(k, v);
    for (std::size_t r = 0; r < per_point_; ++r)
      out[k * per_point_ + r] =
          strain.second(directions(k).col(static_cast<Eigen::Index>(r)), rate);
  });
}

}  // namespace

std::unique_ptr<Constraint> make_strain_rows(std::string name, const LocalElastic& elastic,
                                             std::span<const double> rest, StrainMeasure measure) {
  return std::make_unique<StrainConstraints>(std::move(name), elastic, rest, measure);
}

}  // namespace pliant
