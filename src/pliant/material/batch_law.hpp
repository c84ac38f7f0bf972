// A law that a program brings along instead of one from the list (laws.hpp): one virtual call for
// the quadrature points of a whole batch, so that a law written in another language pays for its
// calls once and not per point. Always called by the thread that evaluates the term, never from
// within a parallel loop.
#pragma once

#include <pliant/core/types.hpp>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

class BatchLaw {
 public:
  virtual ~BatchLaw() = default;
  virtual std::string_view name() const = 0;
  virtual bool needs_positive_det() const { return false; }  // Ψ ends at det F = 0

  // F has nine numbers per point, column by column, and so has the stress P = ∂Ψ/∂F. Beyond where a
  // law ends its energy is +∞, which a line search understands.
  virtual void energy(std::span<const double> F, std::span<double> psi) const = 0;  // J/m³
  virtual void stress(std::span<const double> F, std::span<double> P) const = 0;    // Pa
  // ∂vec P/∂vec F, 81 numbers per point, column by column; by differences of the stress unless a
  // law knows better.
  virtual void tangent(std::span<const double> F, std::span<double> C) const;
};

// By the names that materials call their laws by (body/solid.hpp).
using CustomLaws = std::map<std::string, std::shared_ptr<const BatchLaw>, std::less<>>;

}  // namespace pliant
