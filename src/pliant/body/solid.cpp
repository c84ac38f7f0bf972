#include <pliant/body/solid.hpp>

#include <pliant/body/carried.hpp>
#include <pliant/body/custom_model.hpp>
#include <pliant/core/error.hpp>
#include <pliant/dissipation/rayleigh.hpp>
#include <pliant/element/custom_batch.hpp>
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
  const auto depth = [&](const ElasticBatchInput& input) {
    return solid.thin ? thin_density(input.type, *solid.thin, 1) : 1;
  };
  try {
    for (const DampingLaw& damping : solid.damping)
      for (const BatchDraft& draft : drafts) {
        const ElasticBatchInput& input = draft.input;
        terms.push_back(
            make_damping({input.type, input.law, input.connectivity, input.constants, depth(input)},
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

// What a law of a program's own does not go with.
void require_custom_possible(const SolidInput& solid, const BatchDraft& draft,
                             const CustomLaws& laws) {
  if (!laws.contains(draft.input.law)) return;
  const char* what = solid.thin               ? "cloth and cables are not made of it"
                     : solid.strain           ? "its elasticity cannot be constraints"
                     : !solid.damping.empty() ? "of the models of damping only \"rayleigh\" can"
                                              : nullptr;
  if (what)
    throw InputError(fmt::format("body \"{}\" is of a law that the program brings, \"{}\": {}",
                                 solid.name, draft.input.law, what));
}

std::unique_ptr<ElasticTerm> make_solid_elastic(ElasticBatchInput input, const CustomLaws& laws,
                                                std::span<const Vec3> rest) {
  const auto own = laws.find(input.law);
  return own == laws.end() ? make_elastic(std::move(input), rest)
                           : make_custom_elastic(std::move(input), own->second, rest);
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

Model make_model(std::vector<SolidInput> solids, std::span<const Vec3> obstacles,
                 const MakeTerms& make_more) {
  return make_model(std::move(solids), obstacles, make_more, {});
}

namespace {

struct ElasticParts {
  Body& body;
  std::vector<std::unique_ptr<Term>>& terms;
  std::vector<std::unique_ptr<ElasticTerm>>& measured;
};

// The terms of one body's elements and of its bending. With `strain` its elasticity is that of
// constraints: the terms are for measuring, and what they couple is said apart.
void add_elastic_terms(const SolidInput& solid, std::vector<BatchDraft> drafts,
                       const CustomLaws& laws, std::span<const Vec3> rest,
                       const ElasticParts& out) {
  const std::optional<ThinInput>& thin = solid.thin;
  std::unique_ptr<Term> bending =
      thin ? make_thin_bending(thin_elements(drafts), *thin, rest) : nullptr;
  for (BatchDraft& draft : drafts) {
    auto term = thin ? make_thin(std::move(draft.input), *thin, rest)
                     : make_solid_elastic(std::move(draft.input), laws, rest);
    out.body.batches.push_back({term.get(), std::move(draft.elements)});
    if (solid.strain) {
      out.terms.push_back(std::make_unique<Couplings>(
          std::vector<Index>(term->connectivity().begin(), term->connectivity().end()),
          static_cast<int>(term->connectivity().size()) / term->elements()));
      out.measured.push_back(std::move(term));
    } else {
      out.terms.push_back(std::move(term));
    }
  }
  out.body.bending = bending.get();
  if (bending) out.terms.push_back(std::move(bending));
}

}  // namespace

Model make_model(std::vector<SolidInput> solids, std::span<const Vec3> obstacles,
                 const MakeTerms& make_more, const CustomLaws& laws) {
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
    for (const BatchDraft& draft : drafts[k]) require_custom_possible(solids[k], draft, laws);
    for (auto& term : make_damping_terms(solids[k], drafts[k], rest))
      damping.push_back(std::move(term));
    add_elastic_terms(solids[k], std::move(drafts[k]), laws, rest,
                      {model.bodies[k], terms, model.measured});
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

void Body::Batch::von_mises(const Configuration& c, std::span<double> out) const {
  term->von_mises_without(plastic ? plastic->offset_stresses(c) : std::vector<Mat3>(), c, out);
}

}  // namespace pliant
