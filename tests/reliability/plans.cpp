#include <reliability/plans.hpp>

#include <pliant/run/combinations.hpp>

#include <fmt/format.h>

namespace pliant::reliability {

// Where each does what it is for:
// - qp serves methods that a barrier cannot: one of each family, over corners, edges and faces that
//   meet exactly, soft stacks, cloth and cables on themselves, slopes, and the fastest.
// - unilateral is for rigid bodies, joints and mechanisms, and takes soft ones; of its integrators
//   joints take fewer.
// - admm keeps points off obstacles: one body each, from soft to stiff and to cloth, and slopes.
//   Blades and needles are thinner than the mesh, which it does not promise to see.
const std::vector<Plan>& plans_beside_barrier() {
  static const std::vector<Plan> plans = {
      {ContactMethod::qp,
       {"be", "sdirk2", "ros3prl2", "siere"},
       {"wedge-across-wedge", "tets-corner-face", "tets-edge-edge-crossed", "aligned-pyramid",
        "five-cubes", "ball-1e5", "cube-1000", "cloth-on-knives", "cloth-in-a-heap",
        "cables-across", "slope-20-0.3", "stopping-0.4"},
       {"aligned-pyramid", "five-cubes", "cloth-in-a-heap"}},
      {ContactMethod::unilateral,
       {"be", "sdirk2", "trbdf2", "generalized-alpha"},
       {"rigid-five-cubes", "rigid-pile", "rigid-heavy-on-light-1e2", "rigid-chain-5",
        "jointed-chain-on-rod", "jointed-chain-struck", "jointed-cubes-on-needles",
        "jointed-paddle", "jointed-jaws", "tets-edge-face", "five-cubes", "cable-on-rods",
        "slope-20-0.3", "slope-20-0.5", "stopping-0.4"}},
      {ContactMethod::admm,
       {"be", "bdf2", "sdirk2", "trbdf2"},
       {"cube-on-cliff", "cube-on-irregular-plane", "ball-1e5", "ball-1e7", "cube-1000",
        "limited-cloth-on-ball", "cable-on-rods", "slope-20-0.3", "slope-20-0.5", "stopping-0.4"},
       {"cube-1000"}}};
  return plans;
}

// What of it decides whether things go together.
std::string refusal_of(const SceneSpec& spec, ContactMethod method, const std::string& integrator) {
  SceneDescription scene;
  scene.integrator.type = integrator;
  scene.integrator.where = "#/integrator";
  scene.solver.type = method == ContactMethod::admm ? "admm" : "newton";
  scene.solver.where = "#/solver";
  scene.contact.method = name_of(method);
  scene.contact.where = "#/contact";
  for (const Piece& piece : spec.pieces) {
    BodyDescription body;
    body.where = fmt::format("#/bodies/{}", scene.bodies.size());
    if (piece.rigid) body.rigid = RigidDescription();
    scene.bodies.push_back(std::move(body));
  }
  for (const Tie& tie : spec.ties) {
    ConstraintDescription joint;
    joint.type = tie.axis ? "hinge" : "ball";
    joint.motor = tie.motor;
    scene.constraints.push_back(std::move(joint));
  }
  try {
    require_sensible_combination(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace pliant::reliability
