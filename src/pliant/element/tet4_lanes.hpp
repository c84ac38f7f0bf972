// Linear tetrahedra of an invariant law, as many at once as there are lanes (core/lanes.hpp): the
// inner loop of most simulations. The geometry is computed in lanes, the law element by element. An
// element gets the same bits in every lane, and what elements share is added up in an order that
// depends on the mesh alone. What runs for every element is inlined by force: GCC would stop at a
// limit for the whole file, which all laws share.
#pragma once

#include <pliant/element/tet4_geometry.hpp>
#include <pliant/element/tet4_projection.hpp>
#include <pliant/sparse/assembly_plan.hpp>
#include <pliant/term/term.hpp>

namespace pliant {

// The arrays of a batch, as this loop reads them.
template <InvariantLaw L>
struct Tet4Arrays {
  const Index* nodes;       // four for each element
  const double* gradients;  // twelve: ∇N_a, node by node, 1/m
  const Tet4Metric<double>* metrics;
  const double* volumes;                               // m³
  std::span<const typename L::Parameters> parameters;  // one for each element, or one for all
};

template <InvariantLaw L>
class Tet4Lanes {
 public:
  // Elements first, first + 1, … below `end`; lanes beyond repeat the last one and are not added
  // anywhere.
  [[gnu::always_inline]] Tet4Lanes(const Tet4Arrays<L>& batch, std::size_t first, std::size_t end,
                                   std::span<const double> q)
      : batch_(batch),
        element_{first, std::min(first + 1, end - 1)},
        count_(static_cast<int>(std::min<std::size_t>(kLanes, end - first))),
        volume_{batch.volumes[element_[0]], batch.volumes[element_[1]]},
        tet_({position(q, 0), position(q, 1), position(q, 2), position(q, 3)}, metric(), volume_) {}

  // Adds the forces, and to `energy` those of the elements, one after the other.
  [[gnu::always_inline]] void add_force(std::span<double> f, double& energy) const {
    const InvariantStress s = L::stress(invariants(0), parameters(0)),
                          t = L::stress(invariants(1), parameters(1));
    Vec force[4];
    tet_.set_force({Lanes{s.f, t.f}, Lanes{s.g, t.g}}, force);
    for (int l = 0; l < count_; ++l) {
      for (int a = 0; a < 4; ++a) {
        double* out = f.data() + 3 * node(a, l);
        out[0] += force[a].x[l], out[1] += force[a].y[l], out[2] += force[a].z[l];
      }
      energy += volume_[l] * L::energy(invariants(l), parameters(l));
    }
  }

  [[gnu::always_inline]] void add_tangent(const Tangent& tangent, const AssemblyPlan& plan,
                                          BlockMatrix& A) const {
    const InvariantTangent r = L::tangent(invariants(0), parameters(0)),
                           s = L::tangent(invariants(1), parameters(1));
    const InvariantTangentOf<Lanes> t = {Lanes{r.a, s.a}, Lanes{r.b, s.b}, Lanes{r.c, s.c},
                                         Lanes{r.d, s.d}, Lanes{r.e, s.e}};
    Matrix K;
    tet_.set_inner(t, tangent.stiffness, K);
    if (tangent.projection == Projection::psd) {
      const Vec g[3] = {gradient(1), gradient(2), gradient(3)};
      add_psd_correction(tet_.deformation(g), t, g, tangent.stiffness * volume_, K);
    }
    tet_.close(K);
    scatter(K, plan.blocks(element_[0]), count_ > 1 ? plan.blocks(element_[1]) : nullptr, A);
  }

 private:
  static_assert(kLanes == 2);
  using Vec = Vec3Of<Lanes>;
  using Geometry = Tet4Geometry<Lanes>;
  using Matrix = ElementMatrix<4, Lanes>;

  Index node(int a, int l) const { return batch_.nodes[4 * element_[l] + a]; }
  const typename L::Parameters& parameters(int l) const {
    return batch_.parameters[batch_.parameters.size() == 1 ? 0 : element_[l]];
  }
  StrainInvariants invariants(int l) const {
    return {tet_.invariants().i[l], tet_.invariants().j[l]};
  }
  [[gnu::always_inline]] static Vec in_lanes(const double* a, const double* b) {
    return {Lanes{a[0], b[0]}, Lanes{a[1], b[1]}, Lanes{a[2], b[2]}};
  }
  [[gnu::always_inline]] Vec position(std::span<const double> q, int a) const {
    return in_lanes(q.data() + 3 * node(a, 0), q.data() + 3 * node(a, 1));
  }
  [[gnu::always_inline]] Tet4Metric<Lanes> metric() const {
    const Tet4Metric<double>&m = batch_.metrics[element_[0]], &n = batch_.metrics[element_[1]];
    return {Lanes{m.m00, n.m00}, Lanes{m.m01, n.m01}, Lanes{m.m02, n.m02},
            Lanes{m.m11, n.m11}, Lanes{m.m12, n.m12}, Lanes{m.m22, n.m22}};
  }
  Vec gradient(int a) const {
    const double* g = batch_.gradients + 3 * a;
    return in_lanes(g + 12 * element_[0], g + 12 * element_[1]);
  }

  const Tet4Arrays<L>& batch_;
  std::size_t element_[kLanes];
  int count_;
  Lanes volume_;
  Geometry tet_;
};

}  // namespace pliant
