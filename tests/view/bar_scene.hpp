// A soft bar held at one end, as a scene with its source.
#pragma once

#include <pliant/view/live_scene.hpp>

namespace pliant::test {

inline SceneSource bar_source(double duration = 0.5) {
  Json document = parse_json(R"json({
    "name": "bar", "time": {"dt": 0.01, "duration": 1, "output_dt": 0.02}, "integrator": "be",
    "materials": {"m": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.3}},
    "bodies": [{"name": "bar", "mesh": {"box": {"size": [4, 1, 1], "cells": [4, 1, 1], "element": "hex8"}},
                "material": "m", "pin": [{"box": {"min": [-3, -2, -2], "max": [-1.9, 2, 2]}}]}],
    "probes": [{"name": "tip", "body": "bar", "point": [2, 0, 0]}]})json",
                             "bar.json");
  document["time"]["duration"] = duration;
  return {document, "bar.json", {}};
}

}  // namespace pliant::test
