// Moves apart what touches or intersects a little before a run begins. Bodies that nothing holds
// are shifted as a whole, which leaves them undeformed; of a body that is held somewhere single
// points give way, and only to planes and to what is round. Positions alone change, obstacles and
// held points never.
//
// Which way two surfaces go apart is found as between convex bodies (separating axes), over the
// features that meet alone: of all normals of triangles there, the one along which least has to be
// moved.
#pragma once

#include <pliant/contact/intersections.hpp>

namespace pliant {

// All that meets between two patches, or between a patch and a plane.
struct Meeting {
  std::string first, second;
  Index first_patch = -1, second_patch = -1;    // −1: a plane
  std::vector<const Intersection*> pairs = {};  // among those that it was gathered from
  Vec3 away = Vec3::Zero();                     // the short way for the first, of length one
  double depth = 0;                             // m, how far it has to go; 0 and below: they touch
};
// In the order in which they were found.
std::vector<Meeting> gather_meetings(const ContactSurface& surface,
                                     const std::vector<Intersection>& found,
                                     std::span<const double> q);

struct MovablePatch {
  Index first_node = 0, end_node = 0;  // of the system; none: it never moves
  bool whole = true;                   // nothing holds it: it moves as one
};

struct SeparationOptions {
  double distance = 0;    // m, that there shall be between them
  double near = 0;        // m, as find_intersections has it
  double farthest = 0.1;  // of the box around a patch: what has to go further is no mild case
  int rounds = 200;
};

struct Separation {
  std::vector<double> moved;       // m, of each patch the farthest that a point went
  std::vector<Intersection> left;  // what is still in the way; empty: all are apart
  bool ok() const { return left.empty(); }
};

// `patches` says of each patch of the surface how it moves, `held` of each node whether it must
// stay. Where it does not succeed q is as it was.
Separation separate(const ContactSurface& surface, std::span<const MovablePatch> patches,
                    std::span<const char> held, const SeparationOptions& options,
                    std::span<double> q);

}  // namespace pliant
