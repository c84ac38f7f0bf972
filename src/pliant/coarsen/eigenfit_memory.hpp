// What EigenFit knows from step to step. Private to the module.
#pragma once

#include <pliant/coarsen/eigenfit_term.hpp>

namespace pliant {

// Modes as they were found, shared by all steps until the next.
struct FoundModes {
  Vector values, ratios;   // λ; r before `strength`
  Matrix U, Z, start;      // start: for the next search
  Vector x;                // the body where they were found
  Vector anchor;           // the body where K was factorised last; empty: nowhere
  std::vector<Mat3> back;  // F⁻¹ around each node at x, where `refresh` is auto
};

struct EigenFitMemory final : TermMemory, std::enable_shared_from_this<EigenFitMemory> {
  std::shared_ptr<const RestFit> fit;
  std::shared_ptr<const FoundModes> modes;
  double age = 0;  // steps since the modes were found
  Vector q, g;     // q_n of the body; Uᵀ f(q_n). Of linear bodies at rest, where g is zero
  EigenFitStatus status;

  bool none() const { return modes->values.size() == 0; }
  // (r_i − 1)/λ_i, what a term of V is scaled by.
  Vector scales() const {
    Vector s(modes->values.size());
    for (Eigen::Index i = 0; i < s.size(); ++i)
      s[i] = modes->values[i] > 0 ? status.strength * (modes->ratios[i] - 1) / modes->values[i] : 0;
    return s;
  }
  std::vector<double> numbers() const override;
  // Null where the numbers do not fit a body of n coordinates that these fits are of.
  static std::shared_ptr<EigenFitMemory> from(std::span<const double> numbers, Eigen::Index n,
                                              std::span<const std::shared_ptr<const RestFit>> fits);
};

}  // namespace pliant
