// What Python reads of a state: forces, energies, contacts, constraints, probes, modes and
// matrices. Computed without the interpreter's lock as plain numbers, and then handed over.
#pragma once

#include "interop.hpp"

#include <pliant/analysis/modes.hpp>
#include <pliant/run/pace.hpp>
#include <pliant/system/energy_ledger.hpp>

namespace pliant::python {

// Of all terms, or of those of that name; InputError where there is none.
Vector force_of(const BuiltScene& built, const State& state, const std::string& term);
std::vector<std::string> term_names(const BuiltScene& built);

// With which the state goes on from here. CannotContinue where it is not determined.
Vector acceleration_of(const BuiltScene& built, const State& state);

std::vector<std::uint8_t> free_coordinates(const BuiltScene& built, const State& state);

struct ContactList {
  std::vector<std::string> kinds;       // point_triangle…, plane
  std::vector<Index> nodes;             // four each, the last repeated where there are fewer
  std::vector<double> gaps, pressures;  // m, N
};
ContactList contacts_of(const BuiltScene& built, const State& state);
py::dict to_python(const ContactList& list);

struct ConstraintRows {
  std::vector<std::string> names;
  Vector lambda;
  bool determined = true;
};
ConstraintRows constraint_rows(const BuiltScene& built, const State& state);
py::dict to_python(const ConstraintRows& rows);

struct ProbeValues {
  std::vector<std::string> names;
  std::vector<char> vectors;  // three numbers, or one
  std::vector<double> values;
};
ProbeValues probe_values(const BuiltScene& built, const State& state);
py::dict to_python(const ProbeValues& probes);

py::dict to_python(const Energies& energies);
py::dict to_python(const EnergySums& sums);
py::dict to_python(const Modes& modes);
Modes modes_of(const BuiltScene& built, const State& state, Index count,
               const Interruption& interrupted);

// Blocks of 3×3 with their rows and columns; scipy's bsr_matrix takes them as they are.
struct SparseBlocks {
  std::vector<Index> row_start, column;
  std::vector<double> values;  // row by row
  Index rows = 0;
};
SparseBlocks mass_of(const BuiltScene& built);
enum class Derivative { stiffness, damping };  // −∂f/∂q, −∂f/∂v
SparseBlocks matrix_of(const BuiltScene& built, const State& state, Derivative derivative);
py::object to_python(SparseBlocks blocks);
// What is dense of it, Y Zᵀ; no columns where nothing is.
LowRank low_rank_of(const BuiltScene& built, const State& state, Derivative derivative);

}  // namespace pliant::python
