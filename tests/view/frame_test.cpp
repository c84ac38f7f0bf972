// Frames and surfaces in the protocol's binary form, against its description.
#include <pliant/mesh/generators.hpp>
#include <pliant/view/frame.hpp>
#include <pliant/view/guard.hpp>
#include <pliant/view/history_text.hpp>
#include <pliant/view/live_feed.hpp>
#include <pliant/view/viewed_surface.hpp>

#include "client.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace pliant {
namespace {

ViewedSurface draw_box(ElementType element) {
  const Mesh mesh = make_box({.size = Vec3(2, 1, 1), .cells = {2, 1, 1}, .element = element});
  const Surface surface = make_surface(mesh);
  const SurfacePart part{&mesh, &surface, 0};
  const BodyNodes body{"box", 0, mesh.point_count()};
  return make_viewed_surface({&part, 1}, {&body, 1});
}

TEST(ViewedSurface, OfHexahedraHasNoDiagonalsInItsWireframe) {
  const ViewedSurface surface = draw_box(ElementType::hex8);
  EXPECT_EQ(surface.vertices(), 12u);
  EXPECT_EQ(surface.triangles.size(), 20u);  // ten quadrilaterals
  EXPECT_EQ(surface.edges.size(), 20u);      // twelve of each cube, four shared
  for (const auto& [a, b] : surface.edges) {
    int along = 0;  // axes on which the ends differ
    for (std::size_t i = 0; i < 3; ++i) along += surface.rest[3 * a + i] != surface.rest[3 * b + i];
    EXPECT_EQ(along, 1);
  }
}

// A cable of two segments is a part of its body, with the values of its nodes; a spring is none.
TEST(ViewedSurface, HasCablesAmongItsBodiesAndThreadsBehindAll) {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  mesh.blocks.push_back({ElementType::segment2, {0, 1, 1, 2}, {0, 0}});
  const Surface none;
  const SurfacePart part{&mesh, &none, 0};
  const BodyNodes body{"rope", 0, 3};
  std::vector<Vec3> centres = mesh.points;
  centres.insert(centres.end(), {Vec3(2, 0, 0), Vec3(2, 1, 0)});
  const Tubes tubes({{ThreadKind::cable, {0, 1, 2}, 0.1, 0}, {ThreadKind::spring, {3, 4}, 0, -1}},
                    1);
  const std::vector<Vec3> vertices = tubes.vertices(centres);
  ViewedSurface surface = make_viewed_surface({&part, 1}, {&body, 1}, {&tubes, vertices});
  add_obstacles({}, surface);
  add_threads({&tubes, vertices}, surface);
  EXPECT_EQ(surface.body_vertices(), 3 * 12 + 2u);
  EXPECT_EQ(surface.vertices(), vertices.size());
  EXPECT_EQ(surface.triangles.size(), tubes.triangles().size());
  EXPECT_EQ(surface.bodies[0].vertices, surface.body_vertices());
  EXPECT_EQ(surface.body[0], 0u);
  EXPECT_EQ(surface.body.back(), kFirstThread + 1);
  for (const std::uint32_t n : surface.triangles.back()) EXPECT_GE(n, surface.body_vertices());
  std::vector<float> values(surface.body_vertices());
  surface.to_vertices(std::vector<double>{1, 3}, values);
  EXPECT_EQ(values[0], 1);   // of the first segment alone
  EXPECT_EQ(values[12], 2);  // in the middle
  EXPECT_EQ(values[24], 3);
  std::vector<float> positions;
  place_tubes(surface, vertices, positions);
  EXPECT_EQ(positions, surface.rest);
}

TEST(ViewedSurface, HasObstaclesBehindItsBodies) {
  ViewedSurface surface = draw_box(ElementType::hex8);
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1},
                                    {5, 0, 0}, {6, 0, 0}, {5, 0, 1}};
  const std::vector<std::array<Index, 3>> triangles = {{0, 1, 2}, {3, 4, 5}};
  add_obstacles({points, triangles, {0, 3}}, surface);
  EXPECT_EQ(surface.vertices(), 18u);
  EXPECT_EQ(surface.body_vertices(), 12u);
  EXPECT_EQ(surface.bodies.size(), 1u);
  EXPECT_EQ(surface.edges.size(), 20u);
  EXPECT_EQ(surface.body[11], 0u);
  EXPECT_EQ(surface.body[12], 1u);
  EXPECT_EQ(surface.body[15], 2u);
  EXPECT_EQ(surface.triangles.back(), (std::array<std::uint32_t, 3>{15, 16, 17}));
  EXPECT_EQ(surface.rest[3 * 16], 6);
  // The range of a field stays that of the bodies.
  std::vector<float> values(12, 0.75f);
  surface.extend(values);
  EXPECT_EQ(values, std::vector<float>(18, 0.75f));
}

