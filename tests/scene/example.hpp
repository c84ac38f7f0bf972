// A vocabulary filled by hand, and a scene that uses every part of the schema; what the tests of
// this folder start from.
#pragma once

#include <pliant/core/error.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/scene/vocabulary.hpp>

#include <functional>
#include <string>

namespace pliant::test {

inline Vocabulary example_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.integrators = {{"be", "backward Euler"},
                            {"sdirk2", "second order"},
                            {"trbdf2", "keeps constraints"},
                            {"esdirk32", "chooses steps"},
                            {"rk4", "explicit"}};
  for (const char* name : {"linear", "corotated", "fixed-corotated", "stvk", "neo-hookean",
                           "stable-neo-hookean", "mooney-rivlin", "arap", "spline", "orthotropic"})
    vocabulary.materials.push_back({name, "a law"});
  vocabulary.damping = {{"rayleigh", "αM + βK"}};
  vocabulary.solvers = {{"newton", "to tolerance"}, {"linear", "one linear solve"}};
  vocabulary.linear_solvers = {{"auto", ""}, {"cholesky", ""}, {"ldlt", ""}, {"pcg", ""}};
  return complete_vocabulary(vocabulary);
}

inline const char* small_scene() {
  return R"json({
  "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5}},
  "bodies": [{"name": "beam", "mesh": {"box": {"size": [8, 1, 1], "cells": [8, 2, 2]}}, "material": "jelly"}]
})json";
}

inline const char* full_scene() {
  return R"json({
  // every part of the schema once
  "name": "everything", "description": "all keys",
  "time": {"dt": 0.01, "duration": 2, "output_dt": 0.04, "min_dt": 1e-5},
  "gravity": [0, -9.81, 0],
  "integrator": {"type": "be"},
  "solver": {"type": "newton", "tolerance": 1e-6, "max_iterations": 20, "linear": "pcg", "fast": true},
  "materials": {
    "jelly": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000},
    "graded": {"model": "linear", "young": {"field": "1e4 + 1e5*(x > 0)"}, "poisson": 0.3},
    "rubber": {"model": "mooney-rivlin", "c10": 1e4, "c01": 2e3, "bulk": 1e6, "density": 1100},
    "wood": {"model": "orthotropic", "young": [1e9, 5e8, 5e8], "poisson": [0.3, 0.3, 0.1],
             "shear": [1e8, 1e8, 1e8], "axes": [[0, 2, 0], [-1, 0, 0], [0, 0, 1]]},
    "shaped": {"model": "spline", "young": 1e5, "f": [[0.5, -1], [1, 0], [2, 1]]}
  },
  "bodies": [
    {"name": "beam", "type": "solid",
     "mesh": {"box": {"size": [8, 1, 1], "cells": [8, 2, 2], "element": "hex8"}},
     "material": {"default": "jelly", "regions": {"core": "rubber"}},
     "transform": {"scale": [1, 2, 1], "rotate": [0, 90, 0], "translate": [0, 1, 0]},
     "initial": {"velocity": [1, 0, 0], "angular_velocity": [0, 0, 6],
                 "deform": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "positions": "start.vtu"},
     "pin": [{"box": {"min": [-1, -1, -1], "max": [1, 1, 1]}},
             {"sphere": {"center": [0, 0, 4], "radius": 0.5}, "axes": "xz",
              "motion": {"velocity": [0.1, 0, 0], "angular_velocity": [1, 0, 0], "center": [0, 1, 0]},
              "from": 0.5, "until": 1.0},
             {"selection": {"region": "core"}, "motion": {"curve": [[0, 0, 0, 0], [1, 0, 0.5, 0]]}}],
     "damping": [{"model": "rayleigh", "alpha": 0.1, "beta": 1e-4}],
     "mass": "lumped", "point_masses": [{"point": [0, 0, 0], "mass": 2}]},
    {"name": "ball", "mesh": {"sphere": {"radius": 0.3, "size": 0.1}},
     "material": {"name": "jelly", "young": {"field": "1e5*(1 + y^2)"}}, "transform": {"scale": 2}},
    {"name": "log", "mesh": {"cylinder": {"radius": 0.3, "length": 2, "size": 0.1}}, "material": "wood"},
    {"name": "pill", "mesh": {"capsule": {"radius": 0.3, "length": 1, "size": 0.1}}, "material": "graded"},
    {"name": "ring", "mesh": {"torus": {"radius": 1, "tube": 0.3, "size": 0.1}}, "material": "shaped"},
    {"name": "part", "mesh": {"file": "meshes/part.msh", "element": "tet10"}, "material": "jelly"},
    {"name": "hare", "mesh": {"surface": "../hare.off", "size": 0.05}, "material": "jelly"},
    {"name": "die", "material": "jelly",
     "mesh": {"sdf": {"difference": [{"box": {"size": [1, 1, 1]}},
                                     {"sphere": {"radius": 0.4}, "translate": [0.5, 0, 0]}]},
              "size": 0.1, "element": "tet10"}}
  ],
  "forces": [
    {"wind": {"velocity": [3, 0, 0], "drag": 1.5}},
    {"wind": {"curve": [[0, 0, 0, 0], [1, 5, 0, 0]]}},
    {"point": {"body": "ball", "nodes": [0, 3], "force": [0, 10, 0]}},
    {"point": {"body": "ball", "all": true, "curve": [[0, 0, 0, 0], [1, 0, 1, 0]]}},
    {"pressure": {"body": "beam", "plane": {"point": [0, 0.4, 0], "normal": [0, 1, 0]}, "value": 100}},
    {"pressure": {"body": "beam", "node_set": "top", "curve": [[0, 0], [1, 100]]}},
    {"spring": {"between": ["ball", [0, 0, 0], "world", [0, 2, 0]], "stiffness": 50, "rest": 1.5, "damping": 0.2}},
    {"tendon": {"path": [["ball", [0, 0, 0]], ["world", [0, 2, 0]], ["beam", [0, 1, 0]]], "tension": 12}},
    {"tendon": {"path": [["ball", [0, 0, 0]], ["beam", [0, 1, 0]]], "stiffness": 90, "rest_length": 0.5, "damping": 1}},
    {"tendon": {"path": [["ball", [0, 0, 0]], ["beam", [0, 1, 0]]], "stiffness": 90, "rest_curve": [[0, 1], [1, 0.5]]}},
    {"muscle": {"path": [["ball", [0, 0, 0]], ["beam", [0, 1, 0]]], "strength": 300, "activation": 0.5,
                "optimal_length": 0.9, "width": 0.4, "passive": 20}},
    {"muscle": {"path": [["ball", [0, 0, 0]], ["beam", [0, 1, 0]]], "strength": 300, "curve": [[0, 0], [1, 1]]}}
  ],
  "contact": {"method": "none"},
  "probes": [{"name": "mid", "body": "beam", "point": [0, 0, 0]}]
})json";
}

// The message of the InputError that `action` throws; empty if it throws none.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace pliant::test
