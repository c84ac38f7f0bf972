#include <pliant/contact/barrier_term.hpp>

#include <pliant/contact/barrier.hpp>
#include <pliant/contact/gap.hpp>
#include <pliant/core/parallel.hpp>
#include <pliant/core/symmetric.hpp>

#include <cassert>

namespace pliant {
namespace {

constexpr std::size_t kContactBlock = 64;

// compute(k) for all k < n on all cores, then add(k, value) one after the other, so that sums do
// not depend on the number of threads. A part at a time: the values stay in the cache, and on the
// stack.
template <class Value, class Compute, class Add>
void compute_and_add(std::size_t n, Compute&& compute, Add&& add) {
  constexpr std::size_t part = (std::size_t{1} << 18) / sizeof(Value), block = 16;
  std::array<Value, part> values;
  for (std::size_t begin = 0; begin < n; begin += part) {
    const std::size_t count = std::min(part, n - begin);
    parallel_for_each(count, block, [&](std::size_t k) { values[k] = compute(begin + k); });
    for (std::size_t k = 0; k < count; ++k) add(begin + k, values[k]);
  }
}

// m(c) and its derivatives by the points of two edges.
struct Mollifier {
  double value = 1;
  PairGradient gradient = PairGradient::Zero();
  PairHessian hessian = PairHessian::Zero();

  Mollifier(const Contact& contact, const PairPoints& x) {
    if (contact.kind != PairKind::edge_edge) return;
    const Vec3 e = x.col(1) - x.col(0), f = x.col(3) - x.col(2);
    const double c = e.cross(f).squaredNorm(), c0 = contact.parallel;
    if (c >= c0) return;
    active = true;
    value = (2 - c / c0) * c / c0;
    const double first = 2 / c0 * (1 - c / c0), second = -2 / (c0 * c0);
    // c = ‖e‖²‖f‖² − (e·f)²
    const double ee = e.squaredNorm(), ff = f.squaredNorm(), ef = e.dot(f);
    Eigen::Matrix<double, 6, 1> g;
    g << 2 * (ff * e - ef * f), 2 * (ee * f - ef * e);
    Eigen::Matrix<double, 6, 6> H;
    H.topLeftCorner<3, 3>() = 2 * (ff * Mat3::Identity() - f * f.transpose());
    H.bottomRightCorner<3, 3>() = 2 * (ee * Mat3::Identity() - e * e.transpose());
    H.topRightCorner<3, 3>() =
        2 * (2 * e * f.transpose() - f * e.transpose() - ef * Mat3::Identity());
    H.bottomLeftCorner<3, 3>() = H.topRightCorner<3, 3>().transpose();
    H = (first * H + second * g * g.transpose()).eval();
    g *= first;
    spread(g, H);
  }

  bool active = false;

 private:
  // From e = x₁ − x₀ and f = x₃ − x₂ to the points.
  void spread(const Eigen::Matrix<double, 6, 1>& g, const Eigen::Matrix<double, 6, 6>& H) {
    constexpr std::array<double, 4> sign = {-1, 1, -1, 1};
    for (int i = 0; i < 4; ++i) {
      const double si = sign[static_cast<std::size_t>(i)];
      gradient.segment<3>(3 * i) = si * g.segment<3>(3 * (i / 2));
      for (int j = 0; j < 4; ++j)
        hessian.block<3, 3>(3 * i, 3 * j) =
            si * sign[static_cast<std::size_t>(j)] * H.block<3, 3>(3 * (i / 2), 3 * (j / 2));
    }
  }
};

}  // namespace

double contact_energy(const Contact& contact, const PairPoints& x, double delta) {
  const double gap = distance(contact.kind, x) - contact.thickness;
  const double m = Mollifier(contact, x).value;
  // Exactly parallel edges weigh nothing, even where they touch: their ends bear it.
  return m == 0 ? 0 : contact.stiffness * m * barrier_value(gap, contact.range * delta);
}

double contact_pressure(const Contact& contact, const PairPoints& x, double delta) {
  const double gap = distance(contact.kind, x) - contact.thickness;
  return -contact.stiffness * Mollifier(contact, x).value *
         barrier(gap, contact.range * delta).first;
}

PairGradient contact_gradient(const Contact& contact, const PairPoints& x, double delta) {
  const Gap gap(find_nearest(contact.kind, x), x);
  const Barrier b = barrier(gap.distance() - contact.thickness, contact.range * delta);
  const Mollifier m(contact, x);
  return contact.stiffness * (m.value * b.first * gap.gradient() + b.value * m.gradient);
}

PairHessian contact_hessian(const Contact& contact, const PairPoints& x, double delta,
                            bool project) {
  const Gap gap(find_nearest(contact.kind, x), x);
  const Barrier b = barrier(gap.distance() - contact.thickness, contact.range * delta);
  const Mollifier m(contact, x);
  const double k = contact.stiffness;
  if (!m.active)
    return project ? gap.positive_hessian(k * b.first, k * b.second)
                   : gap.hessian(k * b.first, k * b.second);
  const PairHessian mixed = b.first * gap.gradient() * m.gradient.transpose();
  const PairHessian H = k * (m.value * gap.hessian(b.first, b.second) + b.value * m.hessian +
                             mixed + mixed.transpose());
  return project ? positive_part(H) : H;
}

void add_contact_block(const ContactSurface& surface, Index i, Index j, const Mat3& block,
                       BlockMatrix& A) {
  if (surface.is_fixed(i) || surface.is_fixed(j)) return;
  LeaderWeight one, other;
  for (const LeaderWeight& a : surface.leaders_of(i, one))
    for (const LeaderWeight& b : surface.leaders_of(j, other)) {
      const Index k = A.pattern().find(a.node, b.node);
      assert(k >= 0);
      Eigen::Map<Mat3>(A.block(k)) += a.weight * b.weight * block;
    }
}

BarrierTerm::BarrierTerm(ContactSurface surface, double delta)
    : surface_(std::move(surface)), finder_(surface_, delta) {}

void BarrierTerm::lag(const Configuration& c, Lagged& out) const { out.numbers = as_vector(c.q); }

WeightsFrom BarrierTerm::start_of(const Configuration& c) const {
  const Lagged* frozen = lagged(c);
  const EdgeShares* of_step = c.step ? c.step->shares.get() : nullptr;
  return {frozen && frozen->numbers.size() > 0 ? view(frozen->numbers) : c.q,
          c.shares ? c.shares : of_step};
}

const ContactSet& BarrierTerm::contacts(const Configuration& c, ContactSet& own) const {
  if (c.contacts) return *c.contacts;
  Candidates candidates;
  BroadPhase(surface_, BroadPhase::Use::once).find(c.q, {}, delta(), candidates);
  finder_.find(candidates, c.q, start_of(c), own);
  return own;
}

double BarrierTerm::potential(const Configuration& c) const {
  ContactSet own;
  const ContactSet& set = contacts(c, own);
  double U =
      parallel_sum(set.contacts.size(), kContactBlock, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k)
          sum += contact_energy(set.contacts[k], gather(c.q, set.contacts[k].nodes), delta());
        return sum;
      });
  for (const PlaneContact& p : set.planes) {
    const ContactPlane& plane = surface_.planes[static_cast<std::size_t>(p.plane)];
    const double gap = plane.normal.dot(node(c.q, p.node) - node(c.q, plane.node)) - p.thickness;
    U += p.stiffness * barrier_value(gap, delta());
  }
  return U;
}

