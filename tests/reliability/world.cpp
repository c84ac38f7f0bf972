#include <reliability/world.hpp>

#include <pliant/load/gravity.hpp>
#include <pliant/mesh/mass_properties.hpp>

#include <fmt/format.h>

#include <random>

namespace pliant::reliability {
namespace {

RigidInput rigid_of(const Piece& piece) {
  const MassProperties one =
      mass_properties(piece.mesh.points, make_surface(piece.mesh).triangles, "piece");
  RigidInput rigid;
  rigid.mass = piece.density * one.volume;
  rigid.centre = one.centre;
  rigid.inertia = piece.density * one.inertia;
  return rigid;
}

SolidInput solid_of(const Piece& piece, std::size_t number) {
  SolidInput solid;
  solid.name = fmt::format("body {}", number);
  solid.mesh = piece.mesh;
  MaterialConstants constants;
  constants.young = piece.young;
  constants.poisson = piece.poisson;
  constants.density = piece.density;
  solid.materials = {{piece.law, constants}};
  if (piece.rigid) {
    solid.rigid = rigid_of(piece);
    solid.materials.clear();
  }
  solid.thin = piece.thin;
  solid.alpha = piece.alpha;
  solid.beta = piece.beta;
  return solid;
}

// As a scene's rigid bodies are made stiff: a million times the stress to expect.
void stiffen(const SceneSpec& spec, std::vector<SolidInput>& solids) {
  Eigen::AlignedBox3d box;
  double mass = 0, speed = 0;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    for (const Vec3& x : solids[k].mesh.points) box.extend(x);
    mass += solids[k].rigid ? solids[k].rigid->mass : 0;
    speed = std::max(speed, spec.pieces[k].velocity.norm());
  }
  const double size = box.diagonal().norm(), gravity = spec.gravity.norm();
  speed = std::hypot(std::max(speed, size), std::sqrt(2 * gravity * size));
  for (SolidInput& solid : solids)
    if (solid.rigid) {
      solid.rigid->pressure =
          expected_stress(*solid.rigid, {speed, gravity, mass * (gravity + speed * speed / size)});
      solid.rigid->modulus = 1e6 * solid.rigid->pressure;
    }
}

Model model_of(const SceneSpec& spec) {
  std::vector<SolidInput> solids;
  for (std::size_t k = 0; k < spec.pieces.size(); ++k)
    solids.push_back(solid_of(spec.pieces[k], k));
  stiffen(spec, solids);
  std::vector<Vec3> nodes;
  for (const Wall& wall : spec.walls)
    nodes.insert(nodes.end(), wall.points.begin(), wall.points.end());
  return make_model(std::move(solids), nodes);
}

}  // namespace

Wall make_plane(const Vec3& point, const Vec3& normal) {
  Wall wall;
  wall.points = {point};
  wall.normal = normal.normalized();
  return wall;
}
Wall make_floor(double height) { return make_plane(Vec3(0, height, 0), Vec3::UnitY()); }
Wall make_wall(const Sheet& sheet, const Motion& motion) {
  Wall wall;
  wall.kind = Wall::Kind::sheet;
  wall.points = sheet.points;
  wall.surface = sheet.surface();
  wall.motion = motion;
  return wall;
}
Wall make_rod(const Vec3& from, const Vec3& to, double radius) {
  Wall wall;
  wall.kind = Wall::Kind::rod;
  wall.points = {from, to};
  wall.radius = radius;
  return wall;
}
Wall make_ball(const Vec3& center, double radius) {
  Wall wall;
  wall.kind = Wall::Kind::ball;
  wall.points = {center};
  wall.radius = radius;
  return wall;
}

std::vector<Wall> make_knives() {
  std::vector<Wall> knives;
  for (const double x : {-0.3, 0.05, 0.31}) {
    Sheet knife;
    knife.add_quad({x, -1, -1}, {x, -1, 1}, {x, 0, 1}, {x, 0, -1});
    knives.push_back(make_wall(knife));
  }
  return knives;
}
std::vector<Wall> make_needles(bool points) {
  std::vector<Wall> needles;
  for (const double x : {-0.3, 0.0, 0.3})
    for (const double z : {-0.3, 0.0, 0.3})
      needles.push_back(points ? make_ball(Vec3(x, 0, z), 0)
                               : make_rod(Vec3(x, -1, z), Vec3(x, 0, z), 0));
  return needles;
}

World::World(const SceneSpec& spec, double mu, unsigned seed, ContactMethod method)
    : spec_(spec), method_(method), model_(model_of(spec)) {
  System& system = *model_.system;
  Eigen::AlignedBox3d box;
  for (const Body& body : model_.bodies)
    for (const Vec3& x : body.mesh.points) box.extend(x);
  diagonal_ = box.diagonal().norm();
  if (!spec.gravity.isZero(0))
    system.add_term(std::make_unique<Gravity>(spec.gravity, system.mass(), view(system.rest())));
  add_grips();
  add_walls();
  add_ties();
  add_contact(mu);
  start_ = system.make_state();
  set_velocities();
  if (seed > 0) jitter(seed);
}

void World::set_velocities() {
  start_.v.setZero();
  for (std::size_t k = 0; k < model_.bodies.size(); ++k)
    for (Index n = model_.bodies[k].first_solved(); n < model_.bodies[k].end_solved(); ++n)
      node(view(start_.v), n) = spec_.pieces[k].velocity;
  system().follow(view(start_.v));
}

void World::start_from(const State& rest) {
  start_.q = rest.q;
  start_.friction = rest.friction;
  set_velocities();
}

