#include "law.hpp"

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace pliant::python {
namespace {

class PythonLaw final : public BatchLaw {
 public:
  PythonLaw(const py::object& material, const std::string& name)
      : class_(class_of(material)),
        name_(name),
        positive_(py::cast<bool>(
            py::bool_(py::getattr(material, "needs_positive_det", py::bool_(false))))),
        energy_(hold(material.attr("energy"))),
        stress_(hold(material.attr("stress"))),
        tangent_(hold(py::getattr(material, "tangent", py::none()))) {
    const Mat3 I = Mat3::Identity();
    double psi = 0;
    std::vector<double> P(9), C(81);
    energy({I.data(), 9}, {&psi, 1});
    stress({I.data(), 9}, P);
    tangent({I.data(), 9}, C);
    if (!std::isfinite(psi))
      throw InputError(fmt::format("{}.energy is not finite where nothing is deformed", class_));
    require_finite(P, class_ + ".stress");
    require_finite(C, class_ + ".tangent");
  }
  std::string_view name() const override { return name_; }
  bool needs_positive_det() const override { return positive_; }

  // Not a number is beyond where the law ends, like +∞.
  void energy(std::span<const double> F, std::span<double> psi) const override {
    const py::gil_scoped_acquire lock;
    const Numbers given = numbers_of((*energy_)(points(F)), {count(F)}, class_ + ".energy");
    for (std::size_t k = 0; k < psi.size(); ++k) {
      const double value = given.data()[k];
      psi[k] = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    }
  }
  void stress(std::span<const double> F, std::span<double> P) const override {
    const py::gil_scoped_acquire lock;
    const Numbers given = numbers_of((*stress_)(points(F)), {count(F), 3, 3}, class_ + ".stress");
    for (std::size_t p = 0; p < P.size() / 9; ++p)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) P[9 * p + i + 3 * j] = given.data()[9 * p + 3 * i + j];
  }
  void tangent(std::span<const double> F, std::span<double> C) const override {
    if (tangent_->is_none()) return BatchLaw::tangent(F, C);
    const py::gil_scoped_acquire lock;
    const Numbers given =
        numbers_of((*tangent_)(points(F)), {count(F), 3, 3, 3, 3}, class_ + ".tangent");
    // [point, i, j, k, l] = ∂P_ij/∂F_kl, ours column by column.
    for (std::size_t p = 0; p < C.size() / 81; ++p)
      for (std::size_t ij = 0; ij < 9; ++ij)
        for (std::size_t kl = 0; kl < 9; ++kl)
          C[81 * p + 9 * (kl / 3 + 3 * (kl % 3)) + ij / 3 + 3 * (ij % 3)] =
              given.data()[81 * p + 9 * ij + kl];
  }

 private:
  static py::ssize_t count(std::span<const double> F) {
    return static_cast<py::ssize_t>(F.size() / 9);
  }
  // (points, 3, 3), a copy: Python may keep it.
  static py::array_t<double> points(std::span<const double> F) {
    py::array_t<double> array({count(F), py::ssize_t{3}, py::ssize_t{3}});
    double* out = array.mutable_data();
    for (std::size_t p = 0; p < F.size() / 9; ++p)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[9 * p + 3 * i + j] = F[9 * p + i + 3 * j];
    return array;
  }

  std::string class_, name_;
  bool positive_;
  Held energy_, stress_, tangent_;
};

}  // namespace

std::shared_ptr<const BatchLaw> make_law(const py::object& material, const std::string& name) {
  return std::make_shared<PythonLaw>(material, name);
}

}  // namespace pliant::python
