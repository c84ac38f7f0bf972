#include <pliant/material/mooney_rivlin.hpp>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

// Ψ(I, II, J) = c10 (J^(−2/3) I − 3) + c01 (J^(−4/3) II − 3) + K/2 (J − 1)² with I = ‖F‖² and
// II = ‖cof F‖²: its derivatives, as far as they are not zero.
struct Derivatives {
  double I, II, J, IJ, IIJ, JJ;
};

Derivatives derivatives(double I, double II, double J, const MooneyConstants& p) {
  const double c10 = p.c10 / std::cbrt(J * J);
  const double c01 = p.c01 / (J * std::cbrt(J));
  Derivatives d;
  d.I = c10;
  d.II = c01;
  d.J = -2.0 / 3 * c10 * I / J - 4.0 / 3 * c01 * II / J + p.bulk * (J - 1);
  d.IJ = -2.0 / 3 * c10 / J;
  d.IIJ = -4.0 / 3 * c01 / J;
  d.JJ = 10.0 / 9 * c10 * I / (J * J) + 28.0 / 9 * c01 * II / (J * J) + p.bulk;
  return d;
}

struct Point {
  Mat3 G, H;  // ∂J/∂F = cof F, ½ ∂II/∂F = I F − F FᵀF
  Derivatives d;
};

Point evaluate(const Mat3& F, const MooneyConstants& p) {
  Point x;
  x.G = cofactor(F);
  const double I = F.squaredNorm();
  x.H = I * F - F * (F.transpose() * F);
  x.d = derivatives(I, x.G.squaredNorm(), F.col(0).dot(x.G.col(0)), p);
  return x;
}

}  // namespace

double MooneyRivlin::energy(const Mat3& F, const Parameters& p) {
  const Mat3 G = cofactor(F);
  const double J = F.col(0).dot(G.col(0));
  if (J <= 0) return std::numeric_limits<double>::infinity();
  const double r = std::cbrt(J);
  return p.c10 * (F.squaredNorm() / (r * r) - 3) + p.c01 * (G.squaredNorm() / (J * r) - 3) +
         0.5 * p.bulk * (J - 1) * (J - 1);
}

Mat3 MooneyRivlin::stress(const Mat3& F, const Parameters& p) {
  const Point x = evaluate(F, p);
  return 2 * x.d.I * F + 2 * x.d.II * x.H + x.d.J * x.G;
}

Mat9 MooneyRivlin::tangent(const Mat3& F, const Parameters& p) {
  const Point x = evaluate(F, p);
  const Derivatives& d = x.d;
  const double I = F.squaredNorm();
  Mat9 C =
      expand({.a = 2 * d.I + 2 * d.II * I, .b = 4 * d.II, .c = 2 * d.IJ, .d = d.JJ, .e = d.J}, F);
  C +=
      vec(x.H) * (2 * d.IIJ * vec(x.G)).transpose() + vec(x.G) * (2 * d.IIJ * vec(x.H)).transpose();
  // The rest of dH = I dF + 2 (F : dF) F − dF FᵀF − F dFᵀ F − F Fᵀ dF.
  const Mat3 right = F.transpose() * F, left = F * F.transpose();
  for (int j = 0; j < 3; ++j)
    for (int l = 0; l < 3; ++l) {
      auto block = C.block<3, 3>(3 * j, 3 * l);
      block -= 2 * d.II * (right(j, l) * Mat3::Identity() + F.col(l) * F.col(j).transpose());
      if (j == l) block -= 2 * d.II * left;
    }
  return C;
}

PsdCorrection MooneyRivlin::psd_correction(const Mat3& F, const Parameters& p) {
  const Svd3 f = svd(F);
  const Vec3& s = f.sigma;
  const Vec3 g = products_of_others(s), squares = s.cwiseAbs2();
  const Derivatives d = derivatives(squares.sum(), g.squaredNorm(), s[0] * g[0], p);
  // ½ ∂II/∂σ_i = σ_i (σ_j² + σ_k²)
  const Vec3 h = s.cwiseProduct(Vec3::Constant(squares.sum()) - squares);
  PrincipalTangent t;
  t.scaling = d.J * off_diagonal(s) + 4 * d.II * off_diagonal(g) + d.JJ * g * g.transpose();
  const Vec3 cross = 2 * d.IJ * s + 2 * d.IIJ * h;
  t.scaling += cross * g.transpose() + g * cross.transpose();
  for (int k = 0; k < 3; ++k) {
    t.scaling(k, k) += 2 * d.I + 2 * d.II * (squares.sum() - squares[k]);
    t.flip[k] = 2 * d.I + 2 * d.II * (squares[k] - g[k]) - d.J * s[k];
    t.twist[k] = 2 * d.I + 2 * d.II * (squares[k] + g[k]) + d.J * s[k];
  }
  return psd_correction_from(f, t);
}

}  // namespace pliant
