// TOURNIER Figure 6, left: a patch of quadrilaterals with Green–Lagrange strain and an orthotropic
// Hooke's law, as constraints, is pulled by external forces.
#include <pliant/reproduce/cases.hpp>
#include <pliant/reproduce/method_run.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

// E of a strip under a force per length: with T = P (1 + 2E)^(−½) and S = E_young E along the pull,
// free to contract, S (1 + 2E)^½ = force/(width thickness).
double strip_strain(double nominal, double young) {
  double E = 0;
  for (int k = 0; k < 100; ++k) {
    const double F = std::sqrt(1 + 2 * E);
    E -= (young * E * F - nominal) / (young * F + young * E / F);
  }
  return E;
}

struct Patch {
  bool ok = false;
  double strain = 0;  // Green's, in the middle along the pull
  Index rows = 0;
  Trajectory run;
};

Patch pull_patch(const CaseContext& context, bool along_warp, bool compliant, CaseScene& scene) {
  std::vector<std::string> settings;
  if (!along_warp) settings.push_back("materials.weave.axes=[[0,0,1],[1,0,0],[0,1,0]]");
  if (!compliant) settings.push_back("constraints=[]");
  scene = load_case_scene(context, "orthotropic-patch", settings);
  const MethodRun run =
      run_method(context, scene.built, request_of(scene.description), along_warp ? "warp" : "weft");
  Patch out;
  out.run = run.trajectory;
  out.ok = out.run.ok;
  out.rows = scene.built.model.system->constraints().rows();
  const Body& body = scene.built.model.bodies[0];
  const auto at = [&](double x) { return body.find({x, 0, 0}).point.at(view(out.run.end.q)).x(); };
  const double stretch = (at(0.1) - at(-0.1)) / 0.2;
  out.strain = 0.5 * (stretch * stretch - 1);
  return out;
}

}  // namespace

CaseResult orthotropic_patch(const CaseContext& context) {
  CaseResult result;
  CaseScene scene;
  // 1 m wide, 1 mm thick, 2 kN in all; 10 MPa along the warp and 1 MPa across it.
  constexpr double nominal = 2000 / (1 * 1e-3);
  for (const bool warp : {true, false}) {
    const double theory = strip_strain(nominal, warp ? 1e7 : 1e6);
    const Patch rows = pull_patch(context, warp, true, scene);
    if (warp) add_picture(context, "patch", scene.built, rows.run.end, result);
    const Patch stiffness = pull_patch(context, warp, false, scene);
    if (context.stopped()) return result;
    const std::string way = warp ? "pulled along the warp" : "pulled along the weft";
    result.figures.push_back(
        {way + ", Green's strain", fmt::format("{:.3f} (theory)", theory),
         rows.ok ? fmt::format("{:.3f}", rows.strain) : "fails",
         verdict_of(rows.ok && std::abs(rows.strain - theory) < 0.05 * theory)});
    result.figures.push_back(
        {way + ", by constraints against by stiffness", "the same",
         fmt::format("{:.1e} apart", std::abs(rows.strain - stiffness.strain)),
         verdict_of(stiffness.ok && std::abs(rows.strain - stiffness.strain) < 1e-4 * theory)});
    if (warp)
      result.figures.push_back({"rows a quadrilateral", "3 × 4", fmt::format("{}", rows.rows / 100),
                                verdict_of(rows.rows == 1200)});
  }
  result.remarks = {
      "scenes/orthotropic-patch.json: 10×10 quadrilaterals of four quadrature points, clamped at "
      "one "
      "side and pulled at the other by 2 kN over 1 s; the strain is taken in the middle, where "
      "clamping is hardly felt. The paper shows a picture only; theory is the strip in uniaxial "
      "tension."};
  return result;
}

}  // namespace pliant