TEST(ViewedSurface, OfQuadraticTetrahedraDrawsHalvesOfTheirEdges) {
  const ViewedSurface linear = draw_box(ElementType::tet4),
                      quadratic = draw_box(ElementType::tet10);
  EXPECT_EQ(quadratic.triangles.size(), 4 * linear.triangles.size());
  EXPECT_EQ(quadratic.edges.size(), 2 * linear.edges.size());
}

TEST(ViewedSurface, KeepsToTheBoundaryAndAveragesTheCellsAround) {
  const Mesh mesh =
      make_box({.size = Vec3(3, 3, 3), .cells = {3, 3, 3}, .element = ElementType::hex8});
  const Surface boundary = make_surface(mesh);
  const SurfacePart part{&mesh, &boundary, 0};
  const BodyNodes body{"box", 0, mesh.point_count()};
  const ViewedSurface surface = make_viewed_surface({&part, 1}, {&body, 1});
  EXPECT_EQ(surface.vertices(), 64u - 8u);
  std::vector<double> cells(27, 1.0);
  std::vector<float> out(surface.vertices());
  surface.to_vertices(cells, out);
  for (const float value : out) EXPECT_EQ(value, 1);
  cells[0] = 9;  // at a corner, which belongs to it alone; at its neighbours with one more cell
  surface.to_vertices(cells, out);
  EXPECT_EQ(*std::max_element(out.begin(), out.end()), 9);
  EXPECT_EQ(std::count(out.begin(), out.end(), 5.0f), 3);
}

TEST(ViewedSurface, IsWrittenAsTheProtocolSays) {
  const ViewedSurface surface = draw_box(ElementType::hex8);
  const std::string bytes = encode_surface(surface);
  std::uint32_t head[6];
  std::memcpy(head, bytes.data(), sizeof head);
  EXPECT_EQ(bytes.substr(0, 4), "PLTS");
  EXPECT_EQ(head[1], 1u);
  EXPECT_EQ(head[2], 12u);
  EXPECT_EQ(head[3], 20u);
  EXPECT_EQ(head[4], 1u);
  EXPECT_EQ(head[5], 20u);
  EXPECT_EQ(bytes.size(), 24u + 4 * (3 * 12 + 3 * 20 + 12 + 2 * 20) + 12);
  float first[3];
  std::memcpy(first, bytes.data() + 24, sizeof first);
  EXPECT_EQ(first[0], surface.rest[0]);
}

Frame random_frame(std::mt19937& random, std::size_t vertices) {
  std::uniform_real_distribution<float> number(-1, 1);
  Frame frame;
  for (std::size_t k = 0; k < 3 * vertices; ++k) frame.positions.push_back(number(random));
  for (std::size_t k = 0; k < vertices; ++k) frame.fields[2].push_back(number(random));
  return frame;
}

TEST(Frames, InPartsGiveExactlyTheWholeOnes) {
  std::mt19937 random(7);
  constexpr std::size_t vertices = 40;
  Frame before = random_frame(random, vertices);
  test::DecodedFrame held =
      *test::decode_frame(encode_frame(before, {0, 0, Field::stress}, nullptr));
  std::uniform_int_distribution<std::size_t> pick(0, vertices - 1);
  int parts = 0;
  for (std::uint32_t k = 1; k < 50; ++k) {
    Frame frame = before;
    const Frame other = random_frame(random, vertices);
    for (std::size_t moved = 0; moved < k; ++moved) {
      const std::size_t v = pick(random);
      for (std::size_t i = 0; i < 3; ++i) frame.positions[3 * v + i] = other.positions[3 * v + i];
      const std::size_t w = pick(random);
      frame.fields[2][w] = other.fields[2][w];
    }
    const auto got = test::decode_frame(encode_frame(frame, {0, k, Field::stress}, &before));
    ASSERT_TRUE(got);
    if ((got->flags & 1) != 0) {
      held = *got;
    } else {
      ++parts;
      for (std::size_t j = 0; j < got->count; ++j) {
        held.values[got->indices[j]] = got->values[j];
        for (std::size_t i = 0; i < 3; ++i)
          held.positions[3 * got->indices[j] + i] = got->positions[3 * j + i];
      }
    }
    EXPECT_EQ(held.positions, frame.positions);
    EXPECT_EQ(held.values, frame.fields[2]);
    EXPECT_EQ(got->smallest, *std::min_element(frame.fields[2].begin(), frame.fields[2].end()));
    before = frame;
  }
  EXPECT_GT(parts, 10);
}

