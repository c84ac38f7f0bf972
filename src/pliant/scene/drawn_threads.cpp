#include <pliant/scene/drawn_threads.hpp>

#include <pliant/body/solid.hpp>
#include <pliant/scene/build_paths.hpp>
#include <pliant/scene/locate.hpp>

namespace pliant {
namespace {

ThreadKind kind_of(PathKind kind) {
  if (kind == PathKind::spring) return ThreadKind::spring;
  return kind == PathKind::muscle ? ThreadKind::muscle : ThreadKind::tendon;
}

DrawnThread rod(const ConstraintDescription& constraint, std::span<const Body> bodies) {
  DrawnThread thread{constraint.name, ThreadKind::rod, std::vector<PathPoint>(2), {}};
  thread.points[0].carried =
      locate(find_body(bodies, constraint.body), constraint.point, constraint.where + "/between/1");
  thread.points[1].world = constraint.other_point;
  if (constraint.other_body)
    thread.points[1].carried = locate(find_body(bodies, *constraint.other_body),
                                      constraint.other_point, constraint.where + "/between/3");
  return thread;
}

std::vector<Thread> cables_of(const SceneDescription& scene, std::span<const Body> bodies) {
  std::vector<Thread> cables;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (scene.bodies[k].type != "cable") continue;
    std::vector<std::array<Index, 2>> segments;
    for (const ElementBlock& block : bodies[k].mesh.blocks)
      for (Index e = 0; block.type == ElementType::segment2 && e < block.size(); ++e)
        segments.push_back({bodies[k].first_node + block.element(e)[0],
                            bodies[k].first_node + block.element(e)[1]});
    for (std::vector<Index>& chain : chains_of(segments))
      cables.push_back({ThreadKind::cable, std::move(chain), scene.bodies[k].thin->thickness,
                        static_cast<Index>(k)});
  }
  return cables;
}

}  // namespace

double tension_of(const Path& path, double t, std::span<const double> q,
                  std::span<const double> v) {
  const double L = path.length(q);
  const double tension = tension_of(path.law(), t, L).tension;
  if (path.law().damping == 0) return tension;
  return tension + viscous_tension_of(path.law(), t, L, path.rate(q, v)).tension;
}

DrawnThreads::DrawnThreads(const SceneDescription& scene, std::span<const Body> bodies,
                           std::span<const double> rest) {
  for (const ForceDescription& force : scene.forces)
    if (const auto* path = std::get_if<PathDescription>(&force.load))
      list_.push_back({path->name, kind_of(path->law.kind), path_points(*path, bodies),
                       make_path(*path, force.where, bodies, rest)});
  for (const ConstraintDescription& constraint : scene.constraints)
    if (constraint.type == "distance") list_.push_back(rod(constraint, bodies));
  std::vector<Thread> threads = cables_of(scene, bodies);
  const auto first = static_cast<Index>(rest.size() / 3);
  const std::vector<std::vector<Index>> lines = this->lines();
  for (std::size_t k = 0; k < list_.size(); ++k) {
    threads.push_back({list_[k].kind, lines[k], 0, -1});
    for (Index& n : threads.back().points) n += first;
  }
  Eigen::AlignedBox3d box;
  for (const Body& body : bodies)
    for (const Vec3& x : body.mesh.points) box.extend(x);
  for (const Vec3& x : points(rest)) box.extend(x);
  tubes_ = Tubes(std::move(threads), box.isEmpty() ? 1 : box.diagonal().norm());
}

std::vector<std::vector<Index>> DrawnThreads::lines() const {
  std::vector<std::vector<Index>> out;
  Index next = 0;
  for (const DrawnThread& thread : list_) {
    std::vector<Index>& line = out.emplace_back();
    for (std::size_t k = 0; k < thread.points.size(); ++k) line.push_back(next++);
  }
  return out;
}

std::vector<Vec3> DrawnThreads::points(std::span<const double> q) const {
  std::vector<Vec3> out;
  for (const DrawnThread& thread : list_)
    for (const PathPoint& point : thread.points)
      out.push_back(point.carried.count > 0 ? point.carried.at(q) : point.world);
  return out;
}

std::vector<Vec3> DrawnThreads::tube_vertices(std::span<const double> q) const {
  if (empty()) return {};
  std::vector<Vec3> centres;
  for (std::size_t i = 0; i + 2 < q.size(); i += 3) centres.emplace_back(q[i], q[i + 1], q[i + 2]);
  const std::vector<Vec3> more = points(q);
  centres.insert(centres.end(), more.begin(), more.end());
  return tubes_.vertices(centres);
}

}  // namespace pliant
