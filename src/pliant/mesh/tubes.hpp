// Threads as tubes, for eyes only: cables, springs, tendons, muscles and rods are lines to the
// engine, and a line has no surface that light could fall on. Around every point of a thread lies a
// ring of vertices across its direction there, turned from ring to ring no more than the thread
// bends (parallel transport), so that a tube does not twist; both ends are closed. Which triangles
// there are depends on the threads alone, where they are on the points of the moment.
#pragma once

#include <pliant/mesh/mesh.hpp>

#include <array>
#include <span>

namespace pliant {

enum class ThreadKind { cable, spring, tendon, muscle, rod };
constexpr std::size_t kThreadKinds = 5;

struct Thread {
  ThreadKind kind = ThreadKind::cable;
  std::vector<Index> points;  // that it runs through, two at least; numbers of some list of points
  double radius = 0;          // m; 0: has none of its own
  Index body = -1;            // of a cable
};

// m: the thread's own radius, or one that can be seen in a picture of things so large.
double drawn_radius(const Thread& thread, double size);

// The segments of a mesh as chains of nodes from one end, or branching, to the next.
std::vector<std::vector<Index>> chains_of(std::span<const std::array<Index, 2>> segments);

class Tubes {
 public:
  Tubes() = default;
  // `size`, m, as for drawn_radius.
  Tubes(std::vector<Thread> threads, double size);

  bool empty() const { return threads_.empty(); }
  const std::vector<Thread>& threads() const { return threads_; }
  const std::vector<std::array<Index, 3>>& triangles() const { return triangles_; }
  // The thread of each triangle, and of each vertex its thread and the point that it goes with.
  const std::vector<Index>& thread_of_triangle() const { return thread_of_triangle_; }
  const std::vector<Index>& thread_of_vertex() const { return thread_of_vertex_; }
  const std::vector<Index>& source() const { return source_; }

  // The vertices where the points that threads run through are at `centres`, m.
  std::vector<Vec3> vertices(std::span<const Vec3> centres) const;

 private:
  void add_triangles(Index thread);

  std::vector<Thread> threads_;
  std::vector<double> radius_;  // m, as drawn
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<Index> thread_of_triangle_, thread_of_vertex_, source_;
};

}  // namespace pliant