void World::add_grips() {
  for (std::size_t k = 0; k < model_.bodies.size(); ++k)
    for (const Grip& grip : spec_.pieces[k].grips) {
      Pin pin;
      const Body& body = model_.bodies[k];
      for (Index n = 0; n < body.mesh.point_count(); ++n)
        if (grip.holds(body.mesh.points[static_cast<std::size_t>(n)]))
          pin.nodes.push_back(body.first_node + n);
      if (body.rigid) {
        const Index first = body.rigid->first;
        pin.nodes = {first, first + 1, first + 2, first + 3};
      }
      pin.motion = grip.motion;
      model_.system->add_pin(std::move(pin));
    }
}

void World::add_walls() {
  Index next = model_.system->body_nodes();
  for (const Wall& wall : spec_.walls) {
    wall_nodes_.push_back(next);
    Pin pin;
    for (std::size_t n = 0; n < wall.points.size(); ++n) pin.nodes.push_back(next++);
    pin.motion = wall.motion;
    model_.system->add_pin(std::move(pin));
  }
}

void World::add_ties() {
  JointRows rows;
  const auto end_at = [this](const Tie& tie, std::optional<std::size_t> piece) {
    JointEnd end;
    if (!piece) end.world = tie.at;
    const Vec3 n = tie.axis.value_or(Vec3::UnitY()), t = n.unitOrthogonal();
    const auto carried = [&](const Vec3& direction) {
      if (!piece || !model_.bodies[*piece].rigid) return LinearForm(direction);
      const RigidFrame& body = *model_.bodies[*piece].rigid;
      return LinearForm(body.point(tie.at + direction)) - LinearForm(body.point(tie.at));
    };
    if (piece) end.point = model_.bodies[*piece].attach(tie.at).point;
    end.axis = carried(n), end.t = carried(t), end.s = carried(n.cross(t));
    return end;
  };
  for (const Tie& tie : spec_.ties)
    add_joint({.name = "tie",
               .type = tie.axis ? JointType::hinge : JointType::ball,
               .a = end_at(tie, tie.a),
               .b = end_at(tie, tie.b),
               .motor = tie.motor},
              rows);
  for (auto& batch : make_batches(std::move(rows))) model_.system->add_constraint(std::move(batch));
}

// Bodies as a whole and every point of them, each by half of the jitter. The undeformed state stays
// as it is.
void World::jitter(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  const double most = 0.5 * spec_.jitter * diagonal_;
  const auto any = [&] {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vec3(most * x, most * y, most * z);
  };
  for (const Body& body : model_.bodies) {
    const Vec3 shift = spec_.shifts ? any() : Vec3::Zero();
    for (Index n = body.first_solved(); n < body.end_solved(); ++n)
      node(view(start_.q), n) += body.rigid ? shift : Vec3(shift + any());
  }
  system().follow(view(start_.q));
}

bool World::is_free() const {
  return spec_.gravity.isZero(0) && system().pins().empty() &&
         std::all_of(spec_.ties.begin(), spec_.ties.end(),
                     [](const Tie& tie) { return tie.b.has_value(); });
}

bool World::is_driven() const {
  return std::any_of(system().pins().begin(), system().pins().end(),
                     [](const Pin& pin) { return !pin.motion.at_rest(); }) ||
         has_motors();
}

bool World::has_motors() const {
  return std::any_of(spec_.ties.begin(), spec_.ties.end(),
                     [](const Tie& tie) { return tie.motor.has_value(); });
}

Vec3 World::mean(std::span<const double> x, std::size_t b) const {
  const Body& body = model_.bodies[b];
  const NodeMatrix& M = system().mass();
  const BlockPattern& pattern = M.pattern();
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (Index n = body.first_solved(); n < body.end_solved(); ++n) {
    double row = 0;
    for (Index k = pattern.row_start[static_cast<std::size_t>(n)];
         k < pattern.row_start[static_cast<std::size_t>(n) + 1]; ++k)
      row += M.values()[static_cast<std::size_t>(k)];
    sum += row * node(x, n);
    mass += row;
  }
  return sum / mass;
}

Vec3 World::center(const State& state, std::size_t body) const { return mean(view(state.q), body); }
Vec3 World::velocity(const State& state, std::size_t body) const {
  return mean(view(state.v), body);
}

double World::volume(const State& state, std::size_t b) const {
  const Body& body = model_.bodies[b];
  std::vector<Vec3> x;
  for (Index n = body.first_node; n < body.end_node(); ++n) x.push_back(node(view(state.q), n));
  return enclosed_volume(x, body.surface.triangles);
}

double World::largest_miss(const State& state) const {
  const ConstraintSet& constraints = system().constraints();
  Vector phi = Vector::Zero(constraints.rows());
  constraints.value(state.t, view(state.q), phi);
  for (Index k = 0; k < phi.size(); ++k)
    if (constraints.is_about_rate(k)) phi[k] = 0;
  return phi.size() ? phi.lpNorm<Eigen::Infinity>() : 0;
}

double World::lowest(const State& state, std::size_t b) const {
  const Body& body = model_.bodies[b];
  double y = std::numeric_limits<double>::infinity();
  for (const auto& triangle : body.surface.triangles)
    for (const Index n : triangle) y = std::min(y, node(view(state.q), body.first_node + n).y());
  for (const auto& edge : body.surface.edges)
    for (const Index n : edge) y = std::min(y, node(view(state.q), body.first_node + n).y());
  return y;
}

}  // namespace pliant::reliability
