#include <pliant/contact/barrier.hpp>
#include <pliant/contact/barrier_term.hpp>
#include <pliant/contact/gap.hpp>
#include <pliant/core/symmetric.hpp>

#include <contact/random_pairs.hpp>
#include <contact/stack.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using fixtures::all_pair_kinds;
using fixtures::RandomPairs;
using fixtures::Stack;

TEST(ContactEnergy, DerivativesAgreeWithFiniteDifferences) {
  RandomPairs pairs(61);
  const double step = 1e-6;
  int mollified = 0, seen = 0;
  for (const PairKind kind : all_pair_kinds)
    for (int k = 0; k < 600; ++k) {
      PairPoints x = pairs.general();
      if (kind == PairKind::edge_edge && k % 2 == 0)  // nearly parallel
        x.col(3) = x.col(2) + x.col(1) - x.col(0) + 0.02 * pairs.vector();
      const double d = distance(kind, x);
      // As far into the barrier as it may be, and not where a feature changes within the step.
      const Contact contact{kind, {}, 1.7, 0.4 * d, kind == PairKind::edge_edge ? 0.01 : 0};
      const double delta = 0.9 * d;
      const auto energy = [&](const PairPoints& y) { return contact_energy(contact, y, delta); };
      const auto gradient = [&](const PairPoints& y) {
        return contact_gradient(contact, y, delta);
      };
      const PairGradient g = gradient(x);
      const PairHessian H = contact_hessian(contact, x, delta, false);
      if (H.norm() > 1e3 || d < 0.05) continue;
      PairGradient g_found;
      PairHessian H_found;
      bool inside = true;
      const Nearest here = find_nearest(kind, x);
      for (int i = 0; i < 12; ++i) {
        PairPoints forward = x, back = x;
        forward(i % 3, i / 3) += step, back(i % 3, i / 3) -= step;
        for (const PairPoints& y : {forward, back}) {
          const Nearest there = find_nearest(kind, y);
          inside =
              inside && there.parameters == here.parameters && (there.w - here.w).norm() < 1e-3;
        }
        g_found[i] = (energy(forward) - energy(back)) / (2 * step);
        H_found.col(i) = (gradient(forward) - gradient(back)) / (2 * step);
      }
      if (!inside) continue;
      ++seen;
      const Vec3 e = x.col(1) - x.col(0), f = x.col(3) - x.col(2);
      mollified += kind == PairKind::edge_edge && e.cross(f).squaredNorm() < 0.01;
      EXPECT_LT((g - g_found).norm(), 1e-6 * (1 + H.norm()));
      EXPECT_LT((H - H_found).norm(), 1e-5 * (1 + H.norm())) << static_cast<int>(kind);
      const PairHessian projected = contact_hessian(contact, x, delta, true);
      EXPECT_LT((projected - positive_part(H)).norm(), 1e-9 * (1 + H.norm()));
    }
  EXPECT_GT(seen, 500);
  EXPECT_GT(mollified, 30);
}

TEST(BarrierTerm, OverAFlatRegionPushesAlongTheNormalHoweverItIsSplit) {
  for (const bool obstacle : {false, true})
    for (const std::array<Index, 3>& cells : {std::array<Index, 3>{1, 1, 1}, {4, 1, 3}, {7, 2, 9}})
      for (const double gap : {0.004, 0.016}) {
        const Stack stack(gap, 0.02, cells, obstacle);
        Vector f = Vector::Zero(stack.q.size());
        stack.term->add_force(stack.at(stack.q), view(f));
        Vec3 total = Vec3::Zero();
        for (Index n = 0; n < stack.upper_nodes; ++n) total += node(view(f), n);
        // The pressure of a gap g on one square metre, by ASCHER (28): Young's modulus of the
        // softer body at a tenth of δ. Corners of the other surface and pairs of edges come on top:
        // it may double, not multiply.
        const double p = 1e5 * barrier(gap, 0.02).first / barrier(0.002, 0.02).first;
        EXPECT_GT(total.y(), 0.4 * p);
        EXPECT_LT(total.y(), 2.5 * p);
        EXPECT_LT(std::abs(total.x()), 2e-3 * total.y());
        EXPECT_LT(std::abs(total.z()), 2e-3 * total.y());
        for (Index n = 0; n < stack.upper_nodes; ++n)
          EXPECT_GT(node(view(f), n).y(), -2e-3 * total.y());
      }
}

