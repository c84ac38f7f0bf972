// The test equation of ASCHER (10), q̈ + ω² q = 0, as a System: one node of unit mass on a linear
// spring, optionally with a damper. Whatever steps a scene steps this.
#pragma once

#include <pliant/system/system.hpp>

namespace pliant {

struct Oscillator {
  double omega = 1;  // rad/s
  double ratio = 0;  // of critical damping: q̈ + 2ζω q̇ + ω² q = 0
};

class OscillatorTerm final : public Term {
 public:
  explicit OscillatorTerm(const Oscillator& oscillator) : o_(oscillator) {}

  std::string_view name() const override { return "oscillator"; }
  TermKind kind() const override { return TermKind::elastic; }
  double potential(const Configuration& c) const override;
  double dissipation(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override;

 private:
  double stiffness() const { return o_.omega * o_.omega; }  // N/m for 1 kg
  double damping() const { return 2 * o_.ratio * o_.omega; }

  Oscillator o_;
};

// All three coordinates oscillate alike.
std::unique_ptr<System> make_oscillator(const Oscillator& oscillator);

}  // namespace pliant