TEST(Frames, OfAnotherFieldOrSurfaceAreWhole) {
  std::mt19937 random(3);
  const Frame frame = random_frame(random, 10), small = random_frame(random, 9);
  Frame plain = frame;
  plain.fields[2].clear();
  EXPECT_EQ(test::decode_frame(encode_frame(frame, {0, 0, Field::stress}, &plain))->flags, 3u);
  EXPECT_EQ(test::decode_frame(encode_frame(frame, {}, &small))->flags, 1u);
  EXPECT_EQ(test::decode_frame(encode_frame(frame, {}, &frame))->count, 0u);
  EXPECT_EQ(test::decode_frame(encode_frame(plain, {0, 0, Field::det}, nullptr))->field, 0u);
}

TEST(History, IsThinnedWithItsEndsAndWithoutATornLine) {
  std::string text = "step,time,\"a,b\"\n";
  for (int k = 0; k < 12000; ++k) text += std::to_string(k) + ",0.5,\n";
  const Json history = thinned_history(text + "12000,0.");
  EXPECT_EQ(history.at("columns"), Json({"step", "time", "a,b"}));
  EXPECT_LE(history.at("rows").size(), kMostRows);
  EXPECT_GT(history.at("rows").size(), kMostRows / 2);
  EXPECT_EQ(history.at("rows").front(), Json({0, 0.5, nullptr}));
  EXPECT_EQ(history.at("rows").back().at(0), 11999);
  EXPECT_TRUE(thinned_history("").at("rows").empty());
}

TEST(LiveFeed, StaysBoundedHoweverLongTheRun) {
  LiveFeed feed;
  Seen idle, quick;
  feed.news(idle);
  feed.news(quick);
  for (int k = 0; k < 100000; ++k) {
    HistoryRow row;
    row.step = k;
    feed.add_row(row);
  }
  const Json rows = feed.history_rows();
  EXPECT_LE(rows.size(), kMostRows + 1);
  EXPECT_GT(rows.size(), kMostRows / 4);
  EXPECT_EQ(rows.back().at(0), 99999);
  for (std::size_t k = 1; k < rows.size(); ++k)
    EXPECT_LT(rows[k - 1].at(0).get<int>(), rows[k].at(0).get<int>());
  std::size_t sent = 0;
  for (;;) {
    const std::vector<std::string> news = feed.news(idle);
    if (news.empty()) break;
    for (const std::string& text : news)
      sent += Json::parse(text).value("rows", Json::array()).size();
  }
  EXPECT_GT(sent, 1000u);
  EXPECT_LT(sent, 10000u) << "a page that slept gets the newest rows, not all";
}

TEST(Guard, ReadsQueriesAndHosts) {
  EXPECT_EQ(query_value("/x?a=1&token=t%20&b=", "token"), "t%20");
  EXPECT_EQ(query_value("/x?mytoken=1", "token"), "");
  EXPECT_EQ(query_value("/x", "token"), "");
  EXPECT_TRUE(is_loopback("127.5.5.5"));
  EXPECT_FALSE(is_loopback("128.0.0.1"));
  const HostRule abroad{"box.example", false, 80};
  EXPECT_TRUE(host_allowed("box.example", abroad));
  EXPECT_TRUE(host_allowed("10.1.2.3:80", abroad));
  EXPECT_TRUE(host_allowed("[fe80::1]", abroad));
  EXPECT_FALSE(host_allowed("evil.example", abroad));
  EXPECT_FALSE(host_allowed("[::1", abroad));
  EXPECT_NE(make_token(), make_token());
}

}  // namespace
}  // namespace pliant
