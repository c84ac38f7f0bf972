// The nodes that a term written in Python acts on: one set of them, or several sets of equal size
// ("elements"), each of which the term treats alike. What crosses over to Python is always all sets
// at once, so that a thousand springs cost one call.
#pragma once

#include "interop.hpp"

#include <pliant/body/solid.hpp>
#include <pliant/sparse/block_matrix.hpp>

namespace pliant::python {

class TermNodes {
 public:
  // `nodes` of a Python term: whole numbers of shape (k,) or (m, k), a selection as in scenes, or a
  // function that gets the undeformed points of the body and returns such numbers or a mask; of its
  // `body`, where it names one, else of the whole scene. Throws InputError, beginning with `name`.
  TermNodes(const py::object& term, const std::string& name, std::span<const Body> bodies,
            std::span<const Vec3> rest);

  std::size_t sets() const { return sets_; }
  std::size_t per_set() const { return per_set_; }
  std::size_t dofs() const { return 3 * per_set_; }  // of one set
  const std::vector<Index>& all() const { return nodes_; }
  // (k, 3) or (m, k, 3), and with `square` (3k, 3k) or (m, 3k, 3k).
  std::vector<py::ssize_t> shape() const;
  std::vector<py::ssize_t> square_shape() const;
  std::vector<py::ssize_t> energy_shape() const;

  std::vector<double> gather(std::span<const double> q) const;
  void scatter_add(std::span<const double> values, double scale, std::span<double> out) const;
  py::array_t<double> array(std::span<const double> x) const { return copy_of(x, shape()); }

  void locate(const BlockPattern& pattern);
  // A += matrix of each set, row by row as Python gives it.
  void add_matrices(std::span<const double> matrices, BlockMatrix& A) const;

  // m, of the largest set: what steps of finite differences are measured by.
  double size(std::span<const double> x, double otherwise) const;

 private:
  std::vector<Index> nodes_;  // of the system, set by set
  std::size_t sets_ = 1, per_set_ = 0;
  bool several_ = false;       // is there an axis for sets?
  std::vector<Index> blocks_;  // of each set, row by row
};

// The nearest symmetric matrices without negative eigenvalues, each of n rows.
void make_positive(std::span<double> matrices, std::size_t n);

}  // namespace pliant::python
