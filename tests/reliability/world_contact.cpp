// What can touch in a scene, and the method that keeps it apart, as a run has them.
#include <reliability/world.hpp>

#include <pliant/body/bodies_of_nodes.hpp>

#include <fmt/format.h>

namespace pliant::reliability {
namespace {

// Of the diagonal, as scenes have it: where a barrier begins, the gap that the others keep, and
// within which a contact that sticks is held.
constexpr double kDistance = 1e-3, kMargin = 1e-4, kHold = 1e-6;

// How fast things may meet: as fast as they start or are moved, and as they fall.
double meeting_speed(const SceneSpec& spec, double diagonal) {
  double fastest = 0;
  for (const Piece& piece : spec.pieces) fastest = std::max(fastest, piece.velocity.norm());
  for (const Wall& wall : spec.walls) fastest = std::max(fastest, wall.motion.velocity.norm());
  return std::sqrt(fastest * fastest + 2 * spec.gravity.norm() * diagonal);
}

void add_wall(const Wall& wall, const std::string& name, Index first, std::span<const double> rest,
              ContactSurface& surface) {
  const ContactPatch patch{.name = name, .radius = wall.radius, .obstacle = true};
  const std::array<std::array<Index, 2>, 1> rod = {{{first, first + 1}}};
  switch (wall.kind) {
    case Wall::Kind::plane:
      surface.planes.push_back({patch.name, first, wall.normal});
      break;
    case Wall::Kind::ball:
      surface.add_points(patch, std::array{first});
      break;
    case Wall::Kind::rod:
      surface.add_edges(patch, rod, rest);
      break;
    case Wall::Kind::sheet:
      surface.add(patch, wall.surface, first, rest);
      break;
  }
}

}  // namespace

ContactSurface World::make_surface_of_contact() const {
  ContactSurface surface;
  if (!system().followers().empty()) surface.followers = &system().followers();
  const std::span<const double> rest = view(system().rest());
  const double speed = meeting_speed(spec_, diagonal_);
  const bool obstacles_alone = method_ == ContactMethod::admm;
  for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
    const Body& body = model_.bodies[k];
    ContactPatch patch;
    patch.name = body.name;
    patch.modulus = body.rigid
                        ? body.rigid->pressure
                        : bearing_pressure(spec_.pieces[k].young, spec_.pieces[k].density, speed);
    patch.self = !body.rigid && !obstacles_alone;
    patch.radius = spec_.pieces[k].radius();
    if (obstacles_alone) patch.ignored_groups = {"bodies"};
    surface.add(patch, body.surface, body.first_node, rest);
  }
  for (std::size_t k = 0; k < spec_.walls.size(); ++k)
    add_wall(spec_.walls[k], fmt::format("wall {}", k), wall_nodes_[k], rest, surface);
  surface.finish();
  return surface;
}

void World::add_contact(double mu) {
  System& system = *model_.system;
  if (method_ == ContactMethod::barrier) {
    const double delta = spec_.distance.value_or(kDistance * diagonal_);
    system.add_contact(std::make_unique<BarrierTerm>(make_surface_of_contact(), delta));
    if (mu == 0) return;
    FrictionOptions options;
    options.epsilon = kHold * diagonal_;
    system.add_friction(std::make_unique<FrictionTerm>(
        *system.contact(), FrictionCoefficients(system.contact()->surface(), mu), options));
    return;
  }
  using By = ContactRules::By;
  ContactRules rules;
  rules.surface = make_surface_of_contact();
  rules.margin = kMargin * diagonal_;
  rules.friction = mu;
  rules.by = method_ == ContactMethod::qp           ? By::qp
             : method_ == ContactMethod::unilateral ? By::unilateral
                                                    : By::admm;
  rules_ = std::make_shared<const ContactRules>(std::move(rules));
  if (method_ != ContactMethod::admm)
    system.add_term(std::make_unique<ContactLoad>(bodies_of_nodes(model_)));
}

std::optional<double> World::smallest_gap(const State& state) const {
  if (rules_) return touching_pairs(*rules_, view(state.q)).min_gap;
  Configuration c = at(state);
  ContactSet own;
  return system().contact()->contacts(c, own).min_gap;
}

Vec3 World::contact_force(const State& state, std::size_t b) const {
  Vector f = Vector::Zero(system().dofs());
  if (rules_ && state.contact_force) f = *state.contact_force;
  if (system().contact()) system().contact()->add_force(at(state), view(f));
  if (system().friction()) system().friction()->add_force(at(state), view(f));
  Vec3 sum = Vec3::Zero();
  for (Index n = model_.bodies[b].first_node; n < model_.bodies[b].end_node(); ++n)
    sum += node(view(f), n);
  return sum;
}

}  // namespace pliant::reliability
