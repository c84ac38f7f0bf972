// A surface as a renderer wants it: a normal at each vertex, the mean of the triangles around it by
// their area, and vertices doubled along edges that are sharp at the start, so that a box keeps its
// edges and a ball has none.
#pragma once

#include <pliant/exports/job.hpp>

namespace pliant::exports {

struct ShadedSurface {
  std::string name;
  std::vector<Index> points;                    // places in a frame, one per vertex
  std::vector<std::array<Index, 3>> triangles;  // over the vertices

  std::vector<Vec3> normals(const std::vector<Vec3>& frame_points) const;  // of unit length
};

ShadedSurface make_shaded(const BodySurface& surface, const std::vector<Vec3>& frame_points);

}  // namespace pliant::exports
