#include <pliant/view/live_fields.hpp>

#include <pliant/run/contact_force.hpp>

#include <algorithm>

namespace pliant {
namespace {

constexpr std::array<Field, 4> kLiveFields = {Field::velocity, Field::stress, Field::det,
                                              Field::contact_force};

bool wished(Wishes wishes, Field field) {
  return (wishes & (2u << static_cast<std::uint32_t>(field))) != 0;
}

std::vector<float> coordinates(const ViewedSurface& surface, std::span<const double> x,
                               double scale = 1) {
  std::vector<float> out(3 * surface.vertices());
  for (std::size_t k = 0; k < surface.body_vertices(); ++k)
    for (int i = 0; i < 3; ++i)
      out[3 * k + static_cast<std::size_t>(i)] =
          static_cast<float>(scale * node(x, surface.nodes[k])[i]);
  return out;
}

// Of a vector at each node, its length.
std::vector<float> lengths(const ViewedSurface& surface, std::span<const double> v) {
  std::vector<float> out(surface.body_vertices());
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = static_cast<float>(node(v, surface.nodes[k]).norm());
  return out;
}

// Of the cells of all bodies in turn, as the surface counts them.
std::vector<float> of_cells(const ViewedSurface& surface, const RunMoment& moment, Field field) {
  const Configuration c = at(moment.state);
  std::vector<double> cells, part;
  for (const Body& body : moment.built.model.bodies) {
    const std::size_t first = cells.size();
    cells.resize(first + static_cast<std::size_t>(body.mesh.element_count()));
    for (const Body::Batch& batch : body.batches) {
      part.resize(batch.elements.size());
      if (field == Field::stress)
        batch.von_mises(c, part);
      else
        batch.term->smallest_det(c, part);
      for (std::size_t e = 0; e < part.size(); ++e)
        cells[first + static_cast<std::size_t>(batch.elements[e])] = part[e];
    }
    body.give_to_skin(std::span(cells).subspan(first));
  }
  std::vector<float> out(surface.body_vertices());
  surface.to_vertices(cells, out);
  return out;
}

// Without contact its force is zero.
std::vector<float> values_of(const ViewedSurface& surface, const RunMoment& moment, Field field) {
  if (field == Field::velocity) return lengths(surface, view(moment.state.v));
  if (field != Field::contact_force) return of_cells(surface, moment, field);
  const Vector force = contact_force(*moment.built.model.system, moment.state);
  if (force.size() == 0) return std::vector<float>(surface.body_vertices(), 0);
  return lengths(surface, view(force));
}

}  // namespace

ViewedSurface draw_bodies(const BuiltScene& built) {
  std::vector<SurfacePart> parts;
  std::vector<BodyNodes> bodies;
  for (const Body& body : built.model.bodies) {
    parts.push_back({&body.mesh, &body.surface, body.first_node});
    bodies.push_back({body.name, body.first_node, body.end_node()});
  }
  const std::vector<Vec3> vertices = built.threads.tube_vertices(view(built.start.q));
  const ViewedTubes tubes{&built.threads.tubes(), vertices};
  ViewedSurface surface = make_viewed_surface(parts, bodies, tubes);
  const auto first_cable = surface.nodes.begin() + static_cast<std::ptrdiff_t>(surface.first_cable);
  for (const Pin& pin : built.model.system->pins()) {
    if (pin.from > 0 || pin.until <= 0) continue;
    for (const Index n : pin.nodes) {
      const auto found = std::lower_bound(surface.nodes.begin(), first_cable, n);
      if (found != first_cable && *found == n)
        surface.pinned[static_cast<std::size_t>(found - surface.nodes.begin())] = 1;
    }
  }
  const DrawnObstacles& obstacles = built.obstacles;
  std::vector<Index> starts;
  for (const DrawnObstacles::Part& part : obstacles.parts()) starts.push_back(part.first_point);
  const std::vector<Vec3> points = obstacles.points(view(built.start.q));
  add_obstacles({points, obstacles.triangles(), starts}, surface);
  add_threads(tubes, surface);
  return surface;
}

Frame draw(const ViewedSurface& surface, const RunMoment& moment, Wishes wishes) {
  Frame frame;
  frame.time = moment.state.t;
  frame.positions = coordinates(surface, view(moment.state.q));
  place_obstacles(surface, moment.built.obstacles.points(view(moment.state.q)), frame.positions);
  place_tubes(surface, moment.built.threads.tube_vertices(view(moment.state.q)), frame.positions);
  for (const Field field : kLiveFields) {
    if (!wished(wishes, field)) continue;
    std::vector<float>& values = frame.fields[static_cast<std::size_t>(field)];
    values = values_of(surface, moment, field);
    surface.extend(values);
  }
  return frame;
}

bool has_fields(const Frame& frame, Wishes wishes) {
  return std::all_of(kLiveFields.begin(), kLiveFields.end(),
                     [&](Field field) { return !wished(wishes, field) || frame.has(field); });
}

Frame displacement_frame(const ViewedSurface& surface, const Vector& shape) {
  double longest = 0;
  for (const Index n : surface.nodes) longest = std::max(longest, node(view(shape), n).norm());
  Frame frame;
  frame.positions = coordinates(surface, view(shape), longest > 0 ? 1 / longest : 0);
  return frame;
}

}  // namespace pliant
