#include <pliant/reproduce/body_motion.hpp>

#include <numeric>

namespace pliant {
namespace {

// x at the nodes of the body, nothing elsewhere.
Vector part_of(const Body& body, const Vector& x) {
  Vector out = Vector::Zero(x.size());
  const Eigen::Index first = 3 * body.first_node, size = 3 * body.mesh.point_count();
  out.segment(first, size) = x.segment(first, size);
  return out;
}

}  // namespace

BodyMotion motion_of(const System& system, const Body& body, const State& state) {
  BodyMotion out;
  const Vector q = part_of(body, state.q), v = part_of(body, state.v);
  const double mass = body.mass;
  out.centre = system.momentum(view(q), view(q)).linear / mass;
  const Momentum p = system.momentum(view(q), view(v));
  out.velocity = p.linear / mass;
  Mat3 inertia;
  for (int k = 0; k < 3; ++k) {
    Vector turning = Vector::Zero(q.size());
    for (Index n = body.first_node; n < body.end_node(); ++n)
      node(view(turning), n) = Vec3::Unit(k).cross(Vec3(node(view(q), n)) - out.centre);
    inertia.col(k) = system.momentum(view(q), view(turning)).angular;
  }
  out.spin = inertia.ldlt().solve(p.angular - out.centre.cross(p.linear));
  Vector Mv(v.size());
  system.mass().multiply(view(v), view(Mv));
  out.kinetic = 0.5 * v.dot(Mv);
  return out;
}

void push(const Body& body, const Vec3& velocity, State& state) {
  for (Index n = body.first_node; n < body.end_node(); ++n) node(view(state.v), n) += velocity;
  state.a_known = false;
}

bool settle(const CaseContext& context, CaseScene& scene, double dt, double duration) {
  TrajectoryRequest request = request_of(scene.description);
  request.integrator = "be";
  request.dt = dt;
  request.duration = duration;
  request.sample_every = 1000000;
  request.solver.interrupted = [&context] { return context.stopped(); };
  const Trajectory rest = run_trajectory(scene.built, request, {});
  if (!rest.ok || context.stopped()) return false;
  scene.built.start.q = rest.end.q;
  scene.built.start.friction = rest.end.friction;
  scene.built.start.v.setZero();
  return true;
}

LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  const double sx = std::accumulate(x.begin(), x.end(), 0.0);
  const double sy = std::accumulate(y.begin(), y.end(), 0.0);
  const double sxx = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  const double sxy = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  LineFit fit;
  fit.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  fit.at_zero = (sy - fit.slope * sx) / n;
  return fit;
}

}  // namespace pliant
