#include <pliant/analysis/damping_curve.hpp>

#include <pliant/analysis/oscillator.hpp>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kInfluence = 1e-14;  // of a unit change: less than this is none

// All that the next step depends on: the state, and what the method remembers for a resumed run.
struct Carried {
  State state;
  std::vector<double> memory;
};

std::vector<double> flat(const Carried& c) {
  std::vector<double> numbers;
  for (const Vector* x : {&c.state.q, &c.state.v, &c.state.a})
    if (x != &c.state.a || c.state.a_known) numbers.insert(numbers.end(), x->begin(), x->end());
  numbers.insert(numbers.end(), c.memory.begin(), c.memory.end());
  return numbers;
}

// `c` with number k of its flat form raised by one.
Carried raised(Carried c, std::size_t k) {
  for (Vector* x : {&c.state.q, &c.state.v, &c.state.a}) {
    if (x == &c.state.a && !c.state.a_known) continue;
    const auto size = static_cast<std::size_t>(x->size());
    if (k < size) {
      (*x)[static_cast<Eigen::Index>(k)] += 1;
      return c;
    }
    k -= size;
  }
  c.memory[k] += 1;
  return c;
}

class StepMap {
 public:
  StepMap(const IntegratorOptions& integrator, double h_omega, double ratio)
      : integrator_(integrator), h_(h_omega), system_(make_oscillator({1, ratio})) {
    // What is asked of the solvers is rounding.
    integrator_.krylov_tolerance = 1e-14;
    solver_.linear = "cholesky";
    solver_.tolerance = 1e-13;
  }

  // Each step by a stepper of its own, as a resumed run would.
  bool step(Carried& c) const {
    const std::unique_ptr<Stepper> stepper = make_stepper(integrator_, solver_);
    if (!c.memory.empty()) stepper->restore(c.memory);
    if (!stepper->step(*system_, c.state, h_).ok) return false;
    c.memory = stepper->memory();
    return true;
  }
  // An oscillation along x for us to look at, and always the same one along y, which keeps every
  // method busy: one that rests solves nothing and remembers less.
  Carried start(double q, double v) const {
    Carried c{system_->make_state(), {}};
    c.state.q.head<2>() << q, 1;
    c.state.v.head<2>() << v, 0.5;
    return c;
  }

 private:
  IntegratorOptions integrator_;
  double h_;
  SolverOptions solver_;
  std::unique_ptr<System> system_;
};

// The places of the flat form in which runs differ that differ along x alone: times, sizes and the
// like are the same in both. From the second step on, when every memory is full.
bool find_varying(const StepMap& map, std::vector<std::size_t>& varying) {
  std::vector<bool> varies;
  for (const bool in_velocity : {false, true}) {
    Carried moving = map.start(!in_velocity, in_velocity), resting = map.start(0, 0);
    for (int k = 0; k < 4; ++k) {
      if (!map.step(moving) || !map.step(resting)) return false;
      if (k == 0) continue;
      const std::vector<double> a = flat(moving), b = flat(resting);
      if (varies.empty()) varies.resize(a.size(), false);
      if (a.size() != varies.size() || b.size() != varies.size()) return false;
      for (std::size_t i = 0; i < a.size(); ++i) varies[i] = varies[i] || a[i] != b[i];
    }
  }
  varies[0] = varies[3] = true;  // q and v along x
  for (std::size_t i = 0; i < varies.size(); ++i)
    if (varies[i]) varying.push_back(i);
  return true;
}

// T without what never shows in q and v: notes of a solver about itself, for instance.
Eigen::MatrixXd observable_part(const Eigen::MatrixXd& T, std::span<const std::size_t> places) {
  std::vector<Eigen::Index> seen;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (places[k] == 0 || places[k] == 3) seen.push_back(static_cast<Eigen::Index>(k));
  for (std::size_t next = 0; next < seen.size(); ++next)
    for (Eigen::Index k = 0; k < T.cols(); ++k)
      if (std::abs(T(seen[next], k)) > kInfluence &&
          std::find(seen.begin(), seen.end(), k) == seen.end())
        seen.push_back(k);
  return T(seen, seen);
}

}  // namespace

std::vector<std::complex<double>> step_eigenvalues(const IntegratorOptions& integrator,
                                                   double h_omega, double damping_ratio) {
  const StepMap map(integrator, h_omega, damping_ratio);
  std::vector<std::size_t> varying;
  Carried resting = map.start(0, 0);
  if (!find_varying(map, varying) || !map.step(resting) || !map.step(resting)) return {};
  Carried after = resting;
  if (!map.step(after)) return {};
  const std::vector<double> base = flat(after);
  const auto n = static_cast<Eigen::Index>(varying.size());
  Eigen::MatrixXd T(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    Carried c = raised(resting, varying[static_cast<std::size_t>(j)]);
    if (!map.step(c)) return {};
    const std::vector<double> out = flat(c);
    if (out.size() != base.size()) return {};
    for (Eigen::Index i = 0; i < n; ++i) {
      const std::size_t place = varying[static_cast<std::size_t>(i)];
      T(i, j) = out[place] - base[place];
    }
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(observable_part(T, varying), false);
  return {eigen.eigenvalues().begin(), eigen.eigenvalues().end()};
}

DampingPoint damping_at(const IntegratorOptions& integrator, double h_omega) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  DampingPoint point{h_omega, {nan, nan}};
  for (const std::complex<double> value : step_eigenvalues(integrator, h_omega))
    if (!(std::abs(value) <= std::abs(point.rho)))
      point.rho = {value.real(), std::abs(value.imag())};
  return point;
}

DampingCurve make_damping_curve(const IntegratorOptions& integrator,
                                std::span<const double> h_omega) {
  DampingCurve curve{integrator.type, {}};
  for (const double x : h_omega) curve.points.push_back(damping_at(integrator, x));
  return curve;
}

std::vector<double> log_spaced(double low, double high, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k)
    values.push_back(low * std::pow(high / low, static_cast<double>(k) / (count - 1)));
  return values;
}

}  // namespace pliant
