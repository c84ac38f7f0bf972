// The sharp edges of a triangle surface as polylines, for the mesher to keep. Private to the
// module.
#pragma once

#include <pliant/mesh/mesher.hpp>

namespace pliant::mesher {

struct SharpEdges {
  double angle = 60;      // degrees between the normals of the two triangles
  double min_length = 0;  // m: connected sets of sharp edges shorter in all are left to be rounded
};

// Each polyline ends where three or more sharp edges meet, where one ends or where it turns by more
// than `angle`; closed ones repeat their first point. A creature has many short folds that would
// only force small elements, hence the minimal length.
std::vector<std::vector<Vec3>> sharp_polylines(const TriangleSoup& surface,
                                               const SharpEdges& choice);

}  // namespace pliant::mesher
