#include <pliant/study/vertex_error.hpp>

#include <pliant/core/parallel.hpp>
#include <pliant/element/mapped_point.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace pliant {
namespace {

struct Carried {
  Index vertex = 0;   // of the reference
  MappedPoint point;  // the same place, by points of the run
};

// The cells of one body, over the points of all.
Mesh body_mesh(const Results& results, Index body) {
  Mesh out;
  out.points = results.mesh().points;
  std::size_t cell = 0;
  for (const ElementBlock& block : results.mesh().blocks) {
    ElementBlock part;
    part.type = block.type;
    for (Index e = 0; e < block.size(); ++e, ++cell)
      if (results.body_of_cell()[cell] == body)
        part.nodes.insert(part.nodes.end(), block.element(e).begin(), block.element(e).end());
    if (!part.nodes.empty()) out.blocks.push_back(std::move(part));
  }
  return out;
}

std::vector<Carried> carried_vertices(const Results& reference, const Results& run) {
  std::vector<Carried> out;
  const auto& own = run.bodies();
  for (const ResultBody& body : reference.bodies()) {
    const auto found = std::find_if(own.begin(), own.end(),
                                    [&](const ResultBody& b) { return b.name == body.name; });
    if (found == own.end()) continue;
    const Mesh mesh = body_mesh(run, static_cast<Index>(found - own.begin()));
    if (mesh.blocks.empty()) continue;
    std::set<Index> seen;
    for (const auto& triangle : reference.surface().triangles)
      for (const Index n : triangle)
        if (n >= body.first_node && n < body.first_node + body.nodes) seen.insert(n);
    const std::size_t first = out.size();
    for (const Index n : seen) out.push_back({n, {}});
    parallel_for_each(seen.size(), 64, [&](std::size_t k) {
      const Vec3& x = reference.mesh().points[static_cast<std::size_t>(out[first + k].vertex)];
      out[first + k].point = attach_point(mesh, x).point;
    });
  }
  return out;
}

Vec3 place(const MappedPoint& point, const std::vector<Vec3>& points) {
  Vec3 x = Vec3::Zero();
  for (std::size_t a = 0; a < static_cast<std::size_t>(point.count); ++a)
    x += point.weights[a] * points[static_cast<std::size_t>(point.nodes[a])];
  return x;
}

}  // namespace

VertexError vertex_error(const Results& reference, const Results& run) {
  VertexError error;
  const std::vector<Carried> vertices = carried_vertices(reference, run);
  error.vertices = vertices.size();
  if (vertices.empty()) return error;
  double sum = 0;
  for (std::size_t k = 0; k < run.size(); ++k) {
    const double t = run.times()[k], slack = 1e-9 * std::max(1.0, std::abs(t));
    const auto& times = reference.times();
    const auto at = std::lower_bound(times.begin(), times.end(), t - slack);
    if (at == times.end() || *at > t + slack) continue;
    const ResultFrame wanted = reference.read(static_cast<std::size_t>(at - times.begin()));
    const ResultFrame frame = run.read(k);
    double most = 0;
    for (const Carried& vertex : vertices) {
      const double d = (place(vertex.point, frame.points) -
                        wanted.points[static_cast<std::size_t>(vertex.vertex)])
                           .norm();
      sum += d * d;
      most = std::max(most, d);
    }
    ++error.frames;
    error.t.push_back(t);
    error.largest_at.push_back(most);
    error.largest = std::max(error.largest, most);
  }
  if (error.frames > 0)
    error.rms = std::sqrt(sum / static_cast<double>(error.frames * vertices.size()));
  return error;
}

}  // namespace pliant
