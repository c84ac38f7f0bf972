// A manufactured solution of linear elasticity on a cube: with displacement u and body force
// b = −div σ(u), the error of the finite-element solution falls at the order of the element.
#include <pliant/element/shapes.hpp>
#include <pliant/material/law.hpp>
#include <pliant/solve/linear_solver.hpp>

#include "support/beams.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

const double kYoung = 1e5, kPoisson = 0.3;

// u = (S, 2S, −S) with S = cos πx cos πy cos πz, zero on the boundary of the unit cube about 0.
double S(const Vec3& x) {
  return std::cos(M_PI * x[0]) * std::cos(M_PI * x[1]) * std::cos(M_PI * x[2]);
}
const Vec3 kDirection(1, 2, -1);
Vec3 exact(const Vec3& x) { return S(x) * kDirection; }

// b = −μ Δu − (λ + μ) ∇(∇·u); ∇∇S is −π² S on the diagonal and π² sin sin cos off it.
Vec3 body_force(const Vec3& x) {
  const Lame lame = lame_from(kYoung, kPoisson);
  Mat3 H;
  const double pi2 = M_PI * M_PI;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int k = 3 - i - j;
      H(i, j) = i == j
                    ? -pi2 * S(x)
                    : pi2 * std::sin(M_PI * x[i]) * std::sin(M_PI * x[j]) * std::cos(M_PI * x[k]);
    }
  return 3 * pi2 * lame.mu * S(x) * kDirection - (lame.lambda + lame.mu) * H * kDirection;
}

template <Shape E>
const Quadrature& rule() {
  return E::type == ElementType::hex8 ? hex_rule_27() : tet_rule_conical();
}

template <Shape E>
double error_at(Index cells) {
  test::BeamSpec spec;
  spec.size = Vec3::Ones();
  spec.cells = {cells, cells, cells};
  spec.element = E::type;
  spec.law = "linear";
  spec.young = kYoung;
  spec.poisson = kPoisson;
  spec.pin_left = false;
  spec.gravity = Vec3::Zero();
  const Model model = test::make_beam(spec);
  const System& system = *model.system;
  const Mesh& mesh = model.bodies[0].mesh;

  Vector load = Vector::Zero(system.dofs());
  const auto for_each_point = [&](auto&& visit) {
    for (Index e = 0; e < mesh.blocks[0].size(); ++e) {
      const auto nodes = mesh.blocks[0].element(e);
      Eigen::Matrix<double, 3, E::nodes> X;
      for (int a = 0; a < E::nodes; ++a) X.col(a) = mesh.points[nodes[a]];
      for (const QuadraturePoint& p : rule<E>())
        visit(nodes, E::values(p.xi), X * E::values(p.xi),
              p.weight * (X * E::gradients(p.xi)).determinant());
    }
  };
  for_each_point([&](auto nodes, const auto& N, const Vec3& x, double w) {
    for (int a = 0; a < E::nodes; ++a) load.segment<3>(3 * nodes[a]) += w * N[a] * body_force(x);
  });
  DofMask mask(system.dofs(), 0);
  for (Index n = 0; n < mesh.point_count(); ++n)
    if ((mesh.points[n].cwiseAbs().array() > 0.5 - 1e-9).any())
      for (int i = 0; i < 3; ++i) mask[3 * n + i] = 1, load[3 * n + i] = 0;
  BlockMatrix K(system.pattern());
  const Vector v = Vector::Zero(system.dofs());
  system.add_tangent({0, view(system.rest()), view(v), nullptr}, {.stiffness = 1}, K);
  K.remove(mask);
  const auto solver = make_linear_solver("cholesky");
  solver->analyze(system.pattern());
  EXPECT_EQ(solver->factorize(K), SolveStatus::ok);
  Vector u(system.dofs());
  EXPECT_EQ(solver->solve(view(load), view(u), {}), SolveStatus::ok);
  double sum = 0;
  for_each_point([&](auto nodes, const auto& N, const Vec3& x, double w) {
    Vec3 here = Vec3::Zero();
    for (int a = 0; a < E::nodes; ++a) here += N[a] * u.segment<3>(3 * nodes[a]);
    sum += w * (here - exact(x)).squaredNorm();
  });
  return std::sqrt(sum);
}

TEST(ManufacturedSolution, Tet4ConvergesAtSecondOrder) {
  const double coarse = error_at<Tet4>(6), fine = error_at<Tet4>(12);
  EXPECT_GT(std::log2(coarse / fine), 1.8);
}
TEST(ManufacturedSolution, Hex8ConvergesAtSecondOrder) {
  const double coarse = error_at<Hex8>(5), fine = error_at<Hex8>(10);
  EXPECT_GT(std::log2(coarse / fine), 1.9);
}
TEST(ManufacturedSolution, Tet10ConvergesAtThirdOrder) {
  const double coarse = error_at<Tet10>(3), fine = error_at<Tet10>(6);
  EXPECT_GT(std::log2(coarse / fine), 2.8);
}

}  // namespace
}  // namespace pliant