TEST(BarrierTerm, AFlatObstaclePushesAlongItsNormalEvenWhatIsAslant) {
  // A body that is tilted and bent over the flat top of an obstacle of many triangles: a plane
  // without friction has no force along itself.
  Stack stack(0.012, 0.02, {7, 2, 9}, true);
  for (Index n = 0; n < stack.upper_nodes; ++n) {
    const Vec3 x = node(view(stack.q), n);
    node(view(stack.q), n).y() += 0.01 * x.x() + 0.004 * x.z() * x.z();
  }
  Vector f = Vector::Zero(stack.q.size());
  stack.term->add_force(stack.at(stack.q), view(f));
  Vec3 total = Vec3::Zero();
  for (Index n = 0; n < stack.upper_nodes; ++n) total += node(view(f), n);
  EXPECT_GT(total.y(), 1);
  EXPECT_LT(Vec3(total.x(), 0, total.z()).norm(), 1e-12 * total.y());
}

TEST(BarrierTerm, ForceDoesNotGrowWithTheTrianglesOfTheOtherSurface) {
  const double gap = 0.008;
  std::vector<double> forces;
  for (const std::array<Index, 3>& cells :
       {std::array<Index, 3>{1, 1, 1}, {5, 1, 4}, {9, 1, 9}, {17, 1, 19}}) {
    const Stack stack(gap, 0.02, cells, true);
    Vector f = Vector::Zero(stack.q.size());
    stack.term->add_force(stack.at(stack.q), view(f));
    double total = 0;
    for (Index n = 0; n < stack.upper_nodes; ++n) total += node(view(f), n).y();
    forces.push_back(total);
  }
  for (const double force : forces) {
    EXPECT_GT(force, 0.5 * forces[0]);
    EXPECT_LT(force, 2 * forces[0]);
  }
}

TEST(BarrierTerm, ForceIsTheGradientAndTangentItsDerivative) {
  RandomPairs random(62);
  for (const bool obstacle : {false, true}) {
    Stack stack(0.01, 0.03, {3, 1, 2}, obstacle);
    for (Eigen::Index i = 0; i < stack.q.size(); ++i) stack.q[i] += 2e-3 * random.vector().x();
    const Vector q = stack.q;
    const auto pattern = fixtures::full_pattern(q);
    // A step that began here, so that the weights of edges stay what they are.
    StepData data;
    data.lagged.resize(1);
    stack.term->set_slot(0);
    stack.term->lag(stack.at(q), data.lagged[0]);
    const auto at = [&](const Vector& x) {
      return Configuration{0, view(x), view(x), &data, nullptr};
    };
    const auto force = [&](const Vector& x) {
      Vector f = Vector::Zero(x.size());
      stack.term->add_force(at(x), view(f));
      return f;
    };
    BlockMatrix A(pattern);
    stack.term->add_tangent(at(q), {.stiffness = 1}, A);
    const Vector f = force(q);
    EXPECT_GT(f.norm(), 1);
    for (int k = 0; k < 5; ++k) {
      Vector u(q.size());
      for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = random.vector().y();
      if (obstacle) u.tail(u.size() - 3 * stack.upper_nodes).setZero();  // it has no tangent
      const double h = 1e-7;
      const Vector forward = q + h * u, back = q - h * u;
      const double slope =
          (stack.term->potential(at(forward)) - stack.term->potential(at(back))) / (2 * h);
      EXPECT_NEAR(slope, -f.dot(u), 1e-5 * std::abs(f.dot(u)) + 1e-6 * f.norm());
      Vector Au(q.size());
      A.multiply(view(u), view(Au));
      const Vector change = -(force(forward) - force(back)) / (2 * h);
      const Eigen::Index moving = obstacle ? 3 * stack.upper_nodes : q.size();
      EXPECT_LT((change - Au).head(moving).norm(), 1e-4 * Au.norm());
    }
  }
}

TEST(BarrierTerm, ActionIsReaction) {
  const Stack stack(0.006, 0.02, {4, 1, 3}, false);
  Vector f = Vector::Zero(stack.q.size());
  stack.term->add_force(stack.at(stack.q), view(f));
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  double size = 0;
  for (Index n = 0; n < static_cast<Index>(f.size() / 3); ++n) {
    sum += node(view(f), n);
    torque += Vec3(node(view(stack.q), n)).cross(Vec3(node(view(f), n)));
    size += node(view(f), n).norm();
  }
  EXPECT_LT(sum.norm(), 1e-12 * size);
  EXPECT_LT(torque.norm(), 1e-12 * size);
}

TEST(BarrierTerm, StepsEndBeforeContact) {
  const Stack stack(0.5, 0.02, {4, 1, 3}, true);
  Vector dq = Vector::Zero(stack.q.size());
  for (Index n = 0; n < stack.upper_nodes; ++n) node(view(dq), n) = Vec3(0.3, -1, 0);
  // Half a metre of a metre, of which a tenth at least stays.
  const double step = stack.term->max_step(stack.at(stack.q), view(dq));
  EXPECT_LE(step, 0.45 + 1e-9);
  EXPECT_GT(step, 0.4);
  const Vector away = -dq;
  EXPECT_EQ(stack.term->max_step(stack.at(stack.q), view(away)), 1);
}

