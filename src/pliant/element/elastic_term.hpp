// Elastic bodies as terms: U(q) = Σ_e Σ_g w_g Ψ(F_g), one batch for each pair of shape and law.
// What other modules see of a batch beside the term itself: the deformation it measures and a
// factory.
#pragma once

#include <pliant/material/constants.hpp>
#include <pliant/mesh/mesh.hpp>
#include <pliant/term/term.hpp>

#include <cassert>
#include <memory>

namespace pliant {

struct DeformationExtremes {
  double min_det = std::numeric_limits<double>::infinity();  // smallest det F at quadrature points
  Index inverted = 0;                                        // elements with det F ≤ 0 somewhere
};

class ElasticTerm : public Term {
 public:
  TermKind kind() const override { return TermKind::elastic; }
  virtual Index elements() const = 0;
  virtual std::span<const Index> connectivity() const = 0;
  // Element averages, in the order of the connectivity.
  virtual void von_mises(const Configuration&, std::span<double> out) const = 0;  // Pa
  // Likewise where plastic strain takes a part of the stress: `less` holds it for all quadrature
  // points in turn, second Piola–Kirchhoff times the point's volume, J.
  virtual void von_mises_without(std::span<const Mat3> less, const Configuration& c,
                                 std::span<double> out) const {
    assert(less.empty());  // thin bodies do not flow
    von_mises(c, out);
  }
  // The smallest det F at the quadrature points of each element.
  virtual void smallest_det(const Configuration&, std::span<double> out) const = 0;
  virtual DeformationExtremes extremes(const Configuration&) const = 0;
  virtual bool needs_positive_det() const = 0;
  virtual bool is_linear() const { return false; }  // is the tangent the same everywhere?
};

// One batch of elements: which shape and law, and what they are made of.
struct ElasticBatchInput {
  ElementType type = ElementType::tet4;
  std::string_view law;                      // a name from material/laws.hpp
  std::vector<Index> connectivity;           // nodes of the system, flat
  std::vector<MaterialConstants> constants;  // one per element, or one for all
};

// `rest` holds the rest position of every node of the system.
std::unique_ptr<ElasticTerm> make_elastic(ElasticBatchInput input, std::span<const Vec3> rest);

}  // namespace pliant
