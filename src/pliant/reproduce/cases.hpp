// What the list of cases is made of.
#pragma once

#include <pliant/reproduce/case.hpp>

namespace pliant {

// ASCHER
CaseResult stiff_scalar(const CaseContext& context);
CaseResult damping_curves(const CaseContext& context);
CaseResult soft_beam_energy(const CaseContext& context);
CaseResult stiffness_cost(const CaseContext& context);
CaseResult big_tree(const CaseContext& context);
CaseResult eigen_gap(const CaseContext& context);
CaseResult si_diverges(const CaseContext& context);
CaseResult barrier_shapes(const CaseContext& context);
CaseResult velocity_contact(const CaseContext& context);

// LOESCHNER
CaseResult clamped_beam(const CaseContext& context);
CaseResult beam_convergence(const CaseContext& context);
CaseResult jello(const CaseContext& context);
CaseResult thick_cloth(const CaseContext& context);
CaseResult extreme(const CaseContext& context);
CaseResult bouncing_ball(const CaseContext& context);
CaseResult suspended(const CaseContext& context);
CaseResult duck_party(const CaseContext& context);

// BROWN
CaseResult sliding_block(const CaseContext& context);
CaseResult leaning_block(const CaseContext& context);
CaseResult spinning_ball(const CaseContext& context);
CaseResult spinning_beam(const CaseContext& context);
CaseResult cloth_swing(const CaseContext& context);
CaseResult drape(const CaseContext& context);
CaseResult admm_vs_newton(const CaseContext& context);
CaseResult momentum_damping(const CaseContext& context);
CaseResult damping_order(const CaseContext& context);
CaseResult power_law(const CaseContext& context);
CaseResult heavy_cable(const CaseContext& context);
CaseResult rigid_chain(const CaseContext& context);
CaseResult hinge_chain(const CaseContext& context);
CaseResult conditioning(const CaseContext& context);
CaseResult compliant_fem(const CaseContext& context);
CaseResult stiff_triangles(const CaseContext& context);
CaseResult orthotropic_patch(const CaseContext& context);
CaseResult four_bodies(const CaseContext& context);
CaseResult bow(const CaseContext& context);
CaseResult trampoline(const CaseContext& context);
CaseResult knee(const CaseContext& context);
CaseResult ragdoll(const CaseContext& context);
CaseResult swinging_cable(const CaseContext& context);
CaseResult stiff_sheet(const CaseContext& context);
CaseResult restitution(const CaseContext& context);
CaseResult terrain(const CaseContext& context);
CaseResult spline_damping(const CaseContext& context);

// CHEN
CaseResult numerical_stiffening(const CaseContext& context);
CaseResult linear_creature(const CaseContext& context);
CaseResult large_deformation(const CaseContext& context);
CaseResult twisted_bar(const CaseContext& context);
CaseResult shaken_arap(const CaseContext& context);
CaseResult released_leg(const CaseContext& context);
CaseResult heterogeneous(const CaseContext& context);
CaseResult mode_crossing(const CaseContext& context);
CaseResult stiffness_error(const CaseContext& context);
CaseResult eigenfit_cost(const CaseContext& context);

}  // namespace pliant
