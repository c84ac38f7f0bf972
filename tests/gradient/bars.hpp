// Small scenes whose motion depends on ten numbers at once.
#pragma once

#include <pliant/gradient/scene_gradient.hpp>

#include <string>

namespace pliant::test {

// A bar that is held at one end by a pin that moves, pulled, damped in two ways and thrown.
inline Json held_bar(const std::string& integrator) {
  return Json::parse(R"({
    "time": {"dt": 0.02, "duration": 0.3},
    "gravity": [0, -9.81, 0],
    "solver": {"tolerance": 1e-12},
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 5e4, "poisson": 0.35, "density": 900}},
    "bodies": [{"name": "bar", "material": "jelly",
      "mesh": {"box": {"size": [1, 0.2, 0.2], "cells": [5, 1, 1]}},
      "damping": [{"model": "rayleigh", "alpha": 0.3, "beta": 0.01},
                  {"model": "strain-rate", "psi": 30, "phi": 20}],
      "initial": {"velocity": [0, 0.5, 0.3]},
      "pin": [{"box": {"min": [-0.51, -1, -1], "max": [-0.49, 1, 1]}, "motion": {"velocity": [0.2, 0.4, 0]},
               "until": 0.2}]}],
    "forces": [{"point": {"body": "bar", "box": {"min": [0.49, -1, -1], "max": [0.51, 1, 1]}, "force": [3, 1, 2]}}],
    "probes": [{"name": "tip", "body": "bar", "point": [0.5, 0.1, 0.1]}]
  })")
      .patch(Json::parse(R"([{"op": "add", "path": "/integrator", "value": ")" + integrator +
                         R"("}])"));
}
inline std::vector<std::string> ten_parameters() {
  return {
      "materials.jelly.young",       "materials.jelly.poisson",          "materials.jelly.density",
      "bodies.0.damping.0.alpha",    "bodies.0.damping.0.beta",          "bodies.0.damping.1.psi",
      "bodies.0.initial.velocity.1", "bodies.0.pin.0.motion.velocity.1", "gravity.1",
      "forces.0.point.force.0"};
}

// A bar that falls onto a floor and onto another one that lies there.
inline Json falling_bar(const std::string& integrator) {
  return Json::parse(R"({
    "time": {"dt": 0.01, "duration": 0.25},
    "gravity": [0, -9.81, 0],
    "solver": {"tolerance": 1e-12},
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 2e5, "poisson": 0.3, "density": 1000}},
    "bodies": [
      {"name": "bar", "material": "jelly", "mesh": {"box": {"size": [0.6, 0.2, 0.2], "cells": [3, 1, 1]}},
       "damping": [{"model": "rayleigh", "alpha": 0.1, "beta": 0.005}],
       "transform": {"rotate": [3, 10, 12], "translate": [0.02, 0.45, 0.013]},
       "initial": {"velocity": [0.3, -1.5, 0.1]}},
      {"name": "base", "material": "jelly", "mesh": {"box": {"size": [0.5, 0.1, 0.5], "cells": [2, 1, 2]}},
       "damping": [{"model": "strain-rate", "psi": 100}],
       "transform": {"translate": [0, 0.056, 0]}}],
    "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
    "contact": {"method": "barrier", "distance": 0.01, "energy_guard": false},
    "probes": [{"name": "tip", "body": "bar", "point": [0.3, 0.5, 0.1]}]
  })")
      .patch(Json::parse(R"([{"op": "add", "path": "/integrator", "value": ")" + integrator +
                         R"("}])"));
}
inline std::vector<std::string> parameters_of_the_fall() {
  return {"materials.jelly.young",         "materials.jelly.poisson",     "materials.jelly.density",
          "bodies.0.damping.0.alpha",      "bodies.0.damping.0.beta",     "bodies.1.damping.0.psi",
          "bodies.0.initial.velocity.0",   "bodies.0.initial.velocity.1", "gravity.1",
          "bodies.0.transform.translate.1"};
}

// Σ of the squares of where a node far from the middle is and how fast, with other weights for
// every axis and every step: nothing cancels by symmetry.
inline Objective everywhere(const BuiltScene& built) {
  const Index node_count = built.model.bodies[0].mesh.point_count();
  return
      [node_count](const ObjectivePoint& point, std::span<double> q_bar, std::span<double> v_bar) {
        double sum = 0;
        for (const Index n : {Index{0}, node_count - 1})
          for (int axis = 0; axis < 3; ++axis) {
            const std::size_t i = 3 * static_cast<std::size_t>(n) + static_cast<std::size_t>(axis);
            const double w = 1 + 0.3 * axis + 0.05 * static_cast<double>(point.step),
                         away = point.q[i] - 0.1 * (axis + 1);
            sum += 0.5 * w * away * away;
            q_bar[i] += w * away;
            if (point.step != point.steps) continue;
            sum += 0.05 * point.v[i] * point.v[i];
            v_bar[i] += 0.1 * point.v[i];
          }
        return sum;
      };
}

}  // namespace pliant::test
