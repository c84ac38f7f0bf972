// Shapes as triangles: those of files, those of simple shapes, and several together.
#pragma once

#include <pliant/mesh/mesh.hpp>
#include <pliant/robots/robot.hpp>

namespace pliant::robots {

struct Triangles {
  std::vector<Vec3> points;  // m
  std::vector<std::array<Index, 3>> triangles;
};

// In the shape's own coordinates. Of a file: its surface, scaled, turned outwards again where a
// factor mirrors it, without triangles that have no area or are there twice. Throws InputError with
// the place in the robot's file.
Triangles surface_of(const Shape& shape);

// All of them, moved by their poses.
Triangles surface_of(const std::vector<Shape>& shapes);

// The edge length that round shapes are made with, m.
double edge_length(const Shape& shape);

Mesh make_mesh(const Triangles& surface);

// The file that a description names: a path from its own folder (or `folder` in it), or
// package://PACKAGE/PATH, whose tail is looked for there and in the folders above. Throws
// InputError, beginning with `where`, that lists what was tried.
std::filesystem::path find_mesh_file(const std::string& written, const std::filesystem::path& from,
                                     const std::filesystem::path& folder, const std::string& where);

}  // namespace pliant::robots
