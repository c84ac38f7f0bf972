#include "terms.hpp"

#include "term_nodes.hpp"

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace pliant::python {
namespace {

// Nodes of one set, all of which are coupled with each other: differences call the gradient six
// times for each, and the matrix has a dense block of that many.
constexpr std::size_t kMostByDifferences = 100, kMostCoupled = 400;

py::object method(const py::object& term, const char* name) {
  return py::getattr(term, name, py::none());
}

// What both kinds have: nodes, their blocks, and a name.
class PythonTerm : public Term {
 public:
  PythonTerm(const py::object& term, std::span<const Body> bodies, std::span<const Vec3> rest)
      : name_(class_of(term)), nodes_(term, name_, bodies, rest) {
    Eigen::AlignedBox3d box;
    for (const Vec3& x : rest) box.extend(x);
    scene_size_ = std::max(box.diagonal().norm(), std::numeric_limits<double>::min());
  }
  std::string_view name() const override { return name_; }
  void add_stencils(PatternBuilder& builder) const override {
    builder.add(nodes_.all(), static_cast<int>(nodes_.per_set()));
  }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    nodes_.locate(*pattern);
  }

 protected:
  void require_size(bool differences, const char* instead) const {
    const std::size_t most = differences ? kMostByDifferences : kMostCoupled;
    if (nodes_.per_set() > most)
      throw InputError(fmt::format(
          "{}: couples {} nodes with each other, {} can at most; {}", name_, nodes_.per_set(), most,
          differences ? instead : "give nodes of shape (sets, k) where they act in smaller sets"));
  }
  std::string place(const char* function) const { return fmt::format("{}.{}", name_, function); }

  std::string name_;
  TermNodes nodes_;
  double scene_size_;  // m
};

// −∂f/∂y for y one of x and v, by central differences of a function that gives a gradient or −f:
// six calls per node of a set, however many sets there are.
template <class Function>
std::vector<double> differences(const TermNodes& nodes, std::vector<double> y, double step,
                                const Function& function) {
  const std::size_t n = nodes.dofs();
  std::vector<double> matrices(nodes.sets() * n * n);
  const std::vector<double> at = y;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t s = 0; s < nodes.sets(); ++s) y[s * n + j] = at[s * n + j] + step;
    const auto ahead = function(y);
    for (std::size_t s = 0; s < nodes.sets(); ++s) y[s * n + j] = at[s * n + j] - step;
    const auto behind = function(y);
    for (std::size_t s = 0; s < nodes.sets(); ++s) {
      const double wide = at[s * n + j] + step - y[s * n + j];  // as rounded
      for (std::size_t i = 0; i < n; ++i)
        matrices[(s * n + i) * n + j] = (ahead.data()[s * n + i] - behind.data()[s * n + i]) / wide;
      y[s * n + j] = at[s * n + j];
    }
  }
  return matrices;
}
const double kStep = std::cbrt(std::numeric_limits<double>::epsilon());

class PythonPotential final : public PythonTerm {
 public:
  PythonPotential(const py::object& term, std::span<const Body> bodies, std::span<const Vec3> rest)
      : PythonTerm(term, bodies, rest),
        energy_(hold(term.attr("energy"))),
        gradient_(hold(term.attr("gradient"))),
        hessian_(hold(method(term, "hessian"))),
        timed_(py::cast<bool>(py::bool_(py::getattr(term, "time_dependent", py::bool_(false))))) {
    const std::string kind = py::str(py::getattr(term, "kind", py::str("external")));
    if (kind != "external" && kind != "elastic")
      throw InputError(
          fmt::format("{}: its kind must be \"elastic\" or \"external\", got \"{}\"", name_, kind));
    kind_ = kind == "elastic" ? TermKind::elastic : TermKind::external;
    require_size(hessian_->is_none(),
                 "with a \"hessian\" 400 can, and nodes of shape (sets, k) "
                 "may be as many as you like");
    const std::vector<double> x = nodes_.gather({rest.data()->data(), 3 * rest.size()});
    const Numbers g = gradient(x, 0);
    require_finite({g.data(), static_cast<std::size_t>(g.size())}, place("gradient"));
    if (!std::isfinite(energy(x, 0)))
      throw InputError(fmt::format("{} is not finite in the undeformed scene", place("energy")));
  }
  TermKind kind() const override { return kind_; }
  bool time_dependent() const override { return timed_; }

