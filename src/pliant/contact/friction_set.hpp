// Where friction acts in a step, with what it takes from an earlier moment: the normal forces and
// directions of the contacts (lagged, ASCHER §5), and how far each has been strained since it last
// held. Points meet a whole surface, not its single triangles: the net force on the point presses,
// and the nearest feature is what it rubs on, so that sliding over an edge changes nothing. A point
// that one surface has between two of its sides, as a cloth has its own middle layer, rubs on each.
#pragma once

#include <pliant/contact/barrier_term.hpp>

namespace pliant {

struct FrictionContact {
  // Which contact it is: of two sets, those with the same key are one and the same.
  std::array<Index, 5> key = {0, 0, 0, 0, 0};
  std::array<Index, 4> nodes = {0, 0, 0, 0};
  Eigen::Vector4d weights = Eigen::Vector4d::Zero();  // the relative motion is Σ w_i x_i
  Vec3 normal = Vec3::UnitY();
  double pressed = 0;             // N, λ
  double force = 0;               // N, μλ
  Vec3 slip = Vec3::Zero();       // m, since it held, at the positions of the set
  Vec3 direction = Vec3::Zero();  // w of Newton's method (friction_law.hpp)
  double missed = 0, taken = 1;   // N, and the part of it: of the last time it was relaxed

  Vec3 across(const Vec3& x) const { return x - normal.dot(x) * normal; }
  double opening(std::span<const double> v) const { return normal.dot(relative(v)); }  // m/s
  Vec3 relative(std::span<const double> x) const {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 4; ++i)
      if (weights[i] != 0) sum += weights[i] * node(x, nodes[static_cast<std::size_t>(i)]);
    return sum;
  }
};

struct FrictionSet {
  Vector q;                               // m, where `slip` was measured: the start of the step
  std::vector<FrictionContact> contacts;  // by their keys
  bool with_directions = false;           // tangents are those with w
  double epsilon = 0;                     // m or m/s, where it is coarser than the term's own
};

// μ of every pair of patches and of patches with planes.
class FrictionCoefficients {
 public:
  FrictionCoefficients(const ContactSurface& surface, double mu);
  void set(Index patch, Index other, double mu);
  void set_plane(Index patch, Index plane, double mu);
  double of(Index patch, Index other) const { return pairs_[place(patch, other)]; }
  double of_plane(Index patch, Index plane) const { return planes_[place_of_plane(patch, plane)]; }
  bool any() const;

 private:
  std::size_t place(Index a, Index b) const;
  std::size_t place_of_plane(Index a, Index b) const;
  std::size_t patches_, plane_count_;
  std::vector<double> pairs_, planes_;
};

class FrictionFinder {
 public:
  // `all`: contacts without friction, too.
  FrictionFinder(const BarrierTerm& barrier, FrictionCoefficients mu, bool all = false);
  // Contacts with the normal forces and directions at q. Their slip is zero.
  void find(const ContactSet& set, std::span<const double> q, FrictionSet& out) const;

 private:
  void add_planes(const ContactSet& set, std::span<const double> q, FrictionSet& out) const;
  void add_edges(const Contact& contact, const PairPoints& x, FrictionSet& out) const;
  void add_point(const ContactSet& set, std::span<std::size_t> features, std::span<const double> q,
                 FrictionSet& out) const;
  // Those of them that press from one side, as a contact with this number.
  void add_side(const ContactSet& set, std::span<const std::size_t> features, Index side,
                std::span<const double> q, FrictionSet& out) const;
  // An obstacle's point with a radius touches in many places at once, each of which rubs for
  // itself.
  bool is_ball(Index node) const;
  Index patch_of(Index node) const { return patch_of_node_[static_cast<std::size_t>(node)]; }

  const BarrierTerm& barrier_;
  FrictionCoefficients mu_;
  bool all_;
  std::vector<Index> patch_of_node_;
};

// The slip of `from` goes over to the same contacts of `to`, with what they moved in between, and
// no further than `longest`: beyond it a contact slides, and what holds it comes along.
void carry_slip(const FrictionSet& from, double longest, FrictionSet& to);

// Directions of the same contacts; others have none.
void carry_directions(const FrictionSet& from, FrictionSet& to);

// Of what was found at a place that the forces `used` have led to, so much of each that what swings
// comes to rest: all where it goes on in one direction, else a part by Aitken's rule.
void relax(const FrictionSet& used, FrictionSet& found);

// How much what presses differs between two sets, over its sum: 0 where they are the same.
double difference(const FrictionSet& one, const FrictionSet& other);

}  // namespace pliant
