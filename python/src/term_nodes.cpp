#include "term_nodes.hpp"

#include "json.hpp"

#include <pliant/core/error.hpp>
#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/read_selection.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <Eigen/Eigenvalues>

namespace pliant::python {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Range {  // nodes that numbers may mean
  Index first = 0, count = 0;
  std::string of;
  const Body* body = nullptr;  // null: all of them
};

Range range_of(const py::object& term, const std::string& name, std::span<const Body> bodies) {
  const py::object body = py::getattr(term, "body", py::none());
  if (body.is_none())
    return {0, bodies.empty() ? 0 : bodies.back().end_node(), "the scene",
            bodies.size() == 1 ? bodies.data() : nullptr};
  const std::string wanted = py::str(body);
  for (const Body& one : bodies)
    if (one.name == wanted)
      return {one.first_node, one.mesh.point_count(), fmt::format("body \"{}\"", wanted), &one};
  throw InputError(fmt::format("{}: there is no body \"{}\"", name, wanted));
}

// As scenes choose nodes: {"box": {"min": …, "max": …}}.
py::array selected(const py::object& record, const std::string& name, const Range& range) {
  if (!range.body)
    throw InputError(
        fmt::format("{}: a selection is of the nodes of one body; say which with \"body\"", name));
  const std::string where = name + ".nodes";
  const Selection selection = read_selection(to_json(record, where), built_vocabulary(), where);
  const std::vector<Index> nodes = select_nodes(range.body->mesh, selection, where);
  if (nodes.empty()) throw InputError(fmt::format("{}: no nodes of {} are there", where, range.of));
  return py::array_t<Index>(static_cast<py::ssize_t>(nodes.size()), nodes.data());
}

py::array chosen(const py::object& term, const std::string& name, const Range& range,
                 std::span<const Vec3> rest) {
  py::object nodes = py::getattr(term, "nodes", py::none());
  if (PyCallable_Check(nodes.ptr())) {
    const double* first = rest[static_cast<std::size_t>(range.first)].data();
    nodes = nodes(copy_of_nodes({first, 3 * static_cast<std::size_t>(range.count)}));
  }
  if (py::isinstance<py::dict>(nodes)) return selected(nodes, name, range);
  py::array array = nodes.is_none() ? py::array() : py::array::ensure(nodes);
  if (!array || nodes.is_none())
    throw InputError(fmt::format(
        "{}: its nodes must be whole numbers, a selection or a function of points", name));
  if (array.dtype().kind() == 'b') {
    if (array.ndim() != 1 || array.shape(0) != range.count)
      throw InputError(
          fmt::format("{}: a mask of nodes must have one entry for each of the {} of {}", name,
                      range.count, range.of));
    array = py::array(py::module_::import("numpy").attr("flatnonzero")(array));
  }
  return array;
}

}  // namespace

TermNodes::TermNodes(const py::object& term, const std::string& name, std::span<const Body> bodies,
                     std::span<const Vec3> rest) {
  const Range range = range_of(term, name, bodies);
  const py::array array = chosen(term, name, range, rest);
  const char kind = array.dtype().kind();
  if ((kind != 'i' && kind != 'u') || array.ndim() < 1 || array.ndim() > 2 || array.size() == 0)
    throw InputError(fmt::format(
        "{}: its nodes must be whole numbers of shape (k,) or (sets, k), got {} of shape {}", name,
        std::string(py::str(array.dtype())),
        in_words({array.shape(), array.shape() + array.ndim()})));
  several_ = array.ndim() == 2;
  sets_ = several_ ? static_cast<std::size_t>(array.shape(0)) : 1;
  per_set_ = static_cast<std::size_t>(array.shape(several_ ? 1 : 0));
  const auto numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(array);
  for (py::ssize_t k = 0; k < numbers.size(); ++k) {
    const std::int64_t n = numbers.data()[k];
    if (n < 0 || n >= range.count)
      throw InputError(fmt::format("{}: there is no node {} in {}, which has {}", name, n, range.of,
                                   range.count));
    nodes_.push_back(range.first + static_cast<Index>(n));
  }
}

std::vector<py::ssize_t> TermNodes::shape() const {
  const auto k = static_cast<py::ssize_t>(per_set_);
  if (!several_) return {k, 3};
  return {static_cast<py::ssize_t>(sets_), k, 3};
}
std::vector<py::ssize_t> TermNodes::square_shape() const {
  const auto n = static_cast<py::ssize_t>(dofs());
  if (!several_) return {n, n};
  return {static_cast<py::ssize_t>(sets_), n, n};
}
std::vector<py::ssize_t> TermNodes::energy_shape() const {
  if (!several_) return {};
  return {static_cast<py::ssize_t>(sets_)};
}

std::vector<double> TermNodes::gather(std::span<const double> q) const {
  std::vector<double> x(3 * nodes_.size());
  for (std::size_t k = 0; k < nodes_.size(); ++k) Map3(x.data() + 3 * k) = node(q, nodes_[k]);
  return x;
}

void TermNodes::scatter_add(std::span<const double> values, double scale,
                            std::span<double> out) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    node(out, nodes_[k]) += scale * ConstMap3(values.data() + 3 * k);
}

void TermNodes::locate(const BlockPattern& pattern) {
  blocks_.clear();
  for (std::size_t s = 0; s < sets_; ++s)
    for (std::size_t a = 0; a < per_set_; ++a)
      for (std::size_t b = 0; b < per_set_; ++b)
        blocks_.push_back(pattern.find(nodes_[s * per_set_ + a], nodes_[s * per_set_ + b]));
}

void TermNodes::add_matrices(std::span<const double> matrices, BlockMatrix& A) const {
  const std::size_t n = dofs();
  for (std::size_t s = 0; s < sets_; ++s) {
    const Eigen::Map<const RowMatrix> K(matrices.data() + s * n * n, static_cast<Eigen::Index>(n),
                                        static_cast<Eigen::Index>(n));
    for (std::size_t a = 0; a < per_set_; ++a)
      for (std::size_t b = 0; b < per_set_; ++b)
        Eigen::Map<Mat3>(A.block(blocks_[(s * per_set_ + a) * per_set_ + b])) +=
            K.block<3, 3>(static_cast<Eigen::Index>(3 * a), static_cast<Eigen::Index>(3 * b));
  }
}

double TermNodes::size(std::span<const double> x, double otherwise) const {
  double largest = 0;
  for (std::size_t s = 0; s < sets_; ++s) {
    Eigen::AlignedBox3d box;
    for (std::size_t a = 0; a < per_set_; ++a)
      box.extend(Vec3(ConstMap3(x.data() + 3 * (s * per_set_ + a))));
    largest = std::max(largest, box.diagonal().norm());
  }
  return largest > 0 ? largest : otherwise;
}

void make_positive(std::span<double> matrices, std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  for (double* first = matrices.data(); first != matrices.data() + matrices.size();
       first += n * n) {
    Eigen::Map<RowMatrix> K(first, size, size);
    const Eigen::SelfAdjointEigenSolver<RowMatrix> pairs(0.5 * (K + K.transpose()));
    K = pairs.eigenvectors() * pairs.eigenvalues().cwiseMax(0).asDiagonal() *
        pairs.eigenvectors().transpose();
  }
}

}  // namespace pliant::python
