// `--vary integrator=be,sdirk2 --vary time.dt=0.01,0.005`: every combination of the values.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace pliant {

struct Variation {
  std::string path;
  std::vector<std::string> values;  // as JSON, or words
};

struct Combination {
  std::vector<std::string> settings;  // key.path=value, one for each variation
  std::string label;                  // for legends: "sdirk2, dt = 0.01"
  std::string folder;                 // a name for its results: "integrator=sdirk2,time.dt=0.01"
};

// The text as a name that files may have everywhere: other characters become "_".
std::string plain_name(const std::string& text);

// Splits at commas outside brackets and quotes, so that JSON values stay whole.
std::vector<std::string> split_values(const std::string& text);

// Throws InputError where there is no key, no value or a value twice.
Variation parse_variation(const std::string& text);

// The last variation changes fastest. Throws InputError where a key is varied twice.
std::vector<Combination> combine(std::span<const Variation> variations);

}  // namespace pliant
