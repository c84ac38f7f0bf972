#include <pliant/body/solid.hpp>

#include <pliant/core/error.hpp>
#include <pliant/dissipation/rayleigh.hpp>
#include <pliant/element/mapped_point.hpp>
#include <pliant/element/mass.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pliant {
namespace {

// One batch for each element type and law, in the order in which they first appear.
struct BatchDraft {
  ElasticBatchInput input;
  std::vector<Index> elements;
};

const SolidMaterial& material_of(const SolidInput& solid, Index element) {
  return solid
      .materials[solid.material_of_element.empty() ? 0 : solid.material_of_element[element]];
}

// The elements that a body is made of.
bool counts(const SolidInput& solid, ElementType type) {
  if (!solid.thin) return dimension(type) == 3;
  return dimension(type) == solid.mesh.top_dimension();
}

std::vector<BatchDraft> draft_batches(const SolidInput& solid, Index first_node) {
  std::vector<BatchDraft> drafts;
  Index element = 0;
  for (const ElementBlock& block : solid.mesh.blocks) {
    if (!counts(solid, block.type)) continue;
    std::map<std::string_view, std::size_t> of_law;
    for (Index e = 0; e < block.size(); ++e, ++element) {
      const SolidMaterial& material = material_of(solid, element);
      // Of a cable only E counts, whatever the law.
      const std::string_view law =
          block.type == ElementType::segment2 ? std::string_view() : material.law;
      const auto [it, fresh] = of_law.try_emplace(law, drafts.size());
      if (fresh) drafts.push_back({{block.type, material.law, {}, {}}, {}});
      BatchDraft& draft = drafts[it->second];
      for (const Index n : block.element(e)) draft.input.connectivity.push_back(first_node + n);
      draft.input.constants.push_back(material.constants);
      if (!solid.young.empty()) draft.input.constants.back().young = solid.young[element];
      draft.elements.push_back(element);
    }
  }
  // A homogeneous batch keeps its constants once.
  for (BatchDraft& draft : drafts)
    if (solid.materials.size() == 1 && solid.young.empty()) draft.input.constants.resize(1);
  return drafts;
}

// All elements of a thin body, whichever law they have; a quadrilateral bends like two triangles.
ThinElements thin_elements(std::span<const BatchDraft> drafts) {
  ThinElements all;
  for (const BatchDraft& draft : drafts) {
    const bool quads = draft.input.type == ElementType::quad4;
    if (!quads) all.type = draft.input.type;
    const auto n = static_cast<std::size_t>(nodes_per_element(draft.input.type));
    const auto add = [&](std::size_t e, std::initializer_list<std::size_t> corners) {
      for (const std::size_t a : corners)
        all.connectivity.push_back(draft.input.connectivity[n * e + a]);
      all.law.push_back(draft.input.law);
      all.constants.push_back(draft.input.constants[draft.input.constants.size() == 1 ? 0 : e]);
    };
    for (std::size_t e = 0; e < draft.elements.size(); ++e) {
      n == 2 ? add(e, {0, 1}) : add(e, {0, 1, 2});
      if (quads) add(e, {2, 3, 0});
    }
  }
  return all;
}

void add_body_mass(const SolidInput& solid, Index first_node, std::span<const Vec3> rest,
                   NodeMatrix& M) {
  Index element = 0;
  for (const ElementBlock& block : solid.mesh.blocks) {
    if (!counts(solid, block.type)) continue;
    std::vector<Index> connectivity(block.nodes);
    for (Index& n : connectivity) n += first_node;
    std::vector<double> density;
    for (Index e = 0; e < block.size(); ++e, ++element)
      density.push_back(material_of(solid, element).constants.density);
    if (solid.thin)
      for (double& d : density) d = thin_density(block.type, *solid.thin, d);
    const MassInput input{block.type, connectivity, rest, density, solid.lumped};
    solid.thin ? add_thin_mass(input, M) : add_mass(input, M);
  }
  for (const PointMass& point : solid.point_masses) {
    const PointSearch found = find_point(solid.mesh, point.point);
    const MappedPoint& x = found.point;
    double squares = 0;
    for (int a = 0; a < x.count; ++a) squares += x.weights[a] * x.weights[a];
    for (int a = 0; a < x.count; ++a)
      for (int b = 0; b < x.count; ++b) {
        const Index i = first_node + x.nodes[a], j = first_node + x.nodes[b];
        // Lumped, the diagonal of N Nᵀ scaled to the mass: never negative, as N itself can be.
        const double share = solid.lumped ? (a == b ? 1 / squares : 0) : 1;
        if (share > 0)
          M.values()[M.pattern().find(i, j)] += share * point.mass * x.weights[a] * x.weights[b];
      }
  }
}

// The strengths of some elements, in their order.
DampingLaw of_elements(DampingLaw damping, std::span<const Index> elements) {
  for (std::vector<double>* strengths : {&damping.psi, &damping.phi, &damping.beta}) {
    if (strengths->size() <= 1) continue;
    std::vector<double> chosen;
    for (const Index e : elements) chosen.push_back((*strengths)[e]);
    *strengths = std::move(chosen);
  }
  return damping;
}

std::vector<std::unique_ptr<Term>> make_damping_terms(const SolidInput& solid,
                                                      std::span<const BatchDraft> drafts,
                                                      std::span<const Vec3> rest) {
  std::vector<std::unique_ptr<Term>> terms;
  try {
    for (const DampingLaw& damping : solid.damping)
      for (const BatchDraft& draft : drafts) {
        const ElasticBatchInput& input = draft.input;
        terms.push_back(make_damping({input.type, input.law, input.connectivity, input.constants},
                                     of_elements(damping, draft.elements), rest));
      }
  } catch (const InputError& error) {
    throw InputError(fmt::format("damping of body \"{}\": {}", solid.name, error.what()));
  }
  return terms;
}

RayleighPart rayleigh_part(const SolidInput& solid, const Body& body) {
  RayleighPart part{solid.alpha, solid.beta, body.first_solved(), body.end_solved(), {}};
  for (const Body::Batch& batch : body.batches) part.elastic.push_back(batch.term);
  if (body.bending) part.elastic.push_back(body.bending);
  return part;
}

double total_mass(const NodeMatrix& M, const Body& body) {
  const BlockPattern& pattern = M.pattern();
  double sum = 0;
  for (Index k = pattern.row_start[body.first_solved()]; k < pattern.row_start[body.end_solved()];
       ++k)
    sum += M.values()[k];
  return sum;
}

void add_rigid_mass(const RigidFrame& frame, NodeMatrix& M) {
  for (Index a = 0; a < 4; ++a)
    M.values()[M.pattern().diagonal[static_cast<std::size_t>(frame.first + a)]] += frame.mass / 4;
}

// Nodes that are coupled by no term of the system: of faces on which loads act, whether they follow
// others or not, and of elements whose elasticity is constraints, by their mass.
class Couplings final : public Term {
 public:
  // As many nodes as `together`, one coupling after the other.
  Couplings(std::vector<Index> nodes, int together)
      : nodes_(std::move(nodes)), together_(together) {}
  std::string_view name() const override { return "couplings"; }
  TermKind kind() const override { return TermKind::external; }
  void add_stencils(PatternBuilder& pattern) const override { pattern.add(nodes_, together_); }
  void add_force(const Configuration&, std::span<double>) const override {}