  double potential(const Configuration& c) const override {
    const py::gil_scoped_acquire lock;
    return energy(nodes_.gather(c.q), c.t);
  }
  void add_force(const Configuration& c, std::span<double> f) const override {
    const py::gil_scoped_acquire lock;
    const Numbers g = gradient(nodes_.gather(c.q), c.t);
    nodes_.scatter_add({g.data(), static_cast<std::size_t>(g.size())}, -1, f);
  }
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override {
    if (tangent.stiffness == 0) return;
    const py::gil_scoped_acquire lock;
    std::vector<double> K = stiffness(nodes_.gather(c.q), c.t);
    if (tangent.projection == Projection::psd) make_positive(K, nodes_.dofs());
    for (double& k : K) k *= tangent.stiffness;
    nodes_.add_matrices(K, A);
  }

 private:
  py::object call(const Held& function, std::span<const double> x, double t) const {
    return timed_ ? (*function)(nodes_.array(x), t) : (*function)(nodes_.array(x));
  }
  // Not a number is beyond where the potential ends, like +∞: a line search goes back from there.
  double energy(std::span<const double> x, double t) const {
    const Numbers parts = numbers_of(call(energy_, x, t), nodes_.energy_shape(), place("energy"));
    double sum = 0;
    for (py::ssize_t k = 0; k < parts.size(); ++k) sum += parts.data()[k];
    return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
  }
  Numbers gradient(std::span<const double> x, double t) const {
    return numbers_of(call(gradient_, x, t), nodes_.shape(), place("gradient"));
  }
  // Symmetric, as a stiffness is scattered.
  std::vector<double> stiffness(const std::vector<double>& x, double t) const {
    const std::size_t n = nodes_.dofs();
    std::vector<double> K;
    if (hessian_->is_none()) {
      K = differences(nodes_, x, kStep * nodes_.size(x, scene_size_),
                      [&](const std::vector<double>& y) { return gradient(y, t); });
    } else {
      const Numbers H = numbers_of(call(hessian_, x, t), nodes_.square_shape(), place("hessian"));
      K.assign(H.data(), H.data() + H.size());
    }
    for (std::size_t s = 0; s < nodes_.sets(); ++s)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          double &a = K[(s * n + i) * n + j], &b = K[(s * n + j) * n + i];
          a = b = 0.5 * (a + b);
        }
    return K;
  }

  Held energy_, gradient_, hessian_;
  bool timed_;
  TermKind kind_;
};

class PythonForce final : public PythonTerm {
 public:
  PythonForce(const py::object& term, std::span<const Body> bodies, std::span<const Vec3> rest)
      : PythonTerm(term, bodies, rest),
        force_(hold(term.attr("force"))),
        stiffness_(hold(method(term, "stiffness"))),
        damping_(hold(method(term, "damping"))),
        by_differences_(
            py::cast<bool>(py::bool_(py::getattr(term, "differences", py::bool_(true))))) {
    if (by_differences_)
      require_size(stiffness_->is_none() || damping_->is_none(),
                   "with \"stiffness\" and \"damping\" 400 can, nodes of shape (sets, k) may be as "
                   "many as you like, and so may all where \"differences\" is False");
    const std::vector<double> x = nodes_.gather({rest.data()->data(), 3 * rest.size()});
    (void)force(0, x, std::vector<double>(x.size(), 0.0));
  }
  TermKind kind() const override { return TermKind::external; }
  bool has_potential() const override { return false; }
  bool symmetric() const override { return false; }
  bool time_dependent() const override { return true; }
  // Without derivatives it couples nothing.
  void add_stencils(PatternBuilder& builder) const override {
    if (has_tangent()) PythonTerm::add_stencils(builder);
  }
  void locate(const std::shared_ptr<const BlockPattern>& pattern) override {
    if (has_tangent()) PythonTerm::locate(pattern);
  }

