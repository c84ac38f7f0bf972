// Parts of a graph for a coarse level.
#include <pliant/mesh/generators.hpp>
#include <pliant/sparse/graph_parts.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

BlockPattern pattern_of_all(const std::vector<Mesh>& meshes) {
  Index nodes = 0;
  std::vector<Index> elements;
  for (const Mesh& mesh : meshes) {
    for (const Index n : mesh.blocks[0].nodes) elements.push_back(nodes + n);
    nodes += mesh.point_count();
  }
  PatternBuilder builder(nodes);
  builder.add(elements, 4);
  return builder.build();
}

// How many nodes hang together with the first node of a part, within the part.
std::size_t reached(const BlockPattern& pattern, const GraphParts& parts, Index a) {
  std::vector<Index> walk = {parts.node[static_cast<std::size_t>(parts.start[a])]};
  std::vector<char> seen(static_cast<std::size_t>(pattern.rows), 0);
  seen[static_cast<std::size_t>(walk[0])] = 1;
  for (std::size_t k = 0; k < walk.size(); ++k)
    for (Index e = pattern.row_start[walk[k]]; e < pattern.row_start[walk[k] + 1]; ++e) {
      const Index n = pattern.column[e];
      if (parts.part[n] != a || seen[n]) continue;
      seen[n] = 1;
      walk.push_back(n);
    }
  return walk.size();
}

TEST(GraphParts, CoverEveryNodeOnceInPiecesThatHangTogether) {
  const Mesh beam = make_box({.size = Vec3(8, 1, 1), .cells = {32, 4, 4}});
  const BlockPattern pattern = pattern_of_all({beam, beam});
  const GraphParts parts = part_graph(pattern, 64, 1);
  ASSERT_EQ(parts.node.size(), static_cast<std::size_t>(pattern.rows));
  EXPECT_GT(parts.count(), pattern.rows / 64);
  EXPECT_LT(parts.count(), pattern.rows / 20);
  for (Index a = 0; a < parts.count(); ++a) {
    const Index begin = parts.start[a], end = parts.start[a + 1];
    EXPECT_LE(end - begin, 64);
    EXPECT_EQ(reached(pattern, parts, a), static_cast<std::size_t>(end - begin)) << a;
    for (Index k = begin; k < end; ++k) EXPECT_EQ(parts.part[parts.node[k]], a);
    // No part has nodes of both bodies.
    const Index body = pattern.rows / 2;
    EXPECT_EQ(parts.node[begin] < body, parts.node[end - 1] < body);
  }
}

TEST(GraphParts, LeaveOutWhatIsTooSmall) {
  const Mesh beam = make_box({.size = Vec3(8, 1, 1), .cells = {8, 2, 2}});
  const Mesh grain = make_box({.size = Vec3(1, 1, 1), .cells = {1, 1, 1}});
  const BlockPattern pattern = pattern_of_all({beam, grain});
  const GraphParts parts = part_graph(pattern, 1000, 9);
  EXPECT_EQ(parts.count(), 1);
  EXPECT_EQ(parts.start[1], beam.point_count());
  for (Index n = 0; n < pattern.rows; ++n)
    EXPECT_EQ(parts.part[n], n < beam.point_count() ? 0 : -1);
}

}  // namespace
}  // namespace pliant
