#include <pliant/element/tet4_projection.hpp>

#include <pliant/element/tet4_geometry.hpp>
#include <pliant/material/invariant_projection.hpp>

namespace pliant {
namespace {

using Vec = Vec3Of<Lanes>;
using Geometry = Tet4Geometry<Lanes>;
using LaneMatrix = ElementMatrix<4, Lanes>;

// What a correction is made of: F = U Σ Vᵀ, the tangent, the shape gradients and their weight.
struct Principal {
  Svd3Of<Lanes> f;
  const InvariantTangentOf<Lanes>& t;
  const Vec (&g)[3];
  Lanes weight;
};

// Flips and twists: with γ_a = Vᵀ g_a their modes map g_a to (u_i γ_aj ± u_j γ_ai)/√2.
void add_pairs(const Principal& p, LaneMatrix& K) {
  const Vec u[3] = {p.f.U.x, p.f.U.y, p.f.U.z}, v[3] = {p.f.V.x, p.f.V.y, p.f.V.z};
  const Lanes sigma[3] = {p.f.sigma.x, p.f.sigma.y, p.f.sigma.z};
  Lanes gamma[3][3];
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) gamma[a][i] = dot(v[i], p.g[a]);
  const Lanes threshold = negative_below(p.t, sigma[0]);
  for (const double sign : {1.0, -1.0})
    for (int k = 0; k < 3; ++k) {
      const Lanes eigenvalue = p.t.a - sign * p.t.e * sigma[k];
      const LaneMask negative = eigenvalue < threshold;
      if (!any(negative)) continue;
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      Vec mode[3];
      for (int a = 0; a < 3; ++a) mode[a] = gamma[a][j] * u[i] + (sign * gamma[a][i]) * u[j];
      Geometry::add_rank_one(select(negative, -0.5 * p.weight * eigenvalue, Lanes{}), mode, K);
    }
}

// Scalings are rarely negative: one lane at a time.
void add_scalings_of_lane(const Principal& p, int l, LaneMatrix& K) {
  const Vec& s = p.f.sigma;
  PsdCorrection correction;
  add_scalings({lane(p.f.U, l), Vec3(s.x[l], s.y[l], s.z[l]), lane(p.f.V, l)},
               {p.t.a[l], p.t.b[l], p.t.c[l], p.t.d[l], p.t.e[l]}, correction);
  for (int m = 0; m < correction.count; ++m) {
    Vec mode[3] = {};
    for (int a = 0; a < 3; ++a) {
      const Vec3 u = correction.mode[m] * Vec3(p.g[a].x[l], p.g[a].y[l], p.g[a].z[l]);
      mode[a].x[l] = u[0], mode[a].y[l] = u[1], mode[a].z[l] = u[2];
    }
    Geometry::add_rank_one(p.weight * correction.amount[m], mode, K);
  }
}

}  // namespace

void add_psd_correction(const Mat3Of<Lanes>& F, const InvariantTangentOf<Lanes>& t,
                        const Vec (&g)[3], Lanes weight, LaneMatrix& K) {
  const Invariants<Lanes> invariants = invariants_from(F);
  const LaneMask pairs = pairs_are_positive(t, invariants);
  const LaneMask scalings = scalings_are_positive(t, invariants);
  if (!any(~both(pairs, scalings))) return;
  const Principal principal = {svd(F), t, g, weight};
  if (any(~pairs)) add_pairs(principal, K);
  for (int l = 0; l < kLanes; ++l)
    if (!scalings[l]) add_scalings_of_lane(principal, l, K);
}

}  // namespace pliant
