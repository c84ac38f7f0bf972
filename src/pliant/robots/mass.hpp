// Masses of links: from what the file says, or from shapes; moved, summed and split.
#pragma once

#include <pliant/robots/robot.hpp>
#include <pliant/robots/warnings.hpp>

namespace pliant::robots {

MassOf moved(const Pose& pose, const MassOf& mass);
MassOf sum(const MassOf& a, const MassOf& b);  // one of them may be nothing

// Takes a part of a mass away, with the same centre and the same share of the inertia, so that both
// together are what there was.
MassOf take_part(double part, MassOf& from);

bool is_possible_inertia(const Mat3& inertia);  // is there a body that has it?

// Of a solid of density one; `surface` is that of a mesh. A mesh that is not closed counts as the
// box around it, with a word.
MassOf mass_of_volume(const Shape& shape, Warnings& warnings);

// In the link: each shape with its own mass or density.
MassOf mass_of_shapes(const std::vector<Shape>& shapes, Warnings& warnings);

}  // namespace pliant::robots
