#include <pliant/analysis/errors.hpp>

#include <cmath>
#include <limits>

namespace pliant {

double mass_norm(const NodeMatrix& M, const Vector& x) {
  Vector Mx(x.size());
  M.multiply(view(x), view(Mx));
  return std::sqrt(std::max(0.0, x.dot(Mx)));
}

StateError state_error(const NodeMatrix& M, const State& start, const State& reference,
                       const State& state) {
  const auto relative = [](double difference, double size) {
    return size > 0 ? difference / size : difference;
  };
  return {relative(mass_norm(M, state.q - reference.q), mass_norm(M, reference.q - start.q)),
          relative(mass_norm(M, state.v - reference.v), mass_norm(M, reference.v))};
}

std::vector<double> measured_orders(std::span<const double> h, std::span<const double> errors) {
  std::vector<double> orders;
  for (std::size_t k = 0; k + 1 < h.size(); ++k) {
    const double order = std::log(errors[k] / errors[k + 1]) / std::log(h[k] / h[k + 1]);
    orders.push_back(std::isfinite(order) ? order : std::numeric_limits<double>::quiet_NaN());
  }
  return orders;
}

}  // namespace pliant
