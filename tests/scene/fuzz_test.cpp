// Scenes damaged at random: each is either read or refused with an InputError, never anything else.
#include <pliant/scene/description.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/setting.hpp>

#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <random>

#include "scene/example.hpp"

namespace pliant {
namespace {

enum class Outcome { read, refused };

Outcome read(const std::string& text, const Vocabulary& vocabulary) {
  try {
    const Json scene = parse_json(text, "scene.json");
    const Json complete = resolve(scene, vocabulary);
    const SceneDescription description = describe(complete, ".");
    EXPECT_FALSE(description.bodies.empty());
    EXPECT_EQ(resolve(complete, vocabulary), complete);
    return Outcome::read;
  } catch (const InputError& error) {
    EXPECT_GT(std::string(error.what()).size(), 10u);
    EXPECT_LT(std::string(error.what()).size(), 10000u);
    return Outcome::refused;
  }
}

struct Random {
  std::mt19937 engine;
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine);
  }
};

const char* const pieces[] = {"{",   "}",        "[",       "]",    ",",
                              ":",   "\"",       "null",    "true", "-1",
                              "0",   "1e400",    "1e-400",  "NaN",  "[]",
                              "{}",  "\"auto\"", "1e308",   "-0.5", "9999999999999999999",
                              "/*",  "//",       "\\u0000", "\xff", "\"x\": 1,",
                              "4.5", "\"box\"",  "\n"};

std::string damaged_text(std::string text, Random& random) {
  const std::size_t edits = 1 + random.below(3);
  for (std::size_t k = 0; k < edits; ++k) {
    const std::size_t at = random.below(text.size()),
                      length = std::min(random.below(12), text.size() - at);
    switch (random.below(5)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, pieces[random.below(std::size(pieces))]);
        break;
      case 3:
        text.replace(at, length, pieces[random.below(std::size(pieces))]);
        break;
      default:
        text.insert(at, text.substr(random.below(text.size()), 30));
        break;
    }
  }
  return random.below(10) == 0 ? text.substr(0, random.below(text.size())) : text;
}

// Damage that keeps the JSON sound, so that it reaches the schema and beyond.
Json damaged_tree(const Json& scene, Random& random) {
  const Json flat = scene.flatten();
  const auto pointer_of = [&](std::size_t k) {
    Json::json_pointer at(std::next(flat.begin(), static_cast<std::ptrdiff_t>(k)).key());
    for (std::size_t up = random.below(3); up > 0 && !at.parent_pointer().empty(); --up)
      at = at.parent_pointer();
    return at;
  };
  const char* const values[] = {"null",
                                "-1",
                                "0",
                                "1",
                                "2.5",
                                "1e300",
                                "\"jelly\"",
                                "\"\"",
                                "[]",
                                "{}",
                                "true",
                                "[1, 2, 3]",
                                "[[0, 1, 2, 3], [0, 1, 2, 3]]",
                                "{\"all\": true}",
                                "\"x + y\""};
  Json out = scene;
  const Json::json_pointer at = pointer_of(random.below(flat.size()));
  Json& parent = out.at(at.parent_pointer());
  switch (random.below(4)) {
    case 0:
      out[at] = Json::parse(values[random.below(std::size(values))]);
      break;
    case 1:
      out[at] = scene.at(pointer_of(random.below(flat.size())));
      break;
    case 2:
      if (parent.is_object())
        parent.erase(at.back());
      else
        parent.erase(parent.begin());
      break;
    default:
      if (parent.is_object())
        parent[at.back() + "x"] = out.at(at);
      else
        parent.push_back(parent[0]);
  }
  return out;
}

TEST(SceneFuzz, DamagedTextIsReadOrRefused) {
  Random random{std::mt19937(20240501)};
  const Vocabulary vocabulary = test::example_vocabulary();
  int refused = 0;
  for (int k = 0; k < 600; ++k)
    refused += read(damaged_text(k % 2 ? test::full_scene() : test::small_scene(), random),
                    vocabulary) == Outcome::refused;
  EXPECT_GT(refused, 300);
}

TEST(SceneFuzz, DamagedTreesAreReadOrRefused) {
  Random random{std::mt19937(20240502)};
  const Vocabulary vocabulary = test::example_vocabulary();
  const Json scene = parse_json(test::full_scene(), "t");
  int refused = 0;
  for (int k = 0; k < 600; ++k)
    refused += read(damaged_tree(scene, random).dump(), vocabulary) == Outcome::refused;
  EXPECT_GT(refused, 300);
  EXPECT_LT(refused, 600);  // some changes are harmless
}

TEST(SceneFuzz, DamagedSettingsAreTakenOrRefused) {
  Random random{std::mt19937(20240503)};
  const Json scene = parse_json(test::full_scene(), "t");
  for (int k = 0; k < 600; ++k) {
    Json edited = scene;
    try {
      apply_setting(edited, damaged_text("bodies.0.mesh.box.cells=[4, 1, 1]", random));
      EXPECT_FALSE(edited.dump().empty());
    } catch (const InputError&) {
      EXPECT_EQ(edited, scene);
    }
  }
}

}  // namespace
}  // namespace pliant
