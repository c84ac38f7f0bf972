// Surfaces near each other, of all kinds, for tests that look for pairs.
#pragma once

#include <pliant/contact/contact_surface.hpp>
#include <pliant/mesh/generators.hpp>

#include <random>

namespace pliant::test {

// Two boxes beside each other, an obstacle ball and an obstacle capsule among them, all shaken.
struct Heap {
  ContactSurface surface;
  Vector q, dq;
  Vector rest;  // before all was shaken: nothing meets anything

  explicit Heap(unsigned seed) {
    const Mesh box = make_box({Vec3(1, 1, 1), {3, 3, 3}, ElementType::hex8});
    std::vector<Vec3> nodes;
    for (const double x : {0.0, 1.15})
      for (const Vec3& p : box.points) nodes.push_back(p + Vec3(x, 0.1 * x, 0));
    for (const Vec3& p : {Vec3(0.5, 0.8, 0), Vec3(-0.9, 0, -0.5), Vec3(-0.9, 0, 0.5)})
      nodes.push_back(p);
    q.resize(3 * static_cast<Eigen::Index>(nodes.size()));
    for (std::size_t n = 0; n < nodes.size(); ++n) node(view(q), static_cast<Index>(n)) = nodes[n];
    rest = q;
    const Surface boundary = make_surface(box);
    const Index n = box.point_count();
    surface.add({.name = "a", .modulus = 1e5}, boundary, 0, view(q));
    surface.add({.name = "b", .modulus = 1e5, .self = false}, boundary, n, view(q));
    const std::array<Index, 1> ball = {2 * n};
    surface.add_points({.name = "ball", .radius = 0.2, .obstacle = true}, ball);
    const std::array<std::array<Index, 2>, 1> rod = {{{2 * n + 1, 2 * n + 2}}};
    surface.add_edges({.name = "rod", .radius = 0.3, .obstacle = true}, rod, view(q));
    surface.finish();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> pick(-0.15, 0.15);
    dq.resize(q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] += pick(random), dq[i] = pick(random);
  }

  double radius(Index patch) const {
    return surface.patches[static_cast<std::size_t>(patch)].radius;
  }
};

}  // namespace pliant::test
