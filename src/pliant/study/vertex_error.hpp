// How far one run is from another, vertex by vertex, over the frames that both have. Their meshes
// may differ: the vertices of the reference's surface are carried along by the elements of the
// run's mesh that they lie in at the start, where both are taken to be alike.
#pragma once

#include <pliant/io/results.hpp>

namespace pliant {

struct VertexError {
  std::size_t frames = 0;             // at common times
  std::size_t vertices = 0;           // of bodies that both have, by name
  double rms = 0, largest = 0;        // m
  std::vector<double> t, largest_at;  // s, m: the largest of each frame
};

VertexError vertex_error(const Results& reference, const Results& run);

}  // namespace pliant
