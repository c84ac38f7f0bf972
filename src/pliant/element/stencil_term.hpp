// What elastic terms over small stencils of N nodes share that measure no deformation of elements:
// bending of cloth and cables.
#pragma once

#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/term/term.hpp>

namespace pliant {

template <int N>
class StencilTerm : public Term {
 public:
  TermKind kind() const override { return TermKind::elastic; }
  void add_stencils(PatternBuilder& builder) const override { builder.add(connectivity_, N); }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    plan_.locate(connectivity_, *pattern);
  }
  void add_force(const Configuration& c, std::span<double> f) const override {
    add_force_and_potential(c, f);
  }

 protected:
  StencilTerm(std::vector<Index> connectivity, std::size_t nodes)
      : connectivity_(std::move(connectivity)),
        plan_(connectivity_, N, static_cast<Index>(nodes)) {}

  std::vector<Index> connectivity_;  // N nodes of the system per stencil
  AssemblyPlan plan_;
};

}  // namespace pliant