 private:
  std::vector<Index> nodes_;
  int together_;
};

std::vector<Index> nodes_of_faces(const Surface& surface, Index first_node) {
  std::vector<Index> nodes;
  for (const auto& triangle : surface.triangles)
    for (const Index n : triangle) nodes.push_back(first_node + n);
  return nodes;
}

// Weights above this count as carried; a frame that carries fewer nodes could turn into itself.
constexpr double kCarried = 0.01;
constexpr int kFewest = 5;

void follow_frames(const SolidInput& solid, Body& body, std::vector<Vec3>& rest,
                   Followers& followers) {
  body.frames.emplace(*solid.frames, static_cast<Index>(rest.size()));
  std::vector<int> carried(solid.frames->places.size(), 0);
  for (std::size_t n = 0; n < solid.mesh.points.size(); ++n) {
    const MappedPoint point = body.frames->point(solid.mesh.points[n]);
    std::vector<LeaderWeight> leaders;
    for (std::size_t a = 0; a < static_cast<std::size_t>(point.count); ++a)
      leaders.push_back({point.nodes[a], point.weights[a]});
    followers.add(body.first_node + static_cast<Index>(n), leaders);
    for (std::size_t a = 0; a < leaders.size(); a += 4) {
      double share = 0;
      for (std::size_t b = a; b < a + 4; ++b) share += leaders[b].weight;
      const Index frame = (leaders[a].node - body.frames->first()) / 4;
      carried[static_cast<std::size_t>(frame)] += share > kCarried ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < carried.size(); ++k)
    if (carried[k] < kFewest)
      throw InputError(fmt::format(
          "body \"{}\": frame {} carries {} of {} nodes, too few to be moved by; take fewer frames "
          "or a finer mesh, and no two frames in one place",
          solid.name, k, carried[k], solid.mesh.points.size()));
  const std::vector<Vec3> corners = body.frames->corners();
  rest.insert(rest.end(), corners.begin(), corners.end());
}

// The skin becomes a part of the mesh; its nodes follow those of the elements that carry them, or
// later the frames of the body.
void attach_skin(SolidInput& solid, Body& body, Followers& followers) {
  if (!solid.skin) return;
  const Mesh& skin = *solid.skin;
  std::vector<PointSearch> found;
  for (const Vec3& x : skin.points) found.push_back(attach_point(solid.mesh, x));
  const Surface triangles = make_surface(skin);
  for (const auto& triangle : triangles.triangles)
    body.skin_hosts.push_back(found[static_cast<std::size_t>(triangle[0])].element);
  const Index first = solid.mesh.point_count();
  body.skin_nodes = skin.point_count();
  solid.mesh.points.insert(solid.mesh.points.end(), skin.points.begin(), skin.points.end());
  ElementBlock block;
  block.type = ElementType::tri3;
  for (const auto& triangle : triangles.triangles)
    for (const Index n : triangle) block.nodes.push_back(first + n);
  if (!solid.mesh.blocks[0].region.empty())
    block.region.assign(triangles.triangles.size(), solid.mesh.blocks[0].region[0]);
  solid.mesh.blocks.push_back(std::move(block));
  if (!solid.material_of_element.empty())
    for (const Index host : body.skin_hosts)
      solid.material_of_element.push_back(
          solid.material_of_element[static_cast<std::size_t>(host)]);
  if (solid.frames) return;
  for (std::size_t n = 0; n < found.size(); ++n) {
    std::vector<LeaderWeight> leaders;
    for (std::size_t a = 0; a < static_cast<std::size_t>(found[n].point.count); ++a)
      leaders.push_back({body.first_node + found[n].point.nodes[a], found[n].point.weights[a]});
    followers.add(body.first_node + first + static_cast<Index>(n), leaders);
  }
}

// The frames of bodies behind the nodes of all bodies; the latter follow them.
void add_frames(std::span<const SolidInput> solids, std::vector<Body>& bodies,
                std::vector<Vec3>& rest, Followers& followers) {
  for (std::size_t k = 0; k < solids.size(); ++k) {
    if (solids[k].frames) follow_frames(solids[k], bodies[k], rest, followers);
    if (!solids[k].rigid) continue;
    const RigidFrame frame = make_rigid_frame(*solids[k].rigid, static_cast<Index>(rest.size()));
    for (std::size_t n = 0; n < solids[k].mesh.points.size(); ++n)
      followers.add(bodies[k].first_node + static_cast<Index>(n),
                    frame.weights(solids[k].mesh.points[n]));
    rest.insert(rest.end(), frame.corners.begin(), frame.corners.end());
    bodies[k].rigid = frame;
  }
}

struct RigidTerms {
  std::vector<std::unique_ptr<Term>>& terms;
  std::vector<DistanceRow>& rods;
};
void add_rigid_terms(const SolidInput& solid, std::span<const Vec3> rest, const Body& body,
                     RigidTerms out) {
  if (solid.rigid->formulation == RigidFormulation::se3) {
    add_rigid_rods(solid.name, *body.rigid, out.rods);
  } else {
    out.terms.push_back(make_rigid_potential(*solid.rigid, *body.rigid, rest));
  }
  if (solid.rigid->loaded)
    out.terms.push_back(
        std::make_unique<Couplings>(nodes_of_faces(make_surface(solid.mesh), body.first_node), 3));
}

PointSearch of_system(PointSearch found, Index first_node) {
  for (int a = 0; a < found.point.count; ++a)
    found.point.nodes[static_cast<std::size_t>(a)] += first_node;
  return found;
}

// Elasticity as constraints, once there is a system. What is measured of it needs the pattern, too,
// for damping by stiffness.
void add_strain_rows(std::span<const SolidInput> solids, Model& model) {
  for (std::size_t k = 0; k < solids.size(); ++k)
    if (solids[k].strain)
      for (const Body::Batch& batch : model.bodies[k].batches) {
        const auto* elastic = dynamic_cast<const LocalElastic*>(batch.term);
        if (!elastic)
          throw InputError(
              fmt::format("body \"{}\": its elasticity cannot be constraints", solids[k].name));
        model.system->add_constraint(make_strain_rows("strain of " + solids[k].name, *elastic,
                                                      view(model.system->rest()),
                                                      *solids[k].strain));
      }
  for (const auto& term : model.measured) term->locate(model.system->pattern());
}

// Bodies get their meshes for good once the masses are made; until then they are lent them.
std::vector<std::unique_ptr<Term>> make_with_meshes(const MakeTerms& make,
                                                    std::span<SolidInput> solids,
                                                    std::span<const Vec3> rest,
                                                    std::span<Body> bodies) {
  for (std::size_t k = 0; k < solids.size(); ++k) std::swap(bodies[k].mesh, solids[k].mesh);
  std::vector<std::unique_ptr<Term>> terms = make(bodies, rest);
  for (std::size_t k = 0; k < solids.size(); ++k) std::swap(bodies[k].mesh, solids[k].mesh);
  return terms;
}

// The boundary, or the skin in its place.
Surface outside_of(const Body& body) {
  Surface surface = make_surface(body.mesh);
  if (body.skin_nodes == 0) return surface;
  const ElementBlock& skin = body.mesh.blocks.back();
  surface.triangles.clear(), surface.element.clear();
  for (Index t = 0; t < skin.size(); ++t) {
    const auto n = skin.element(t);
    surface.triangles.push_back({n[0], n[1], n[2]});
    surface.element.push_back(body.mesh.element_count() - skin.size() + t);
  }
  surface.edges = unique_edges(surface.triangles);
  return surface;
}

// Meshes, masses and Rayleigh damping, once there is a system.
void finish_bodies(std::span<SolidInput> solids, std::span<const Vec3> rest, Model& model) {
  std::vector<RayleighPart> damped;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    Body& body = model.bodies[k];
    if (body.rigid) {
      add_rigid_mass(*body.rigid, model.system->mass());
      model.system->rigid_path().add(body.rigid->first, body.rigid->corners);
    } else {
      add_body_mass(solids[k], body.first_node, rest, model.system->mass());
    }
    body.mesh = std::move(solids[k].mesh);
    body.surface = outside_of(body);
  }
  model.system->pull_back_mass();
  for (std::size_t k = 0; k < solids.size(); ++k) {
    Body& body = model.bodies[k];
    body.mass = total_mass(model.system->mass(), body);
    body.material_of_element = solids[k].material_of_element;
    if (solids[k].alpha != 0 || solids[k].beta != 0)
      damped.push_back(rayleigh_part(solids[k], body));
  }
  if (!damped.empty())
    model.system->add_term(std::make_unique<Rayleigh>(std::move(damped), model.system->mass()));
}

}  // namespace

