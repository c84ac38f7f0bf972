// Blocks over a plane that keeps them off by a barrier.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/contact/friction_term.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>

namespace pliant::fixtures {

inline constexpr double kYoung = 1e5, kDensity = 1000, kDelta = 5e-3;

inline SolidInput block(const Vec3& place, ElementType element = ElementType::tet4,
                        double young = kYoung) {
  SolidInput solid;
  solid.mesh = make_box({Vec3(0.5, 0.5, 0.5), {2, 2, 2}, element});
  for (Vec3& x : solid.mesh.points) x += place;
  MaterialConstants constants;
  constants.young = young, constants.poisson = 0.4, constants.density = kDensity;
  solid.materials = {{"stable-neo-hookean", constants}};
  return solid;
}

struct ContactScene {
  Model model;
  State state;

  explicit ContactScene(std::vector<SolidInput> solids, const Vec3& gravity = Vec3(0, -9.81, 0),
                        double young = kYoung, const Motion& of_floor = {}) {
    const std::array<Vec3, 1> floor = {Vec3(0, 0, 0)};
    model = make_model(std::move(solids), floor);
    System& system = *model.system;
    if (!gravity.isZero(0))
      system.add_term(std::make_unique<Gravity>(gravity, system.mass(), view(system.rest())));
    Pin pin;
    pin.nodes = {system.nodes() - 1};
    pin.motion = of_floor;
    system.add_pin(pin);
    ContactSurface surface;
    for (const Body& body : model.bodies)
      surface.add({.name = body.name, .modulus = young}, body.surface, body.first_node,
                  view(system.rest()));
    surface.planes.push_back({"floor", system.nodes() - 1, Vec3::UnitY()});
    surface.finish();
    system.add_contact(std::make_unique<BarrierTerm>(std::move(surface), kDelta));
    state = system.make_state();
  }

  void add_friction(double mu, FrictionOptions options) {
    System& system = *model.system;
    system.add_friction(std::make_unique<FrictionTerm>(
        *system.contact(), FrictionCoefficients(system.contact()->surface(), mu), options));
  }

  const System& system() const { return *model.system; }
  Configuration now() const { return at(state); }
  double energy() const { return system().energies(now()).total(); }
  std::optional<double> min_gap() const {
    ContactSet own;
    return system().contact()->contacts(now(), own).min_gap;
  }
  double lowest() const {
    double y = 1e9;
    for (Index n = 0; n + 1 < system().nodes(); ++n) y = std::min(y, node(view(state.q), n).y());
    return y;
  }
};

}  // namespace pliant::fixtures
