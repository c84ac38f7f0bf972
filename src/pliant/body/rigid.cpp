#include <pliant/body/rigid.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/mass_properties.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Corners of a tetrahedron in a cube, Σ u = 0 and Σ u uᵀ = 4 I; in this order its volume is
// positive.
const std::array<Vec3, 4> kCorners = {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, -1, 1),
                                      Vec3(-1, 1, -1)};
// Of the largest spread: flatter bodies are given this, so that four particles always span space.
constexpr double kFlattest = 1e-3;
// A box with spreads s has edges √12 s, and 12^{3/2} · 6/16 times the volume of the tetrahedron.
const double kEdge = std::sqrt(12.0);
const double kBoxOverTetrahedron = 12 * kEdge * 6 / 16;

}  // namespace

void add_point_mass(double mass, const Vec3& point, RigidInput& body) {
  const double all = body.mass + mass;
  const Vec3 centre = (body.mass * body.centre + mass * point) / all;
  const auto about = [&centre](double m, const Vec3& x) -> Mat3 {
    const Vec3 r = x - centre;
    return m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  };
  body.inertia += about(body.mass, body.centre) + about(mass, point);
  body.mass = all;
  body.centre = centre;
}

void require_possible_inertia(const Mat3& inertia, std::string_view source) {
  const double size = inertia.cwiseAbs().maxCoeff();
  if (!((inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * size) || !(size > 0))
    throw InputError(fmt::format("{}: an inertia tensor is symmetric and not zero", source));
  const Vec3 moments = principal_axes(inertia).moments;
  if (moments[0] < -1e-9 * size || moments[2] > (moments[0] + moments[1]) * (1 + 1e-9))
    throw InputError(
        fmt::format("{}: no body has principal moments of {:.6g}, {:.6g} and {:.6g} kg m²; none is "
                    "negative or larger than the sum of the other two",
                    source, moments[0], moments[1], moments[2]));
}

std::array<LeaderWeight, 4> RigidFrame::weights(const Vec3& x) const {
  const Vec3 r = (axes.transpose() * (x - centre)).cwiseQuotient(spread);
  std::array<LeaderWeight, 4> out;
  for (std::size_t a = 0; a < 4; ++a)
    out[a] = {first + static_cast<Index>(a), 0.25 + 0.25 * kCorners[a].dot(r)};
  return out;
}

MappedPoint RigidFrame::point(const Vec3& x) const {
  MappedPoint point;
  for (const LeaderWeight& leader : weights(x)) {
    point.nodes[static_cast<std::size_t>(point.count)] = leader.node;
    point.weights[static_cast<std::size_t>(point.count++)] = leader.weight;
  }
  return point;
}

// Σ m/4 r rᵀ over the corners is the second moment ½ tr(I) 1 − I of the body.
RigidFrame make_rigid_frame(const RigidInput& body, Index first) {
  RigidFrame frame;
  frame.first = first;
  frame.mass = body.mass;
  frame.pressure = body.pressure;
  frame.centre = body.centre;
  const PrincipalAxes principal = principal_axes(body.inertia);
  frame.axes = principal.axes;
  const Vec3 second =
      (Vec3::Constant(0.5 * principal.moments.sum()) - principal.moments) / body.mass;
  frame.spread = second.cwiseMax(kFlattest * kFlattest * second.maxCoeff()).cwiseSqrt();
  for (std::size_t a = 0; a < 4; ++a)
    frame.corners[a] = frame.centre + frame.axes * frame.spread.cwiseProduct(kCorners[a]);
  return frame;
}

std::unique_ptr<ElasticTerm> make_rigid_potential(const RigidInput& body, const RigidFrame& frame,
                                                  std::span<const Vec3> rest) {
  ElasticBatchInput input{ElementType::tet4, "stvk", {}, {}};
  for (Index a = 0; a < 4; ++a) input.connectivity.push_back(frame.first + a);
  MaterialConstants constants;
  constants.young = kBoxOverTetrahedron * body.modulus;
  constants.poisson = 0;
  input.constants.push_back(constants);
  return make_elastic(std::move(input), rest);
}

void add_rigid_rods(const std::string& name, const RigidFrame& frame,
                    std::vector<DistanceRow>& rods) {
  for (Index a = 0; a < 4; ++a)
    for (Index b = 0; b < a; ++b)
      rods.push_back({.name = fmt::format("the shape of {}", name),
                      .a = MappedPoint::of_node(frame.first + a),
                      .b = MappedPoint::of_node(frame.first + b),
                      .rest = (frame.corners[static_cast<std::size_t>(a)] -
                               frame.corners[static_cast<std::size_t>(b)])
                                  .norm()});
}

double expected_stress(const RigidInput& body, const RigidLoad& load) {
  const Vec3 edges = kEdge * make_rigid_frame(body, 0).spread;  // of a box like it
  const double density = body.mass / edges.prod();
  const double thinnest = edges.prod() / edges.maxCoeff();
  return density * (load.speed * load.speed + load.gravity * edges.maxCoeff()) +
         load.weight / thinnest;
}

}  // namespace pliant
