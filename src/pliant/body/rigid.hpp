// Rigid bodies by twelve coordinates: four particles of a quarter of the mass each, so
// placed that they have the body's centre and inertia, carry all its points as their affine
// combinations. Mass is constant and diagonal, paths within a step are straight, and every
// integrator, contact and constraint acts on the body as on any other nodes.
//
// What keeps the four in shape is a choice: `affine`, an elastic potential so stiff that strains
// stay below about 1e-6, or `se3`, six rods between them, with which the body moves on SE(3)
// exactly and which need a method that keeps constraints. (TOURNIER has a rotation vector instead,
// whose geometric stiffness (22) is not symmetric; here it is that of the rods.)
#pragma once

#include <pliant/constraint/distance.hpp>
#include <pliant/element/elastic_term.hpp>
#include <pliant/element/mapped_point.hpp>
#include <pliant/sparse/followers.hpp>

namespace pliant {

enum class RigidFormulation { affine, se3 };

struct RigidInput {
  double mass = 0;              // kg
  Vec3 centre = Vec3::Zero();   // of mass, m, in the world
  Mat3 inertia = Mat3::Zero();  // about the centre, along the axes of the world, kg m²
  double modulus = 0;           // Pa, of the potential
  double pressure = 0;          // Pa, what contact with it must bear
  RigidFormulation formulation = RigidFormulation::affine;
  bool loaded = false;  // do pressure or wind act on its faces?
};

// Adds a point mass (kg).
void add_point_mass(double mass, const Vec3& point, RigidInput& body);

// Throws InputError, beginning with `source`, where no body has such an inertia: it is not
// symmetric or a moment is below zero or above the sum of the others.
void require_possible_inertia(const Mat3& inertia, std::string_view source);

struct RigidFrame {
  Index first = 0;      // of four nodes of the system
  double mass = 0;      // kg, of all four
  double pressure = 0;  // Pa, what contact with the body must bear
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Identity();   // principal, as columns
  Vec3 spread = Vec3::Zero();     // m, root mean square distances along the axes
  std::array<Vec3, 4> corners{};  // where the four particles are at rest, m

  // A point of the undeformed body (or beside it) by the four particles.
  std::array<LeaderWeight, 4> weights(const Vec3& x) const;
  MappedPoint point(const Vec3& x) const;
};

RigidFrame make_rigid_frame(const RigidInput& body, Index first);

// The potential of `affine`. `rest` holds all nodes of the system.
std::unique_ptr<ElasticTerm> make_rigid_potential(const RigidInput& body, const RigidFrame& frame,
                                                  std::span<const Vec3> rest);

// The rods of `se3`.
void add_rigid_rods(const std::string& name, const RigidFrame& frame,
                    std::vector<DistanceRow>& rods);

// The stress (Pa) to expect in a body: that of its own motion, at a speed (m/s) under a gravity
// (m/s²), and of a weight (N) that hangs on it.
struct RigidLoad {
  double speed = 0, gravity = 0, weight = 0;
};
double expected_stress(const RigidInput& body, const RigidLoad& load);

}  // namespace pliant
