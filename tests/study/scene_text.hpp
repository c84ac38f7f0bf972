// A small scene with a loader, as the command line has it.
#pragma once

#include <pliant/run/vocabulary.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>
#include <pliant/study/scene_loader.hpp>

#include <nlohmann/json.hpp>

namespace pliant::test {

// A soft bar let go under gravity: hω stays below one at the steps of the tests.
inline StudyScene load_bar(const std::vector<std::string>& settings) {
  Json document = parse_json(R"json({
    "time": {"dt": 0.02, "duration": 0.16},
    "materials": {"m": {"model": "stable-neo-hookean", "young": 1e4, "poisson": 0.3}},
    "bodies": [{"name": "bar", "mesh": {"box": {"size": [4, 2, 2], "cells": [2, 1, 1]}}, "material": "m",
                "pin": [{"box": {"min": [-3, -2, -2], "max": [-1.9, 2, 2]}}]}],
    "probes": [{"name": "tip", "body": "bar", "point": [2, 1, 1]}]})json",
                             "bar.json");
  for (const std::string& setting : settings) apply_setting(document, setting);
  const Json resolved = resolve(document, built_vocabulary(), "bar.json");
  return {describe(resolved, {}, "bar.json"), pretty(resolved), "bar"};
}

}  // namespace pliant::test
