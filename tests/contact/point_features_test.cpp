// Triangles near a point, less what their edges and corners count twice, leave one part in all:
// also where three sheets meet in an edge, or two in a corner alone.
#include <pliant/contact/contact_set.hpp>
#include <pliant/contact/point_features.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

struct Sheets {
  Vector q;
  ContactSurface surface;
  std::vector<CandidatePair> pairs;

  Sheets(const std::vector<Vec3>& corners, const std::vector<std::array<Index, 3>>& triangles) {
    const auto n = static_cast<Index>(corners.size());
    q.resize(3 * (n + 1));
    for (Index k = 0; k < n; ++k) node(view(q), k) = corners[static_cast<std::size_t>(k)];
    surface.add_points({.name = "point"}, std::array<Index, 1>{n});
    surface.add({.name = "sheets"}, {.triangles = triangles, .edges = unique_edges(triangles)}, 0,
                view(q));
    surface.finish();
    for (std::size_t t = 0; t < triangles.size(); ++t) pairs.push_back({0, static_cast<Index>(t)});
  }
  // At a place, of what is nearer than delta; range: of its whole barrier, not of its guard.
  std::vector<PointFeature> near(const Vec3& place, double delta) {
    q.tail<3>() = place;
    PointFeatures::Lists lists;
    const PointFeatures found(surface, delta, pairs, view(q), lists);
    std::vector<PointFeature> out;
    for (const PointFeature& feature : found.features())
      if (feature.range == 1) out.push_back(feature);
    return out;
  }
  double smallest(const Vec3& place) {
    q.tail<3>() = place;
    PointFeatures::Lists lists;
    return PointFeatures(surface, 100, pairs, view(q), lists).smallest_gap();
  }
};

void expect_one_part(Sheets sheets) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> within(-2, 2);
  for (int k = 0; k < 300; ++k) {
    const Vec3 place(within(random), within(random), within(random));
    // All of it: what is contractible counts once, by Euler's formula.
    double sum = 0;
    for (const PointFeature& feature : sheets.near(place, 100)) sum += feature.weight;
    EXPECT_EQ(sum, 1);
    // The nearest part alone.
    const auto nearest = sheets.near(place, (1 + 1e-9) * sheets.smallest(place));
    ASSERT_EQ(nearest.size(), 1u) << place.transpose();
    EXPECT_EQ(nearest.front().weight, 1);
  }
}

TEST(PointFeatures, LeaveOnePartOfASheet) {
  expect_one_part({{{-1, 0, -1}, {1, 0, -1}, {1, 0.3, 1}, {-1, 0, 1}, {0, 0.5, 0}},
                   {{0, 4, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 0}}});
}

TEST(PointFeatures, LeaveOnePartWhereThreeSheetsShareAnEdge) {
  expect_one_part({{{-1, 0, 0}, {1, 0, 0}, {0, 1, 1}, {0, 1, -1}, {0, -1, 0}},
                   {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}});
}

TEST(PointFeatures, LeaveOnePartWhereTwoSheetsShareACorner) {
  expect_one_part({{{0, 0, 0}, {1, 0, 0.3}, {1, 0.2, -0.4}, {-1, 0.1, 0.4}, {-1, 0, -0.3}},
                   {{0, 1, 2}, {0, 3, 4}}});
}

TEST(ContactSurface, AnObstacleThatBendsHasNoFlatParts) {
  Vector q(15);
  q << -1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, 0, 0;
  const std::vector<std::array<Index, 3>> triangles = {{0, 4, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 0}};
  for (const bool bends : {false, true}) {
    ContactSurface surface;
    surface.add({.name = "sheet", .obstacle = true, .bends = bends},
                {.triangles = triangles, .edges = unique_edges(triangles)}, 0, view(q));
    surface.finish();
    EXPECT_EQ(std::count(surface.flat_edge.begin(), surface.flat_edge.end(), 1), bends ? 0 : 4);
    EXPECT_EQ(std::count(surface.flat_point.begin(), surface.flat_point.end(), 1), bends ? 0 : 1);
  }
}

}  // namespace
}  // namespace pliant
