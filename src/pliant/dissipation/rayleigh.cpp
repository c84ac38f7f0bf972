#include <pliant/dissipation/rayleigh.hpp>

#include <pliant/core/parallel.hpp>

namespace pliant {

Rayleigh::Rayleigh(std::vector<RayleighPart> parts, const NodeMatrix& M)
    : parts_(std::move(parts)), M_(&M) {
  for (const RayleighPart& part : parts_) has_stiffness_ = has_stiffness_ || part.beta > 0;
}

void Rayleigh::locate(const std::shared_ptr<const BlockPattern>& pattern) {
  if (has_stiffness_) return;
  constant_ = BlockMatrix(pattern);
  add_mass_part(constant_);
}

void Rayleigh::add_mass_part(BlockMatrix& D) const {
  const BlockPattern& pattern = D.pattern();
  for (const RayleighPart& part : parts_) {
    if (part.alpha == 0) continue;
    for (Index k = pattern.row_start[part.first]; k < pattern.row_start[part.end]; ++k)
      for (int i = 0; i < 3; ++i) D.block(k)[4 * i] += part.alpha * M_->values()[k];
  }
}

void Rayleigh::add_stiffness_part(const Configuration& c, BlockMatrix& D) const {
  for (const RayleighPart& part : parts_)
    for (const Term* term : part.elastic)
      term->add_tangent(c, {.stiffness = part.beta, .projection = Projection::psd}, D);
}

void Rayleigh::lag(const Configuration& c, Lagged& out) const {
  if (out.matrix.empty()) out.matrix = BlockMatrix(M_->shared_pattern());
  out.matrix.set_zero();
  add_mass_part(out.matrix);
  add_stiffness_part(c, out.matrix);
}

// The D of this step; outside a step it is made on the spot from the configuration itself.
const BlockMatrix& Rayleigh::matrix(const Configuration& c, BlockMatrix& here) const {
  if (!has_stiffness_) return constant_;
  if (const Lagged* lagged = this->lagged(c); lagged && !lagged->matrix.empty())
    return lagged->matrix;
  here = BlockMatrix(M_->shared_pattern());
  add_mass_part(here);
  add_stiffness_part(c, here);
  return here;
}

double Rayleigh::dissipation(const Configuration& c) const {
  BlockMatrix here;
  const BlockMatrix& D = matrix(c, here);
  return 0.5 * D.quadratic_form(c.v);
}

void Rayleigh::add_force(const Configuration& c, std::span<double> f) const {
  if (!c.step && as_vector(c.v).isZero(0)) return;  // statics
  BlockMatrix here;
  matrix(c, here).multiply_subtract(c.v, f);
}

void Rayleigh::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  if (tangent.damping == 0) return;
  BlockMatrix here;
  A.add_scaled(tangent.damping, matrix(c, here).values());
}

}  // namespace pliant