Surface Body::boundary() const { return skin_nodes > 0 ? make_surface(mesh) : surface; }

Mesh Body::without_skin() const {
  Mesh out = mesh;
  if (skin_nodes == 0) return out;
  out.blocks.pop_back();
  out.points.resize(out.points.size() - static_cast<std::size_t>(skin_nodes));
  return out;
}

void Body::give_to_skin(std::span<double> values) const {
  const std::size_t first = values.size() - skin_hosts.size();
  for (std::size_t t = 0; t < skin_hosts.size(); ++t)
    values[first + t] = values[static_cast<std::size_t>(skin_hosts[t])];
}

PointSearch Body::find(const Vec3& point) const {
  if (rigid) return {rigid->point(point), 0};
  if (frames) return {frames->point(point), find_point(mesh, point).distance};
  return of_system(find_point(mesh, point), first_node);
}

PointSearch Body::attach(const Vec3& point) const {
  return rigid || frames ? find(point) : of_system(attach_point(mesh, point), first_node);
}

Model make_model(std::vector<SolidInput> solids, std::span<const Vec3> obstacles,
                 const MakeTerms& make_more) {
  std::vector<Vec3> rest;
  std::vector<std::vector<BatchDraft>> drafts;
  Followers followers;
  Model model;
  for (SolidInput& solid : solids) {
    Body body;
    body.name = solid.name;
    body.first_node = static_cast<Index>(rest.size());
    attach_skin(solid, body, followers);
    rest.insert(rest.end(), solid.mesh.points.begin(), solid.mesh.points.end());
    drafts.push_back(solid.rigid ? std::vector<BatchDraft>()
                                 : draft_batches(solid, body.first_node));
    if (drafts.back().empty() && !solid.rigid)
      throw InputError(fmt::format("body \"{}\" has no {}", body.name,
                                   solid.thin ? "triangles (tri3) or segments (segment2)"
                                              : "solid elements (tet4, tet10 or hex8)"));
    model.bodies.push_back(std::move(body));
  }
  add_frames(solids, model.bodies, rest, followers);
  rest.insert(rest.end(), obstacles.begin(), obstacles.end());
  std::vector<std::unique_ptr<Term>> terms, damping;
  std::vector<DistanceRow> rods;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    if (solids[k].rigid) {
      add_rigid_terms(solids[k], rest, model.bodies[k], {terms, rods});
      continue;
    }
    for (auto& term : make_damping_terms(solids[k], drafts[k], rest))
      damping.push_back(std::move(term));
    const std::optional<ThinInput>& thin = solids[k].thin;
    std::unique_ptr<Term> bending =
        thin ? make_thin_bending(thin_elements(drafts[k]), *thin, rest) : nullptr;
    for (BatchDraft& draft : drafts[k]) {
      auto term = thin ? make_thin(std::move(draft.input), *thin, rest)
                       : make_elastic(std::move(draft.input), rest);
      model.bodies[k].batches.push_back({term.get(), std::move(draft.elements)});
      if (solids[k].strain) {
        terms.push_back(std::make_unique<Couplings>(
            std::vector<Index>(term->connectivity().begin(), term->connectivity().end()),
            static_cast<int>(term->connectivity().size()) / term->elements()));
        model.measured.push_back(std::move(term));
      } else {
        terms.push_back(std::move(term));
      }
    }
    model.bodies[k].bending = bending.get();
    if (bending) terms.push_back(std::move(bending));
  }
  if (make_more)
    for (auto& term : make_with_meshes(make_more, solids, rest, model.bodies))
      terms.push_back(std::move(term));
  model.system =
      std::make_unique<System>(rest, std::move(terms), obstacles.size(), std::move(followers));
  if (!rods.empty())
    model.system->add_constraint(std::make_unique<DistanceConstraints>(std::move(rods)));
  add_strain_rows(solids, model);
  finish_bodies(solids, rest, model);
  for (auto& term : damping) model.system->add_term(std::move(term));
  return model;
}

}  // namespace pliant
