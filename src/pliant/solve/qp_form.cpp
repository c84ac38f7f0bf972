#include <pliant/solve/qp_form.hpp>

namespace pliant {

SolveStatus QpForm::factorize(const RowWeights& W) {
  if (factorized_ && W == factored_) return SolveStatus::ok;
  ++factorizations_;
  const SolveStatus status = factorize_anew(W);
  factorized_ = status == SolveStatus::ok;
  factored_ = W;
  return status;
}

}  // namespace pliant
