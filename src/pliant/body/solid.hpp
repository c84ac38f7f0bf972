// Bodies: from a mesh and materials to the terms, masses and damping of a System.
#pragma once

#include <pliant/body/frames.hpp>
#include <pliant/body/rigid.hpp>
#include <pliant/body/thin.hpp>
#include <pliant/constraint/strain_rows.hpp>
#include <pliant/dissipation/damping_law.hpp>
#include <pliant/element/elastic_term.hpp>
#include <pliant/element/plasticity.hpp>
#include <pliant/mesh/mesh.hpp>
#include <pliant/mesh/surface.hpp>
#include <pliant/system/system.hpp>

#include <functional>
#include <string>

namespace pliant {

struct SolidMaterial {
  std::string law;  // a name from material/laws.hpp
  MaterialConstants constants;
};

struct PointMass {
  Vec3 point;       // m, in the undeformed body
  double mass = 0;  // kg
};

struct SolidInput {
  std::string name;
  Mesh mesh;                               // undeformed, in the world
  std::vector<SolidMaterial> materials;    // what the body is made of
  std::vector<Index> material_of_element;  // over all blocks in turn; empty: all of the first
  std::vector<double> young;               // per element, Pa; empty: as the materials say
  bool lumped = false;
  double alpha = 0, beta = 0;       // Rayleigh damping with K of the step's start, 1/s and s
  std::vector<DampingLaw> damping;  // more of it; strengths once, or per element over all blocks
  std::vector<PointMass> point_masses;
  std::optional<ThinInput> thin;        // cloth, of triangles, or a cable, of segments
  std::optional<RigidInput> rigid;      // then the mesh has no part in it but as a surface
  std::optional<FramesInput> frames;    // then its nodes follow those
  std::optional<StrainMeasure> strain;  // elasticity as constraints, in this measure
  std::optional<Mesh> skin;             // triangles that a solid carries, undeformed, in the world
};

// A body as the model keeps it: where its nodes are among the system's, and its batches.
struct Body {
  std::string name;
  Mesh mesh;
  Surface surface;       // what is seen and touches, in the mesh's own node numbers
  Index first_node = 0;  // of the system
  struct Batch {
    const ElasticTerm* term = nullptr;
    std::vector<Index> elements;           // over all blocks in turn, in the order of the batch
    const PlasticTerm* plastic = nullptr;  // null: it stays elastic
    void von_mises(const Configuration& c, std::span<double> out) const;  // Pa, by element
  };
  std::vector<Batch> batches;
  const Term* bending = nullptr;  // of cloth and cables; null: there is none
  std::vector<Index> material_of_element;
  double mass = 0;                  // kg
  std::optional<RigidFrame> rigid;  // then all its nodes follow those of the frame
  std::optional<FrameSkin> frames;  // likewise, of several
  // A fine surface that a coarse solid carries is a part of its mesh, behind all else: nodes that
  // follow others, and triangles that no elements are made of. It is what is seen and touches.
  std::vector<Index> skin_hosts;  // the element that carries each triangle; empty: no skin
  Index skin_nodes = 0;
  bool is_skin(Index n) const { return n >= mesh.point_count() - skin_nodes; }  // of the mesh
  Surface boundary() const;                                                     // of its elements
  Mesh without_skin() const;
  // Values of elements in turn, for whom the triangles have those of the elements that carry them.
  void give_to_skin(std::span<double> values) const;

  // A point of the undeformed body by nodes of the system that are solved for.
  PointSearch find(const Vec3& point) const;
  // Likewise where the point may be beside the body and goes along with it.
  PointSearch attach(const Vec3& point) const;
  // Those nodes: its own, or those of the frames.
  Index first_solved() const {
    return rigid ? rigid->first : frames ? frames->first() : first_node;
  }
  Index end_solved() const {
    return rigid ? rigid->first + 4 : frames ? frames->end() : end_node();
  }
  Index end_node() const { return first_node + mesh.point_count(); }
};

struct Model {
  std::unique_ptr<System> system;
  std::vector<Body> bodies;
  // Of bodies whose elasticity is constraints, no terms of the system: they tell stress and strain.
  std::vector<std::unique_ptr<ElasticTerm>> measured;
};

// Makes terms that couple nodes which no body couples, such as those of different bodies. The
// bodies have their meshes and nodes already; `rest` holds all nodes of the system.
using MakeTerms = std::function<std::vector<std::unique_ptr<Term>>(std::span<const Body> bodies,
                                                                   std::span<const Vec3> rest)>;

// Builds the system of all bodies with their masses and damping; gravity and loads are added to it.
// `obstacles` are nodes behind those of the bodies, without mass: whoever adds them pins them.
Model make_model(std::vector<SolidInput> solids, std::span<const Vec3> obstacles = {},
                 const MakeTerms& make_more = {});

}  // namespace pliant
