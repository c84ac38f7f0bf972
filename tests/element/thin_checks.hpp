// What the tests of cloth and cables share: a term with its pattern, and positions scattered about.
#pragma once

#include <pliant/term/term.hpp>

#include "support/beams.hpp"
#include "support/term_checks.hpp"

namespace pliant::test {

struct ThinSample {
  std::unique_ptr<Term> term;
  std::shared_ptr<const BlockPattern> pattern;
  Vector rest;
};

template <class Made>
ThinSample locate(std::unique_ptr<Made> term, std::span<const Vec3> points) {
  ThinSample s;
  s.term = std::move(term);
  PatternBuilder builder(static_cast<Index>(points.size()));
  s.term->add_stencils(builder);
  s.pattern = std::make_shared<const BlockPattern>(builder.build());
  s.term->locate(s.pattern);
  s.rest.resize(3 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t n = 0; n < points.size(); ++n)
    s.rest.segment<3>(3 * static_cast<Eigen::Index>(n)) = points[n];
  return s;
}

// Force and tangent against differences, the projection, and no force or torque on the whole.
inline void expect_consistent(const ThinSample& s, double scatter, double h, double tolerance) {
  BlockMatrix A(s.pattern);
  for (int seed = 1; seed <= 3; ++seed) {
    Point x;
    x.q = s.rest + random_vector(s.rest.size(), scatter, static_cast<unsigned>(seed));
    x.v = Vector::Zero(x.q.size());
    const Vector d = random_vector(x.q.size(), 1, static_cast<unsigned>(10 + seed));
    expect_force_is_gradient(*s.term, x, d, h, tolerance);
    expect_tangent_is_derivative(*s.term, x, d, h, tolerance, A);
    const Configuration c{0, view(x.q), view(x.v), nullptr};
    A.set_zero();
    s.term->add_tangent(c, {.stiffness = 1, .projection = Projection::psd}, A);
    Vector Ad(d.size());
    A.multiply(view(d), view(Ad));
    EXPECT_GE(d.dot(Ad), -1e-9 * Ad.norm() * d.norm());
    const Vector f = force_of(*s.term, c, x.q.size());
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Eigen::Index n = 0; n < f.size() / 3; ++n) {
      force += f.segment<3>(3 * n);
      torque += Vec3(x.q.segment<3>(3 * n)).cross(Vec3(f.segment<3>(3 * n)));
    }
    EXPECT_LT(force.norm(), 1e-10 * f.norm());
    EXPECT_LT(torque.norm(), 1e-10 * f.norm() * x.q.norm());
  }
}

}  // namespace pliant::test
