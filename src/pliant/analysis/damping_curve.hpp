// What a method does to an oscillation, from the step itself (ASCHER §3.2): on q̈ + ω² q = 0 a step
// is linear in what it starts from, so stepping unit vectors gives the matrix T of u₁ = T u₀. Its
// spectral radius |ρ| and the angle of that eigenvalue say what is left of the oscillation after h:
// the solution of the modified equation (11), q̈ + d q̇ + ω'² q = 0, decays like e^{−dt/2}, so
//   d = −2 log|ρ| / h,   ω_num = arg(ρ) / h,
// and d/ω and ω_num/ω depend on hω alone.
#pragma once

#include <pliant/integrate/stepper.hpp>

#include <complex>

namespace pliant {

struct DampingPoint {
  double h_omega = 0;
  std::complex<double> rho;  // of largest modulus, imaginary part ≥ 0; NaN where the step failed
  double damping() const { return -2 * std::log(std::abs(rho)) / h_omega; }  // d/ω
  double dispersion() const { return std::arg(rho) / h_omega - 1; }          // (ω_num − ω)/ω
};

// The eigenvalues of T: of all that a step carries over to the next (the state, and what the
// method remembers) and that shows in q and v later. Empty where a step fails.
std::vector<std::complex<double>> step_eigenvalues(const IntegratorOptions& integrator,
                                                   double h_omega, double damping_ratio = 0);
DampingPoint damping_at(const IntegratorOptions& integrator, double h_omega);

struct DampingCurve {
  std::string integrator;
  std::vector<DampingPoint> points;
};
DampingCurve make_damping_curve(const IntegratorOptions& integrator,
                                std::span<const double> h_omega);

// `count` numbers from `low` to `high`, each the same multiple of the one before.
std::vector<double> log_spaced(double low, double high, int count);

}  // namespace pliant
