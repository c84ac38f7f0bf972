// The pairs that come within reach of each other on the way from q to q + dq, from lists that last.
// Newton's method goes many short ways near the same place: a list with room around it, of all
// pairs nearer than reach + 2 room, holds all that come within reach while no node has gone further
// than the room from where it was made, since a distance changes by no more than both sides move.
// Boxes of neighbours overlap at any distance; here pairs are taken by their distance, so that a
// list holds little more than the contacts of a surface.
#pragma once

#include <pliant/contact/broad_phase.hpp>

namespace pliant {

class NearPairs {
 public:
  // The surface must outlive this. `reach` in m.
  NearPairs(const ContactSurface& surface, double reach);
  // Finds pairs(), which then serve everything on the way. dq may be empty: nothing moves.
  void look_along(std::span<const double> q, std::span<const double> dq);
  const Candidates& pairs() const { return pairs_; }
  // The next list is made anew, so that what comes depends on nothing before.
  void forget() { room_ = 0; }

  int searches() const { return searches_; }

 private:
  bool lasts(std::span<const double> q, std::span<const double> dq) const;
  template <class Near>
  void keep(Near&& near);
  void look_around(std::span<const double> q, double room);
  void look_on_way(std::span<const double> q, std::span<const double> dq);

  const ContactSurface& surface_;
  double reach_, most_room_;
  BroadPhase broad_;
  Candidates pairs_;
  double room_ = 0;            // m; 0: the list is of one way only
  std::vector<double> place_;  // q around which there is room
  std::vector<char> is_near_;
  int searches_ = 0;
};

}  // namespace pliant
