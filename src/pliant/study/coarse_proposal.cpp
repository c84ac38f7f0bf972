#include <pliant/study/coarse_proposal.hpp>

#include <pliant/analysis/text_table.hpp>
#include <pliant/coarsen/coarse_plan.hpp>
#include <pliant/core/error.hpp>
#include <pliant/mesh/statistics.hpp>
#include <pliant/scene/build.hpp>
#include <pliant/scene/refine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kStep = 1.26;  // from one candidate to the next: twice the elements

CoarseCandidate try_mesh(SceneDescription scene, const CoarseSearch& search,
                         const MeshDescription& fine, double times, const Log& log) {
  CoarseCandidate out;
  out.times = times;
  out.mesh = *refined(fine, 1 / times);
  BodyDescription& body = scene.bodies[search.body];
  body.mesh = out.mesh;
  CoarsenDescription coarsen;
  coarsen.fine = fine;
  coarsen.modes = search.modes;
  coarsen.show_fine = false;
  coarsen.where = body.where + "/coarsen";
  body.coarsen = coarsen;
  body.embed.reset();
  try {
    const CoarsePlan plan = plan_coarsening(scene, search.body, log);
    out.nodes = plan.nodes;
    const RestFit& fit = *plan.fits[0];
    out.acceptance = fit.acceptance;
    if (fit.values.size() > 0) {
      const double farthest = fit.distances.maxCoeff();
      out.least_overlap = 1 - 0.5 * farthest * farthest;
      out.first_ratio = fit.ratios[0];
      out.last_ratio = fit.ratios[fit.ratios.size() - 1];
    }
  } catch (const InputError& error) {
    out.refusal = error.what();
  } catch (const CannotContinue& error) {
    out.refusal = error.what();
  }
  return out;
}

// The key of the mesh's record that says how fine it is.
struct SizeSetting {
  std::string operator()(const BoxSpec& box) const {
    return fmt::format("box.cells=[{},{},{}]", box.cells[0], box.cells[1], box.cells[2]);
  }
  std::string operator()(const SphereSpec& s) const { return sized("sphere.", s.size); }
  std::string operator()(const CylinderSpec& s) const { return sized("cylinder.", s.size); }
  std::string operator()(const CapsuleSpec& s) const { return sized("capsule.", s.size); }
  std::string operator()(const TorusSpec& s) const { return sized("torus.", s.size); }
  std::string operator()(const SurfaceMesh& s) const { return sized("", s.size); }
  std::string operator()(const SdfMesh& s) const { return sized("", s.size); }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};  // no mesh of these was tried
  }
  static std::string sized(std::string_view shape, double size) {
    return fmt::format("{}size={:.4g}", shape, size);
  }
};

}  // namespace

const CoarseCandidate* CoarseProposal::best() const {
  const auto found =
      std::find_if(tried.begin(), tried.end(), [](const CoarseCandidate& c) { return c.passes(); });
  return found == tried.end() ? nullptr : &*found;
}

CoarseProposal propose_coarse(const SceneDescription& scene, const CoarseSearch& search,
                              const Announce& announce, const Log& log) {
  const BodyDescription& body = scene.bodies[search.body];
  if (body.type != "solid")
    throw InputError(
        fmt::format("{}: only solids can be made coarser, this is a {}", body.where, body.type));
  const MeshDescription fine = body.coarsen && body.coarsen->fine ? *body.coarsen->fine : body.mesh;
  if (!refined(fine, 0.5))
    throw InputError(
        fmt::format("{}/mesh: a mesh from a file has no size that could be changed; "
                    "\"surface\" with a \"size\" has",
                    body.where));
  CoarseProposal proposal;
  proposal.body = body.name;
  proposal.fine_nodes = build_mesh(fine, body.where + "/mesh", log).point_count();
  std::vector<double> factors;
  for (double times = search.most; times > 1.1; times /= kStep) factors.push_back(times);
  Index last = 0;
  for (const double times : factors) {
    if (is_interrupted(search.interrupted)) break;
    CoarseCandidate candidate = try_mesh(scene, search, fine, times, log);
    if (candidate.refusal.empty() && candidate.nodes == last) continue;  // rounded to the same mesh
    last = candidate.nodes;
    if (announce)
      announce(candidate.refusal.empty()
                   ? fmt::format("{:.2f} times coarser, {} nodes: {} of {} shapes known again",
                                 times, candidate.nodes, candidate.acceptance.known,
                                 candidate.acceptance.of)
                   : fmt::format("{:.2f} times coarser: {}", times, candidate.refusal));
    proposal.tried.push_back(std::move(candidate));
    if (proposal.tried.back().passes()) break;  // the coarsest is wanted
  }
  return proposal;
}

std::string proposal_table(const CoarseProposal& proposal) {
  TextTable table({"coarser", "nodes", "of fine %", "shapes known", "least overlap", "first ratio",
                   "last ratio", ""});
  for (const CoarseCandidate& c : proposal.tried) {
    if (!c.refusal.empty()) {
      table.add({fmt::format("{:.2f}", c.times), "", "", "", "", "", "", c.refusal});
      continue;
    }
    table.add({fmt::format("{:.2f}", c.times), std::to_string(c.nodes),
               fmt::format("{:.1f}", 100.0 * static_cast<double>(c.nodes) /
                                         static_cast<double>(proposal.fine_nodes)),
               fmt::format("{} of {}", c.acceptance.known, c.acceptance.of),
               fmt::format("{:.2f}", c.least_overlap), fmt::format("{:.3f}", c.first_ratio),
               fmt::format("{:.3f}", c.last_ratio), c.passes() ? "passes" : "too coarse"});
  }
  return table.text();
}

std::vector<std::string> proposal_settings(const CoarseCandidate& candidate, std::size_t body,
                                           int modes) {
  return {fmt::format("bodies.{}.mesh.{}", body, std::visit(SizeSetting{}, candidate.mesh)),
          fmt::format("bodies.{}.coarsen={{\"refine\": {:.4g}, \"modes\": {}}}", body,
                      candidate.times, modes)};
}

}  // namespace pliant
