// Continuous collision detection: how far the points of a pair may go along straight lines before
// the pair comes closer than allowed. Conservative advancement (Mirtich 1996) towards a part of the
// first gap, which is kept, as in additive CCD (Li, Kaufman and Jiang, Codimensional Incremental
// Potential Contact, 2021).
//
// For every unit vector n the slab between the simplices across n,
//   width(t) = min over corners a of the first, b of the second of n·(a(t) − b(t)),
// is no wider than their distance; with n along the shortest connection it is as wide. Each n·(a −
// b) is linear in t, so how long this slab stays open is known exactly, and going so far is safe;
// then a new n is taken. Motion along the slab costs nothing, so sliding pairs need few iterations
// where the bound by speeds alone needs as many as their way has gaps.
//
// Edges that turn about the place where they all but cross close every slab at their ends, though
// the gap stays. So after some iterations the lines of the edges, or the plane of the triangle, are
// looked at as well: while r·(e×f) keeps its sign nothing is passed through, and that is a cubic.
//
// Rounding. Nothing depends on how well n was found: a bad one makes the slab narrower, never
// wider, and where it is much narrower than the distance other directions are tried. The products
// are wrong by a few ε L, L the size of the coordinates, ε = 2⁻⁵²: a margin of 64 ε L is taken off
// the width. Pairs closer than that count as touching.
#pragma once

#include <pliant/contact/nearest.hpp>

namespace pliant {

struct CcdOptions {
  double thickness = 0;  // m, the distance that counts as contact
  double kept = 0.1;     // the part of the first gap that is kept
  int max_iterations = 1000;
};

struct CcdAnswer {
  bool hit = false;
  double time = 1;  // the safe part of the way, in [0, 1]; 1 where nothing is hit
  int iterations = 0;
};

// From x to x + dx. Where the iterations run out, as far as is known to be safe, as a hit.
CcdAnswer find_impact(PairKind kind, const PairPoints& x, const PairPoints& dx,
                      const CcdOptions& options = {});

}  // namespace pliant
