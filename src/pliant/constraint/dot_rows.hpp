// Constraints on the products of two vectors that depend linearly on positions:
//   φ = u(q) · w(q) − c.
// Directions that are carried by bodies are such vectors, and so are differences of points: hinges,
// sliders, fixed and universal joints are rows of this kind, with
//   ∂φ/∂x_i = a_i w + b_i u,      ∂²φ/∂x_i ∂x_j = (a_i b_j + b_i a_j) I
// for u = Σ a_i x_i + …, w = Σ b_i x_i + ….
#pragma once

#include <pliant/constraint/constraint.hpp>
#include <pliant/constraint/target.hpp>
#include <pliant/element/mapped_point.hpp>

namespace pliant {

// Σ a_i x_i + constant
struct LinearForm {
  struct Part {
    Index node = 0;
    double weight = 0;
  };
  std::vector<Part> parts;
  Vec3 constant = Vec3::Zero();

  LinearForm() = default;
  explicit LinearForm(const Vec3& fixed) : constant(fixed) {}
  explicit LinearForm(const MappedPoint& point);
  LinearForm& operator-=(const LinearForm& other);
  LinearForm operator-() const { return LinearForm() -= *this; }
  friend LinearForm operator-(LinearForm one, const LinearForm& other) { return one -= other; }
  Vec3 at(std::span<const double> q) const;
};

struct DotRow {
  std::string name;
  LinearForm u, w;
  double rest = 0;        // c
  double compliance = 0;  // per unit of φ² in J: rad/(N·m) for two directions, m/N for a point
  MultiplierBounds bounds = {};
  Target target = {};     // is added to c
  double relaxation = 0;  // s, compliance times damping
};

class DotConstraints final : public Constraint {
 public:
  explicit DotConstraints(const std::vector<DotRow>& list, About about = About::places);

  std::string_view name() const override { return "product"; }
  Index rows() const override { return static_cast<Index>(list_.size()); }
  void value(double t, std::span<const double> q, std::span<double> phi) const override;
  void add_jacobian(std::span<const double> q, Index first_row,
                    std::vector<JacobianEntry>& out) const override;
  bool about_rates() const override { return about_ == About::rates; }
  void compliance(std::span<double> c) const override;
  void relaxation(std::span<double> tau) const override;
  void bounds(std::span<double> low, std::span<double> high) const override;
  void add_geometric_stiffness(std::span<const double> q, std::span<const double> lambda,
                               double scale, GeometricStiffness part,
                               std::vector<NodeBlock>& out) const override;
  void curvature(double t, std::span<const double> q, std::span<const double> v,
                 std::span<double> out) const override;
  std::string row_name(Index row) const override {
    return list_[static_cast<std::size_t>(row)].name;
  }

 private:
  struct Part {  // of both vectors
    Index node = 0;
    double a = 0, b = 0;
  };
  struct Row {
    std::string name;
    std::size_t first = 0, end = 0;  // its parts
    Vec3 u = Vec3::Zero(), w = Vec3::Zero();
    double rest = 0, compliance = 0, relaxation = 0;
    MultiplierBounds bounds;
    Target target;
  };
  std::span<const Part> parts_of(const Row& row) const {
    return std::span(parts_).subspan(row.first, row.end - row.first);
  }
  std::array<Vec3, 2> vectors(const Row& row, std::span<const double> x) const;

  About about_;
  std::vector<Row> list_;
  std::vector<Part> parts_;
};

}  // namespace pliant