TEST(BarrierTerm, StepsLeaveHalfOfAGuardsGap) {
  const double delta = 0.02;
  for (const double gap : {0.5 * guard_range * delta, 2 * guard_range * delta}) {
    const Stack stack(gap, delta, {4, 1, 3}, true);
    Vector dq = Vector::Zero(stack.q.size());
    for (Index n = 0; n < stack.upper_nodes; ++n) node(view(dq), n) = Vec3(0, -1, 0);
    const double used = gap < guard_range * delta ? 0.5 : 0.9;
    const double step = stack.term->max_step(stack.at(stack.q), view(dq));
    EXPECT_LE(step, used * gap * (1 + 1e-6));
    EXPECT_GT(step, 0.9 * used * gap);
  }
}

// Two roofs, ridge on ridge, one turned by `angle` about the vertical: the force that holds the
// upper one.
double force_between_ridges(double angle, double gap, double delta) {
  const Mesh roof = make_box({Vec3(2, 0.2, 0.2), {1, 1, 1}, ElementType::hex8});
  const Index n = roof.point_count();
  const double half = 0.1 * std::sqrt(2.0);  // from the axis to a ridge
  const Mat3 tilt = Eigen::AngleAxisd(0.25 * std::numbers::pi, Vec3::UnitX()).toRotationMatrix();
  const Mat3 turn = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  Vector q(6 * n);
  for (Index k = 0; k < n; ++k) {
    const Vec3 x = tilt * roof.points[static_cast<std::size_t>(k)];
    node(view(q), k) = turn * (x + Vec3(0.02, 2 * half + gap, 0));
    node(view(q), n + k) = x;
  }
  ContactSurface surface;
  surface.add({.name = "upper", .modulus = 1e5}, make_surface(roof), 0, view(q));
  surface.add({.name = "lower", .modulus = 1e5}, make_surface(roof), n, view(q));
  surface.finish();
  const BarrierTerm term(std::move(surface), delta);
  Vector f = Vector::Zero(q.size());
  term.add_force({0, view(q), view(q), nullptr, nullptr}, view(f));
  double total = 0;
  for (Index k = 0; k < n; ++k) total += node(view(f), k).y();
  return total;
}

// The ends of ridges that cross at a small angle are far away, in gaps, and bear nothing. So the
// guard must not be weakened for such an angle, or the gap is used up to its last digit: far inside
// its range it bears the part r = guard_range of what a contact does, and r/(1 + r) of what both
// do.
TEST(BarrierTerm, EdgesAtASmallAngleAreGuardedWhereTheirEndsAreFar) {
  const double delta = 1e-3, gap = 1e-4 * delta;
  const double crossing = force_between_ridges(0.5, gap, delta);
  EXPECT_GT(crossing, 0);
  for (const double angle : {0.01, 1e-3}) {
    ASSERT_GT(angle, guard_range * delta);  // so far are the ends apart
    EXPECT_GT(force_between_ridges(angle, gap, delta), guard_range / (1 + guard_range) * crossing)
        << angle;
  }
}

TEST(BarrierTerm, APlaneBearsThePressureOfTheFormula) {
  const Mesh box = make_box({Vec3(1, 1, 1), {3, 3, 3}, ElementType::hex8});
  const Index n = box.point_count();
  Vector q(3 * (n + 1));
  const double gap = 0.007, delta = 0.02, modulus = 1e5;
  for (Index k = 0; k < n; ++k)
    node(view(q), k) = box.points[static_cast<std::size_t>(k)] + Vec3(0, 0.5 + gap, 0);
  node(view(q), n) = Vec3(5, 0, 5);
  ContactSurface surface;
  surface.add({.name = "box", .modulus = modulus}, make_surface(box), 0, view(q));
  surface.planes.push_back({"floor", n, Vec3::UnitY()});
  surface.finish();
  const BarrierTerm term(std::move(surface), delta);
  Vector f = Vector::Zero(q.size());
  const Configuration c{0, view(q), view(q), nullptr, nullptr};
  term.add_force(c, view(f));
  // Points at the rim also have the area of the sides: 1 m² below, and a row of side triangles.
  const double y = gap - delta, log = std::log(gap / delta);
  const double slope = 2 * y * log + y * y / gap;              // −b′
  const double tenth = 2 * 0.9 * std::log(10.0) + 0.81 / 0.1;  // −b′(0.1; 1)
  const double pressure = modulus * slope / (tenth * delta);
  double total = 0, area = 0;
  for (Index k = 0; k < n; ++k) total += node(view(f), k).y();
  for (std::size_t k = 0; k < term.surface().points.size(); ++k)
    if (node(view(q), term.surface().points[k]).y() < gap + 1e-9)
      area += term.surface().point_area[k];
  EXPECT_NEAR(total, pressure * area, 1e-9 * total);
  EXPECT_NEAR(node(view(f), n).y(), -total, 1e-9 * total);
}

}  // namespace
}  // namespace pliant
