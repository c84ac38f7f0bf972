#include <pliant/core/refusals.hpp>

#include <array>

namespace pliant {
namespace {

constexpr auto kCount = static_cast<std::size_t>(Refusal::count);

// In the order of Refusal.
constexpr std::array<RefusalInfo, kCount> kRefusals = {{
    {"contact by a barrier, and an integrator without a solved end",
     "integrator \"{}\" and contact do not go together: its steps do not end in a state that was "
     "solved for, so nothing would keep bodies apart; be, bdf2, trbdf2, sdirk2 and esdirk43 can "
     "meet it, and with \"method\": \"qp\" or \"unilateral\" all can"},
    {"contact by a barrier, and a solver that is not newton",
     "solver \"{}\" and contact by a barrier do not go together: what a barrier does changes "
     "too much within a step for one linear solve, and has no local minimiser; newton can meet "
     "it{}"},
    {"contact by qp, and constraints or rigid bodies by se3",
     "contact method \"qp\" and {} do not go together: its quadratic program knows of no rows "
     "but its own; unilateral and barrier take them"},
    {"contact by admm, and another solver",
     "contact method \"admm\" needs solver admm, not {}: it is a part of that method; barrier "
     "goes with newton"},
    {"contact by admm, and an integrator without a solved end",
     "integrator \"{}\" and contact method \"admm\" do not go together: its steps do not end "
     "where contact was kept; be, bdf2, trbdf2 and sdirk2 can meet it"},
    {"contact by admm of a body with itself",
     "must be false with admm, which has no contact of a body with itself; \"method\": "
     "\"barrier\" with solver newton has it"},
    {"contact by admm between bodies",
     "admm has no contact between bodies, so \"{}\" and \"{}\" must be in a group; \"method\": "
     "\"barrier\" with solver newton has it"},
    {"contact by admm, and a probe of the force on something",
     "contact method \"admm\" does not tell its forces, which are those of a splitting; barrier, "
     "qp and unilateral do"},
    {"restitution, and contact by qp or admm",
     "is for \"barrier\" and \"unilateral\"; with qp and admm what hits stops, and a body "
     "bounces by its elasticity alone"},
    {"restitution below 1 with a barrier, without the energy guard",
     "needs the energy guard, which makes steps that bounce too much anew; leave out "
     "\"energy_guard\": false"},
    {"constraints or rigid bodies by se3, and an integrator that would drift",
     "integrator \"{}\" and {} do not go together: it would drift off them, or does not know of "
     "them; be, bdf2, trbdf2, trbdf2b, esdirk32, esdirk43 and generalized-alpha keep them"},
    {"constraints, and generalized-alpha without damping",
     "generalized-alpha with \"rho_inf\": 1 and {} do not go together: nothing would damp what "
     "the multipliers excite; take 0.9 or less"},
    {"constraints or rigid bodies by se3, and solver admm",
     "solver \"{}\" and {} do not go together: it has no multipliers; newton and linear take "
     "them"},
    {"minres without constraints",
     "\"minres\" is for scenes with constraints, and there are none; pcg iterates without them"},
    {"stabilize without constraints", "there are no constraints to move back onto"},
    {"strain constraints, and a law whose stress is not linear in a strain",
     "material \"{}\" is {}, whose stress is not linear in a strain, so that it has no "
     "compliance; stvk, orthotropic and corotated have one"},
    {"strain constraints by principal stretches, and an orthotropic material",
     "material \"{}\" is orthotropic, which principal stretches know nothing of; take green or "
     "corotational"},
    {"strain constraints of a body on frames",
     "\"{}\" follows its frames, whose elasticity cannot be constraints"},
    {"strain constraints of a body that yields",
     "the elasticity of \"{}\" is constraints (\"strain\"), which do not flow"},
    {"solver admm, and an integrator without stages for it",
     "solver admm and integrator \"{}\" do not go together, which {}; be, bdf2, trbdf2, sdirk2, "
     "newmark and others take admm"},
    {"solver admm, and rigid bodies, bodies on frames or embedded surfaces",
     "solver admm and {} do not go together: its parts are those of elements; solver newton "
     "takes them"},
    {"solver admm, and a body that yields",
     "solver admm has no local minimiser for what yields; newton takes it"},
    {"solver admm, and damping of springs and tendons",
     "solver admm has no local minimiser for the damping of springs and tendons; newton takes "
     "it"},
    {"solver admm, and eigenfit or modal damping",
     "solver admm and {} do not go together: modes are of a whole body and no sum over elements; "
     "newton and linear take it, and {}"},
    {"solver admm, and what a program brings that is no load",
     "solver admm has no local minimiser for \"{}\"; solver newton takes it"},
    {"eigenfit or modal damping, and constraints or contact by unilateral",
     "{} and {} do not go together: solvers with rows have no place for a dense part of the "
     "matrix; pins and contact method \"barrier\" take their place, and {}"},
    {"eigenfit or modal damping, and rigid bodies by se3 or strain constraints",
     "eigenfit and \"modal\" damping do not go together with rigid bodies by se3, nor with "
     "materials whose elasticity is constraints, anywhere in the scene; \"formulation\": "
     "\"affine\" goes with them"},
    {"modal damping of bodies on frames",
     "\"modal\" does not act on bodies on frames, which have few modes of their own; "
     "\"strain-rate\" and \"rayleigh\" do"},
    {"modal damping of cloth and cables",
     "\"modal\" acts on solids alone; cloth and cables take \"strain-rate\" and \"rayleigh\""},
    {"modal damping, and strain constraints",
     "\"modal\" needs a stiffness to find modes by, and the elasticity of this body is "
     "constraints (\"strain\"); \"strain-rate\" does not"},
    {"modal damping, and eigenfit",
     "\"modal\" goes by the frequencies of the coarse mesh, which eigenfit changes; dac goes "
     "with it"},
    {"coarsen, and a body that yields",
     "a body that flows (\"plasticity\") has no rest shape whose modes could be compared"},
    {"coarsen, and strain constraints",
     "the elasticity of this body is constraints (\"strain\"), which have no stiffness to "
     "correct"},
    {"damping of strain, of a rigid body",
     "a rigid body has no strain that could be damped; \"rayleigh\" with \"alpha\" alone slows "
     "it down"},
    {"implicit Rayleigh or principal-strain damping of cloth and cables",
     "{} acts on solids alone; cloth and cables take \"strain-rate\", alone or as the base of "
     "\"power-law\" and \"spline\", \"rayleigh\" without \"implicit\", and \"drag\""},
    {"principal-strain damping of a law that knows directions",
     "principal-strain damping needs a material whose energy depends on the principal strains "
     "alone, which that of {} does not; rayleigh and strain-rate damping go with every material"},
    {"cloth of a law for solids", "cloth cannot be of \"{}\", which is {}; it can be of {}"},
    {"a solid of a law for cloth", "\"{}\" is {}, which only cloth can be made of"},
    {"steps chosen by error, and an integrator without an estimate",
     "{} has no error estimate to choose steps by: give \"dt\" in seconds, or take an integrator "
     "that has one (sdirk2, sdirk3, trbdf2, esdirk32, esdirk43, ros3pl and others)"},
    {"\"tolerance\": \"auto\", and stages that Newton's method does not solve",
     "\"auto\" is for stages that Newton's method solves, which those of {} are not: give a "
     "number, "
     "or leave it out"},
}};

constexpr bool all_said() {
  for (const RefusalInfo& info : kRefusals)
    if (info.what.empty() || info.why.empty()) return false;
  return true;
}
static_assert(all_said());

}  // namespace

std::span<const RefusalInfo> refusals() { return kRefusals; }

}  // namespace pliant
