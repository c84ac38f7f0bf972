// The lists of names that a scene may use. They belong to the modules that implement them
// (integrators, laws, solvers…); whoever reads a scene gathers them here, so that the schema, the
// command line's `list`, the reference and the error messages all walk the same lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct Name {
  std::string name;
  std::string doc;        // one line
  bool available = true;  // false: promised for a later version and refused with "not yet"
};
using Names = std::vector<Name>;

struct Vocabulary {
  Names integrators;
  Names materials;
  Names damping;
  Names solvers;         // of the stage: newton, linear…
  Names linear_solvers;  // auto, cholesky…
  Names contact;
  Names bodies;
};

// The given lists, to which come the names that belong to the scene itself (body types, contact
// "none") and, as unavailable, those that the interface promises but the lists do not hold yet.
Vocabulary complete_vocabulary(Vocabulary built);

const Name* find_name(const Names& names, std::string_view name);
std::vector<std::string> available_names(const Names& names);

}  // namespace pliant
