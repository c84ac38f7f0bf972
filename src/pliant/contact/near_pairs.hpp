// The pairs that come within reach of each other on the way from q to q + dq, from lists that last.
// Newton's method goes many short ways near the same place: a list with room around it, of all
// pairs nearer than reach + 2 room, holds all that come within reach while no node has gone further
// than the room from where it was made, since a distance changes by no more than both sides move.
// Boxes of neighbours overlap at any distance; here pairs are taken by their distance, so that a
// list holds little more than the contacts of a surface. There are two lists: a wide one, which a
// search finds and which lasts long, and a close one, picked from the wide one, which holds little
// more than the next way needs.
#pragma once

#include <pliant/contact/broad_phase.hpp>

namespace pliant {

class NearPairs {
 public:
  // The surface must outlive this. `reach` in m.
  NearPairs(const ContactSurface& surface, double reach);
  // Finds pairs(), which then serve everything on the way. dq may be empty: nothing moves.
  void look_along(std::span<const double> q, std::span<const double> dq);
  const Candidates& pairs() const { return close_.pairs; }
  // The next list is made anew, so that what comes depends on nothing before.
  void forget() { wide_.room = close_.room = 0; }

  int searches() const { return searches_; }

 private:
  struct List {
    Candidates pairs;
    double room = 0;                 // m; 0: of one way only
    std::vector<double> place = {};  // q around which there is room

    // No more of it than `needed` would be, by far, and all on the way is `spare` within its room.
    bool serves(double needed, double spare, std::span<const double> q,
                std::span<const double> dq) const;
  };
  // near(kind, pair, nodes) for every pair of `from`: those that are near come to `to`, which may
  // be the same.
  template <class Near>
  void pick(const Candidates& from, Candidates& to, Near&& near);
  void pick_around(std::span<const double> q, double room, const Candidates& from, List& to);
  void look_on_way(std::span<const double> q, std::span<const double> dq);

  const ContactSurface& surface_;
  double reach_, most_room_;
  BroadPhase broad_;
  List wide_, close_;
  std::vector<char> is_near_;
  int searches_ = 0;
};

}  // namespace pliant