  void add_force(const Configuration& c, std::span<double> f) const override {
    const py::gil_scoped_acquire lock;
    const Numbers F = force(c.t, nodes_.gather(c.q), nodes_.gather(c.v));
    nodes_.scatter_add({F.data(), static_cast<std::size_t>(F.size())}, 1, f);
  }
  void add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const override {
    if (!has_tangent()) return;
    const py::gil_scoped_acquire lock;
    const std::vector<double> x = nodes_.gather(c.q), v = nodes_.gather(c.v);
    std::vector<double> sum(nodes_.sets() * nodes_.dofs() * nodes_.dofs());
    if (tangent.stiffness != 0)
      add(tangent.stiffness, derivative(stiffness_, true, c.t, x, v), sum);
    if (tangent.damping != 0) add(tangent.damping, derivative(damping_, false, c.t, x, v), sum);
    if (tangent.projection == Projection::psd) make_positive(sum, nodes_.dofs());
    nodes_.add_matrices(sum, A);
  }

 private:
  bool has_tangent() const {
    return by_differences_ || !stiffness_->is_none() || !damping_->is_none();
  }
  static void add(double scale, const std::vector<double>& part, std::vector<double>& sum) {
    for (std::size_t k = 0; k < part.size(); ++k) sum[k] += scale * part[k];
  }
  Numbers force(double t, std::span<const double> x, std::span<const double> v) const {
    Numbers F =
        numbers_of((*force_)(t, nodes_.array(x), nodes_.array(v)), nodes_.shape(), place("force"));
    require_finite({F.data(), static_cast<std::size_t>(F.size())}, place("force"));
    return F;
  }
  // −∂f/∂x or −∂f/∂v.
  std::vector<double> derivative(const Held& given, bool by_position, double t,
                                 const std::vector<double>& x, const std::vector<double>& v) const {
    if (!given->is_none()) {
      const Numbers D =
          numbers_of((*given)(t, nodes_.array(x), nodes_.array(v)), nodes_.square_shape(),
                     place(by_position ? "stiffness" : "damping"));
      return {D.data(), D.data() + D.size()};
    }
    if (!by_differences_) return {};
    double speed = 0;
    for (const double u : v) speed = std::max(speed, std::abs(u));
    const double step = kStep * (by_position ? nodes_.size(x, scene_size_) : std::max(speed, 1.0));
    std::vector<double> D = differences(nodes_, by_position ? x : v, step, [&](const auto& y) {
      return by_position ? force(t, y, v) : force(t, x, y);
    });
    for (double& d : D) d = -d;
    return D;
  }

  Held force_, stiffness_, damping_;
  bool by_differences_;
};

}  // namespace

std::vector<std::unique_ptr<Term>> make_terms(const Held& list, std::span<const Body> bodies,
                                              std::span<const Vec3> rest) {
  const py::gil_scoped_acquire lock;
  const py::module_ classes = py::module_::import("pliant.custom");
  std::vector<std::unique_ptr<Term>> terms;
  for (const py::handle item : *list) {
    const auto term = py::reinterpret_borrow<py::object>(item);
    if (py::isinstance(term, classes.attr("Potential")))
      terms.push_back(std::make_unique<PythonPotential>(term, bodies, rest));
    else if (py::isinstance(term, classes.attr("Force")))
      terms.push_back(std::make_unique<PythonForce>(term, bodies, rest));
    else
      throw InputError(
          fmt::format("a {} is no term: pliant.Potential and pliant.Force are", class_of(term)));
  }
  return terms;
}

}  // namespace pliant::python