void BarrierTerm::add_force(const Configuration& c, std::span<double> f) const {
  ContactSet own;
  const ContactSet& set = contacts(c, own);
  compute_and_add<PairGradient>(
      set.contacts.size(),
      [&](std::size_t k) {
        const Contact& contact = set.contacts[k];
        return contact_gradient(contact, gather(c.q, contact.nodes), delta());
      },
      [&](std::size_t k, const PairGradient& gradient) {
        const Contact& contact = set.contacts[k];
        for (int i = 0; i < points_of(contact.kind); ++i)
          node(f, contact.nodes[static_cast<std::size_t>(i)]) -= gradient.segment<3>(3 * i);
      });
  for (const PlaneContact& p : set.planes) {
    const ContactPlane& plane = surface_.planes[static_cast<std::size_t>(p.plane)];
    const double gap = plane.normal.dot(node(c.q, p.node) - node(c.q, plane.node)) - p.thickness;
    const Vec3 push = p.stiffness * barrier(gap, delta()).first * plane.normal;
    node(f, p.node) -= push;
    node(f, plane.node) += push;
  }
}

double BarrierTerm::add_force_and_potential(const Configuration& c, std::span<double> f) const {
  ContactSet own;
  Configuration known = c;
  known.contacts = &contacts(c, own);
  const double U = potential(known);
  // Where bodies pass through each other there is no force, and the caller goes back.
  if (std::isfinite(U)) add_force(known, f);
  return U;
}

void BarrierTerm::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  ContactSet own;
  const ContactSet& set = contacts(c, own);
  const bool project = tangent.projection == Projection::psd;
  const auto add = [&](Index i, Index j, const Mat3& block) {
    add_contact_block(surface_, i, j, tangent.stiffness * block, A);
  };
  compute_and_add<PairHessian>(
      set.contacts.size(),
      [&](std::size_t k) {
        const Contact& contact = set.contacts[k];
        return contact_hessian(contact, gather(c.q, contact.nodes), delta(), project);
      },
      [&](std::size_t k, const PairHessian& hessian) {
        const Contact& contact = set.contacts[k];
        const int n = points_of(contact.kind);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            add(contact.nodes[static_cast<std::size_t>(i)],
                contact.nodes[static_cast<std::size_t>(j)], hessian.block<3, 3>(3 * i, 3 * j));
      });
  for (const PlaneContact& p : set.planes) {
    const ContactPlane& plane = surface_.planes[static_cast<std::size_t>(p.plane)];
    const double gap = plane.normal.dot(node(c.q, p.node) - node(c.q, plane.node)) - p.thickness;
    const Mat3 K =
        p.stiffness * barrier(gap, delta()).second * plane.normal * plane.normal.transpose();
    add(p.node, p.node, K);
    add(plane.node, plane.node, K);
    add(p.node, plane.node, -K);
    add(plane.node, p.node, -K);
  }
}

double BarrierTerm::max_step(const Configuration& c, std::span<const double> dq) const {
  Candidates candidates;
  BroadPhase(surface_, BroadPhase::Use::once).find(c.q, dq, 0, candidates);
  return finder_.safe_step(candidates, c.q, dq);
}

}  // namespace pliant
