// The two formats: from XML to a robot, with a word about all that is not taken.
#pragma once

#include <pliant/robots/robot.hpp>
#include <pliant/robots/warnings.hpp>

namespace pliant::robots {

struct ReadOptions {
  std::filesystem::path folder;  // of the file
  bool fix_base = false;         // the first link stays where it is
  bool visual = false;           // shapes for the eye where there are any, not those for contact
};

// URDF, http://wiki.ros.org/urdf/XML. Throws InputError with file and line.
Robot read_urdf(const XmlElement& root, const ReadOptions& options, Warnings& warnings);

// MJCF, https://mujoco.readthedocs.io/en/stable/XMLreference.html. `root` has its included files in
// it already.
Robot read_mjcf(const XmlElement& root, const ReadOptions& options, Warnings& warnings);

// Puts the children of included files in the place of <include file="…"/>.
void include_files(XmlElement& root, const std::filesystem::path& folder);

// Lengths of shapes that can be computed with; throws InputError where one is not above zero.
double checked_length(const XmlElement& element, std::string_view what, double length);
Vec3 checked_lengths(const XmlElement& element, std::string_view what, const Vec3& lengths);
Vec3 checked_factors(const XmlElement& element, std::string_view what, const Vec3& factors);

}  // namespace pliant::robots
