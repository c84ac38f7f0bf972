// Shapes and checks that several mesh tests share.
#pragma once

#include <pliant/core/error.hpp>
#include <pliant/core/log.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/surface.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numbers>
#include <set>

namespace pliant::test {

// A generated shape together with what geometry says about it.
struct RoundShape {
  std::string name;
  std::function<Mesh(double size, ElementType)> make;
  double volume;  // m³, exact
  double area;    // m², exact
};

inline std::vector<RoundShape> round_shapes() {
  constexpr double pi = std::numbers::pi;
  return {
      {"sphere",
       [](double h, ElementType t) {
         return make_sphere({1, h, t});
       },
       4 * pi / 3, 4 * pi},
      {"cylinder",
       [](double h, ElementType t) {
         return make_cylinder({1, 2, h, t});
       },
       2 * pi, 6 * pi},
      {"capsule",
       [](double h, ElementType t) {
         return make_capsule({1, 2, h, t});
       },
       4 * pi / 3 + 2 * pi, 8 * pi},
      {"torus",
       [](double h, ElementType t) {
         return make_torus({2.5, 1, h, t});
       },
       2 * pi * pi * 2.5, 4 * pi * pi * 2.5},
  };
}

inline std::vector<ElementType> solid_types() {
  return {ElementType::tet4, ElementType::tet10, ElementType::hex8};
}

// A second, slow way to count how many elements share each face: a map from sorted corners. Returns
// counts by number of sharers; anything but 1 and 2 is a fault.
inline std::map<int, int> face_sharing(const Mesh& mesh) {
  static const std::vector<std::vector<int>> tet = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}};
  static const std::vector<std::vector<int>> hex = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  std::map<std::set<Index>, int> sharers;
  for (const ElementBlock& block : mesh.blocks)
    for (Index e = 0; e < block.size(); ++e)
      for (const auto& face : block.type == ElementType::hex8 ? hex : tet) {
        std::set<Index> corners;
        for (const int k : face) corners.insert(block.element(e)[static_cast<std::size_t>(k)]);
        ++sharers[corners];
      }
  std::map<int, int> counts;
  for (const auto& [face, count] : sharers) ++counts[count];
  return counts;
}

// The triangles of a solid's surface as a mesh of their own.
inline Mesh skin_of(const Mesh& solid) {
  Mesh skin;
  skin.points = solid.points;
  ElementBlock block{ElementType::tri3, {}, {}};
  for (const auto& t : make_surface(solid).triangles)
    block.nodes.insert(block.nodes.end(), t.begin(), t.end());
  block.region.assign(static_cast<std::size_t>(block.size()), 0);
  skin.blocks.push_back(block);
  return skin;
}

// Collects what is logged.
struct Listener {
  std::vector<LogEntry> entries;
  Log log{[this](const LogEntry& entry) { entries.push_back(entry); }};
};

template <class E, class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace pliant::test
