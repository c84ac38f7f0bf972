#include <pliant/robots/mass.hpp>

#include <pliant/body/rigid.hpp>
#include <pliant/core/error.hpp>
#include <pliant/mesh/mass_properties.hpp>
#include <pliant/robots/shapes.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pliant::robots {
namespace {

constexpr double pi = std::numbers::pi;

// m (r² 1 − r rᵀ): what a mass adds about a point that is r away from its centre.
Mat3 shifted(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

MassOf diagonal(double mass, const Vec3& moments) {
  return {mass, Vec3::Zero(), moments.asDiagonal()};
}

MassOf of_box(const Vec3& edges) {
  const Vec3 s = edges.cwiseAbs2() / 12;
  const double m = edges.prod();
  return diagonal(m, m * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()));
}

MassOf of_ellipsoid(const Vec3& radii) {
  const Vec3 s = radii.cwiseAbs2() / 5;
  const double m = 4 * pi / 3 * radii.prod();
  return diagonal(m, m * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()));
}

MassOf of_cylinder(double r, double length) {
  const double m = pi * r * r * length;
  const double across = m * (r * r / 4 + length * length / 12);
  return diagonal(m, Vec3(across, across, m * r * r / 2));
}

// A cylinder and two half balls, whose own centres are 3r/8 beyond its ends.
MassOf of_capsule(double r, double length) {
  const MassOf rod = of_cylinder(r, length);
  const double ball = 4 * pi / 3 * r * r * r;
  const double along = 0.4 * ball * r * r;
  const double from_middle = length / 2 + 3 * r / 8;
  const double across = along - ball * std::pow(3 * r / 8, 2) + ball * from_middle * from_middle;
  return diagonal(rod.mass + ball, rod.inertia.diagonal() + Vec3(across, across, along));
}

MassOf of_mesh(const Shape& shape, Warnings& warnings) {
  const Triangles surface = surface_of(shape);
  try {
    const MassProperties one = mass_properties(surface.points, surface.triangles, shape.where);
    return {one.volume, one.centre, one.inertia};
  } catch (const InputError&) {
    Eigen::AlignedBox3d box;
    for (const Vec3& x : surface.points) box.extend(x);
    warnings.add("open mesh", shape.where,
                 fmt::format("{} is not a closed surface that faces outwards, so that a mass "
                             "cannot be found from it; that of the box around it is taken",
                             shape.file.filename().string()));
    MassOf mass = of_box(box.sizes().cwiseMax(1e-3 * box.sizes().maxCoeff()));
    mass.centre = box.center();
    return mass;
  }
}

}  // namespace

MassOf moved(const Pose& pose, const MassOf& mass) {
  return {mass.mass, pose * mass.centre, pose.R * mass.inertia * pose.R.transpose()};
}

MassOf sum(const MassOf& a, const MassOf& b) {
  if (!(a.mass > 0)) return b;
  if (!(b.mass > 0)) return a;
  MassOf all;
  all.mass = a.mass + b.mass;
  all.centre = (a.mass * a.centre + b.mass * b.centre) / all.mass;
  all.inertia = a.inertia + b.inertia + shifted(a.mass, a.centre - all.centre) +
                shifted(b.mass, b.centre - all.centre);
  return all;
}

MassOf take_part(double part, MassOf& from) {
  const MassOf taken{part * from.mass, from.centre, part * from.inertia};
  from.mass -= taken.mass;
  from.inertia -= taken.inertia;
  return taken;
}

bool is_possible_inertia(const Mat3& inertia) {
  try {
    require_possible_inertia(inertia, "");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

MassOf mass_of_volume(const Shape& shape, Warnings& warnings) {
  const Vec3& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::box:
      return of_box(s);
    case ShapeKind::sphere:
      return of_ellipsoid(Vec3::Constant(s.x()));
    case ShapeKind::ellipsoid:
      return of_ellipsoid(s);
    case ShapeKind::cylinder:
      return of_cylinder(s.x(), s.y());
    case ShapeKind::capsule:
      return of_capsule(s.x(), s.y());
    case ShapeKind::mesh:
      return of_mesh(shape, warnings);
  }
  return {};
}

MassOf mass_of_shapes(const std::vector<Shape>& shapes, Warnings& warnings) {
  MassOf all;
  for (const Shape& shape : shapes) {
    MassOf one = mass_of_volume(shape, warnings);
    const double factor = shape.mass ? *shape.mass / one.mass : shape.density;
    one.mass *= factor;
    one.inertia *= factor;
    all = sum(all, moved(shape.pose, one));
  }
  return all;
}

}  // namespace pliant::robots
