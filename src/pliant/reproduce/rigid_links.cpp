#include <pliant/reproduce/rigid_links.hpp>

#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/mass_properties.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

constexpr double kGravity = 9.81;
constexpr double kThickness = 0.2;  // of the length

SolidInput make_link(const LinkChain& chain, Index k) {
  SolidInput link;
  link.name = fmt::format("link {}", k + 1);
  const double side = kThickness * chain.length;
  link.mesh = make_box({Vec3(chain.length, side, side), {1, 1, 1}, ElementType::hex8});
  const MassProperties one =
      mass_properties(link.mesh.points, make_surface(link.mesh).triangles, link.name);
  const Vec3 centre((static_cast<double>(k) + 0.5) * chain.length, 0, 0);
  for (Vec3& x : link.mesh.points) x += centre - one.centre;
  RigidInput rigid;
  rigid.mass = k + 1 == chain.links ? chain.weight : 1;
  rigid.centre = centre;
  rigid.inertia = rigid.mass / one.volume * one.inertia;
  rigid.formulation = RigidFormulation::se3;
  link.rigid = rigid;
  return link;
}

JointEnd end_at(const Body* body, const Vec3& place) {
  JointEnd end;
  const auto carried = [&](const Vec3& d) {
    return body ? LinearForm(body->rigid->point(place + d)) - LinearForm(body->rigid->point(place))
                : LinearForm(d);
  };
  if (body)
    end.point = body->rigid->point(place);
  else
    end.world = place;
  end.axis = carried(Vec3::UnitZ()), end.t = carried(Vec3::UnitX()), end.s = carried(Vec3::UnitY());
  return end;
}

}  // namespace

Model make_link_chain(const LinkChain& chain) {
  std::vector<SolidInput> links;
  for (Index k = 0; k < chain.links; ++k) links.push_back(make_link(chain, k));
  Model model = make_model(std::move(links));
  System& system = *model.system;
  system.add_term(
      std::make_unique<Gravity>(Vec3(0, -kGravity, 0), system.mass(), view(system.rest())));
  JointRows rows;
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    const Vec3 place(static_cast<double>(k) * chain.length, 0, 0);
    const Body* before = k > 0 ? &model.bodies[k - 1] : nullptr;
    add_joint({fmt::format("joint {}", k + 1), chain.joint, end_at(&model.bodies[k], place),
               end_at(before, place), 0, 0, chain.limits},
              rows);
  }
  for (auto& batch : make_batches(std::move(rows))) system.add_constraint(std::move(batch));
  return model;
}

Swing swing(const LinkChain& chain, const SolverOptions& solver, double h, double duration) {
  const Model model = make_link_chain(chain);
  const System& system = *model.system;
  State state = system.make_state();
  const auto stepper = make_stepper("be", solver);
  const double height = static_cast<double>(chain.links) * chain.length;
  const double fall = (static_cast<double>(chain.links) - 1 + chain.weight) * kGravity * height;
  const double start = system.energies(at(state)).total();
  Swing out;
  Vector phi;
  const auto steps = static_cast<int>(std::lround(duration / h));
  for (int k = 0; k < steps; ++k) {
    if (!stepper->step(system, state, h).ok || !state.q.allFinite()) return out;
    system.constraints().value(state.t, view(state.q), phi);
    for (Index row = 0; row < phi.size(); ++row)
      if (!std::isfinite(system.constraints().low()[row]))
        out.gap = std::max(out.gap, std::abs(phi[row]));
    out.gain = std::max(out.gain, (system.energies(at(state)).total() - start) / fall);
    out.until = state.t;
    if (out.gap > 0.1 * chain.length || out.gain > 1e-3) return out;
  }
  out.stable = true;
  return out;
}

}  // namespace pliant
