#include <pliant/analysis/oscillator.hpp>

namespace pliant {

double OscillatorTerm::potential(const Configuration& c) const {
  return 0.5 * stiffness() * as_vector(c.q).squaredNorm();
}

double OscillatorTerm::dissipation(const Configuration& c) const {
  return 0.5 * damping() * as_vector(c.v).squaredNorm();
}

void OscillatorTerm::add_force(const Configuration& c, std::span<double> f) const {
  as_vector(f) -= stiffness() * as_vector(c.q) + damping() * as_vector(c.v);
}

void OscillatorTerm::add_tangent(const Configuration&, Tangent tangent, BlockMatrix& A) const {
  const double k = tangent.stiffness * stiffness() + tangent.damping * damping();
  for (const Index d : A.pattern().diagonal)
    for (int i = 0; i < 3; ++i) A.block(d)[4 * i] += k;
}

std::unique_ptr<System> make_oscillator(const Oscillator& oscillator) {
  std::vector<std::unique_ptr<Term>> terms;
  terms.push_back(std::make_unique<OscillatorTerm>(oscillator));
  auto system = std::make_unique<System>(std::vector<Vec3>{Vec3::Zero()}, std::move(terms));
  system->mass().values()[0] = 1;
  return system;
}

}  // namespace pliant
