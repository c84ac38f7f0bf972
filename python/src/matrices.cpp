// Modes, and the matrices M, K and D of a state.
#include "readings.hpp"

#include <pliant/contact/barrier_term.hpp>
#include <pliant/contact/friction_term.hpp>
#include <pliant/core/error.hpp>
#include <pliant/stage/contact_detector.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace pliant::python {
namespace {

Tangent tangent_of(Derivative derivative) {
  return derivative == Derivative::stiffness ? Tangent{.stiffness = 1} : Tangent{.damping = 1};
}

SparseBlocks blocks_of(const BlockMatrix& A) {
  SparseBlocks out;
  out.rows = A.pattern().rows;
  out.row_start = A.pattern().row_start;
  out.column = A.pattern().column;
  out.values.resize(A.values().size());
  for (std::size_t k = 0; k < out.column.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        out.values[9 * k + 3 * i + j] = A.values()[9 * k + i + 3 * j];
  return out;
}

}  // namespace

SparseBlocks mass_of(const BuiltScene& built) {
  const NodeMatrix& M = built.model.system->mass();
  BlockMatrix A(M.shared_pattern());
  M.write_to(A);
  return blocks_of(A);
}

LowRank low_rank_of(const BuiltScene& built, const State& state, Derivative derivative) {
  LowRank out;
  built.model.system->low_rank(at(state), tangent_of(derivative), out);
  return out;
}

// Contact couples nodes that nothing else couples, so its part comes with a pattern of its own.
SparseBlocks matrix_of(const BuiltScene& built, const State& state, Derivative derivative) {
  const System& system = *built.model.system;
  const Tangent tangent = tangent_of(derivative);
  Configuration c = at(state);
  BlockMatrix A(system.pattern());
  A.set_zero();
  system.add_tangent(c, tangent, A);
  const BarrierTerm* contact = system.contact();
  if (!contact) return blocks_of(A);
  ContactDetector detector(*contact, system.pattern());
  detector.look_along(c.q, {});
  c.contacts = &detector.contacts(c);
  BlockMatrix whole(detector.pattern_for(*c.contacts, state.friction.get()));
  whole.set_zero();
  detector.add_base(A, whole);
  contact->add_tangent(c, tangent, whole);
  if (system.friction() && state.friction) system.friction()->add_tangent(c, tangent, whole);
  return blocks_of(whole);
}

// The arrays become the matrix's own, without another copy.
py::object to_python(SparseBlocks blocks) {
  const auto owned = std::make_shared<SparseBlocks>(std::move(blocks));
  const py::capsule owner = capsule_of(owned);
  const auto count = static_cast<py::ssize_t>(owned->column.size());
  const py::array data = array_over(owned->values.data(), {count, 3, 3}, owner, true);
  const py::array columns = array_over(owned->column.data(), {count}, owner, true);
  const py::array rows =
      array_over(owned->row_start.data(), {static_cast<py::ssize_t>(owned->rows) + 1}, owner, true);
  const py::ssize_t size = 3 * static_cast<py::ssize_t>(owned->rows);
  return py::module_::import("scipy.sparse")
      .attr("bsr_matrix")(py::make_tuple(data, columns, rows),
                          py::arg("shape") = py::make_tuple(size, size));
}

Modes modes_of(const BuiltScene& built, const State& state, Index count,
               const Interruption& interrupted) {
  const System& system = *built.model.system;
  if (count < 1 || count > system.dofs())
    throw InputError(fmt::format("modes: must be from 1 to {}, got {}", system.dofs(), count));
  std::vector<Index> rigid;
  for (const Body& body : built.model.bodies)
    if (body.rigid) rigid.push_back(body.rigid->first);
  return find_modes(system, state, count, interrupted, rigid);
}

py::dict to_python(const Modes& modes) {
  constexpr const char* kinds[] = {"rigid", "oscillating", "unstable"};
  const auto count = static_cast<py::ssize_t>(modes.list.size());
  std::vector<double> frequency, lambda, fraction;
  py::list kind;
  for (const Mode& mode : modes.list) {
    frequency.push_back(mode.frequency);
    lambda.push_back(mode.lambda);
    fraction.insert(fraction.end(), mode.mass_fraction.data(), mode.mass_fraction.data() + 3);
    kind.append(kinds[static_cast<int>(mode.kind)]);
  }
  py::dict out;
  out["frequencies"] = copy_of(frequency, {count});
  out["eigenvalues"] = copy_of(lambda, {count});
  out["mass_fractions"] = copy_of(fraction, {count, 3});
  out["kinds"] = kind;
  py::array_t<double> shapes({count, static_cast<py::ssize_t>(modes.shapes.rows())});
  std::copy(modes.shapes.data(), modes.shapes.data() + modes.shapes.size(), shapes.mutable_data());
  out["shapes"] = shapes;
  return out;
}

}  // namespace pliant::python
