// The contacts of one configuration: which features are nearer to each other than the activation
// distance δ, and how stiff each is. Stiffness is a pressure per depth times an area, so that
// refining a mesh changes little: κ = p/(c δ), with p the modulus of the softer body, makes the
// barrier bear the pressure p at a tenth of δ.
//
// Points meet the surface by inclusion and exclusion (point_features.hpp). Pairs of edges count as
// far as their connection lies between the normals of the triangles at each edge, seen at the start
// of the step: an edge inside a flat region acts along the normal only, not sideways.
//
// What is left out or weakened so is not safe from touching when the surface folds within a step,
// and collision detection would stop it where nothing pushes it back. So every point and triangle
// and every two edges have a guard besides: a barrier of full strength that begins at a hundredth
// of δ only, far below the gaps at which surfaces bear on each other.
#pragma once

#include <pliant/contact/edge_shares.hpp>
#include <pliant/contact/point_features.hpp>

#include <optional>

namespace pliant {

struct Contact {
  PairKind kind = PairKind::point_triangle;
  std::array<Index, 4> nodes = {0, 0, 0, 0};  // of the system; the last repeated where unused
  double stiffness = 0;                       // N/m; may be negative
  double thickness = 0;                       // m, the radii of both
  double parallel = 0;  // m⁴, edges: below this ‖e₁×e₂‖² is nearly parallel, and weakened
  double range = 1;     // of δ: the distance within which it acts
};
struct PlaneContact {
  Index node = 0, plane = 0;
  double stiffness = 0, thickness = 0;
};

// Of the set, from one block of candidates.
struct ContactPart {
  std::vector<Contact> contacts;
  double min_gap = std::numeric_limits<double>::infinity();
  PointFeatures::Lists features;

  void clear() {
    contacts.clear();
    min_gap = std::numeric_limits<double>::infinity();
  }
};

struct ContactSet {
  std::vector<Contact> contacts;
  std::vector<PlaneContact> planes;
  std::optional<double> min_gap;   // m, of all pairs looked at
  std::vector<ContactPart> parts;  // what it was put together from, kept for the next search

  std::size_t size() const { return contacts.size() + planes.size(); }
};

// Where a step began: what pairs of edges are weighted by.
struct WeightsFrom {
  std::span<const double> q;
  const EdgeShares* shares = nullptr;  // null: all have all of their weight
};

PairPoints gather(std::span<const double> q, const std::array<Index, 4>& nodes);

class ContactFinder {
 public:
  ContactFinder(const ContactSurface& surface, double delta);

  // From candidates that include all pairs within δ at q.
  void find(const Candidates& candidates, std::span<const double> q, const WeightsFrom& start,
            ContactSet& out) const;

  // How much of dq can be gone so that all keep a tenth of their gap, and half of a guard's.
  double safe_step(const Candidates& candidates, std::span<const double> q,
                   std::span<const double> dq) const;

  double delta() const { return delta_; }

 private:
  double stiffness(Index patch_a, Index patch_b, double area) const;
  double point_area(Index point, Index patch) const;
  double edge_area(Index first, Index second) const;
  double edge_weight(Index edge, const Vec3& away, std::span<const double> start) const;
  Contact from_feature(Index point, const PointFeature& feature) const;
  void add_edges(const CandidatePair& pair, std::span<const double> q, const WeightsFrom& start,
                 ContactPart& part) const;
  void add_simple(PairKind kind, const CandidatePair& pair, std::span<const double> q,
                  ContactPart& part) const;
  void add_planes(std::span<const double> q, ContactSet& out) const;
  double safe_step_from_planes(std::span<const double> q, std::span<const double> dq) const;

  const ContactSurface& surface_;
  double delta_;
  std::vector<double> mean_point_area_, mean_edge_area_;  // of each patch
};

}  // namespace pliant
