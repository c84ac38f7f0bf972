// A scene as plain typed data: what the text said, with every default filled in and every reference
// checked, before anything is built. Positions are undeformed world coordinates after `transform`
// unless said otherwise; SI units.
//
// `where` names the place in the file ("scene.json#/bodies/0/pin/1") for messages that can only be
// made later, when there is a mesh.
#pragma once

#include <pliant/body/rigid.hpp>
#include <pliant/body/thin.hpp>
#include <pliant/constraint/joints.hpp>
#include <pliant/constraint/strain_rows.hpp>
#include <pliant/core/curve.hpp>
#include <pliant/dissipation/damping_law.hpp>
#include <pliant/dissipation/modal_law.hpp>
#include <pliant/element/plasticity.hpp>
#include <pliant/load/path_law.hpp>
#include <pliant/material/constants.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/mesh/sdf.hpp>
#include <pliant/mesh/selections.hpp>
#include <pliant/mesh/transform.hpp>
#include <pliant/scene/expression.hpp>
#include <pliant/scene/json.hpp>
#include <pliant/system/pins.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <variant>

namespace pliant {

struct FilePath {
  std::string written;             // as in the scene
  std::filesystem::path resolved;  // relative paths start at the scene's folder
};

struct TimeDescription {
  double dt = 0, duration = 0, output_dt = 0, min_dt = 0;  // s
  double tolerance = 0;  // of the steps that "auto" chooses; 0 where dt is given
  bool chosen() const { return tolerance > 0; }
};
struct IntegratorDescription {  // options of other methods keep these values, unread
  std::string type;
  double rho_inf = 0.8, beta = 0.25, gamma = 0.5;
  int modes = 10;
  std::variant<int, std::string> refresh = 1;  // steps, or "never" or "auto"
  double krylov_tolerance = 1e-8;
  std::string variant = "exact";
  std::string where;
};
struct SolverDescription {
  static constexpr double usual_tolerance = 1e-8;
  std::string type;
  double tolerance = usual_tolerance;
  bool auto_tolerance = false;  // by the error of the step; `tolerance` is the usual one then
  int max_iterations = 0;
  std::string linear;
  bool reuse = true;
  bool fast = false;
  int iterations = 0;  // of admm
  double weights = 1;
  int acceleration = 0;
  std::string geometric_stiffness = "exact";
  std::optional<bool> stabilize;  // nothing: velocities, where the method needs it
  int max_work = 10000;
  std::string precision = "double";
  std::string where;
};

struct MaterialDescription {
  std::string model, where;
  MaterialConstants constants;            // young stands for 1 Pa where there is a field
  std::optional<Expression> young_field;  // Pa
};

struct FileMesh {
  FilePath file;
  std::optional<ElementType> element;  // as in the file unless given
};
struct SurfaceMesh {
  FilePath surface;
  double size = 0;  // m
  ElementType element = ElementType::tet4;
};
struct SdfMesh {
  Sdf body;
  double size = 0;  // m
  ElementType element = ElementType::tet4;
};
using MeshDescription = std::variant<BoxSpec, SphereSpec, CylinderSpec, CapsuleSpec, TorusSpec,
                                     SheetSpec, CableSpec, FileMesh, SurfaceMesh, SdfMesh>;

struct BodyMaterial {
  std::string standard;                        // for regions that are not listed
  std::map<std::string, std::string> regions;  // region -> material
  std::optional<Expression> young;             // Pa, in place of the materials' own
};

// A vertex cache: where every vertex of a body or of an obstacle's mesh is over time.
struct CacheDescription {
  FilePath file;
  std::optional<double> start;  // s, of the first frame; as the file says unless given
  std::optional<double> dt;     // s per frame, of files that know no times
  double speed = 1;             // so many times as fast as the file says
  std::string where;
};

struct PinDescription {
  Selection selection;
  std::array<bool, 3> axes = {true, true, true};
  Motion motion;                                           // at rest unless given
  std::optional<CacheDescription> cache;                   // in place of it
  double from = 0;                                         // s
  double until = std::numeric_limits<double>::infinity();  // s
  std::string where;
};

struct InitialDescription {
  Vec3 velocity, angular_velocity;  // m/s; rad/s about the centroid
  Mat3 deform;                      // about the centroid
  std::optional<FilePath> positions;
};
struct DampingDescription {
  double alpha = 0, beta = 0;     // Rayleigh with K of the step's start, 1/s and s
  std::optional<DampingLaw> law;  // any other of the elements
  std::optional<ModalLaw> modal;  // of single modes
  // Formulas for its strengths, in place of the numbers.
  std::optional<Expression> psi, phi, beta_field;
  std::string where;  // the record that holds them
};
struct PointMassDescription {
  Vec3 point;
  double mass = 0;  // kg
  std::string where;
};

struct RigidDescription {
  double density = 0;               // kg/m³
  std::optional<double> mass;       // kg, in place of it
  std::optional<Mat3> inertia;      // kg m², about the centre, along the axes of the mesh
  std::optional<Vec3> center;       // of mass, m, in the mesh before `transform`
  std::optional<double> stiffness;  // Pa
  RigidFormulation formulation = RigidFormulation::affine;
};

struct FramesDescription {
  std::vector<Vec3> places;  // m; empty: as many as `count`, spread over the body
  std::size_t count = 0;
  int power = 2;
};

// A body that moves like a finer mesh of the same shape.
struct CoarsenDescription {
  bool young_only = false;                     // dac: one factor on the stiffness; else eigenfit
  std::optional<MeshDescription> fine;         // none: the ratios are given
  std::vector<double> ratios;                  // λ_fine/λ_coarse, one per mode
  std::optional<int> modes;                    // none: as many as both meshes agree on
  int subspace = 0;                            // modes that are followed, at least as many
  std::variant<int, std::string> refresh = 1;  // steps, or "never" or "auto"
  bool by_overlap = true;                      // modes are paired; else by number
  std::string on_failure = "warn";             // of the acceptance test: warn, off, stop
  bool show_fine = true;                       // the surface of the fine mesh is what is seen
  std::string where;
};

struct BodyDescription {
  std::string name, type, where;
  MeshDescription mesh;
  BodyMaterial material;
  Transform transform;
  InitialDescription initial;
  std::vector<PinDescription> pins;
  std::vector<DampingDescription> damping;
  bool lumped_mass = false;
  std::vector<PointMassDescription> point_masses;
  std::optional<ThinInput> thin;  // cloth and cables
  std::optional<RigidDescription> rigid;
  std::optional<FramesDescription> frames;
  std::optional<PlasticLaw> plasticity;
  std::optional<MeshDescription> embed;  // a fine surface to carry
  std::optional<CoarsenDescription> coarsen;
};

struct WindDescription {
  Curve velocity;   // m/s
  double drag = 0;  // N·s²/m⁴
};
struct PointForceDescription {
  std::string body;
  Selection selection;
  Curve force;  // N, in all
};
struct PressureDescription {
  std::string body;
  Selection selection;
  Curve pressure;  // Pa, in the first component
};
struct BodyShare {
  std::string body;
  double share = 1;
};
struct PathPointDescription {
  // Where several bodies carry it, each by its share: blended like a skin. None: the world.
  std::vector<BodyShare> carried_by;
  Vec3 point;             // m, undeformed
  std::string at, where;  // the bodies' names in the document; the point
};
struct PathDescription {  // a spring, a tendon or a muscle
  std::string name;
  std::vector<PathPointDescription> points;
  PathLaw law;
  bool length_given = false;  // else it rests, or pulls best, at the length of the undeformed path
};
struct ForceDescription {
  std::variant<WindDescription, PointForceDescription, PressureDescription, PathDescription> load;
  std::string where;
};
// What the history records of a body, of a spring, tendon or muscle, or of a constraint.
enum class ProbeKind { point, force_on, tension_of, force_of, torque_of };
struct ProbeDescription {
  std::string name;
  ProbeKind kind = ProbeKind::point;
  std::string of;             // its name
  std::optional<Vec3> point;  // m, undeformed; of the tension of a cable: none is the largest
  std::string where;
};

struct ContactDescription {
  std::string method = "none";
  std::optional<double> distance;  // m
  bool self = true;
  bool allow_initial_intersections = false;
  std::vector<std::vector<std::string>> groups;  // of names that pass through each other
  std::optional<double> stiffness;               // Pa; nothing: the bodies' moduli
  bool energy_guard = true;
  std::optional<double> restitution;  // nothing: none with unilateral, else no limit
  double friction = 0;
  struct Pair {
    std::string a, b;
    double friction = 0;
  };
  std::vector<Pair> pairs;
  bool stick = true;
  std::optional<double> slip_speed;        // m/s
  std::variant<int, std::string> lag = 6;  // times, or "converged"
  std::string where;
};
struct PlaneShape {
  Vec3 point, normal;  // m; of length one
};
struct BallShape {
  Vec3 center;
  double radius = 0;  // m
};
struct RodShape {
  Vec3 from, to;
  double radius = 0;  // m
};
struct BoxShape {
  Vec3 center, size;  // m
};
struct ImplicitShape {  // where a formula is negative, as the closed mesh of its surface
  Expression formula;
  std::optional<double> size;                 // m, of the cubes that it is sampled on
  std::optional<Eigen::AlignedBox3d> bounds;  // m
};
struct PointsShape {
  std::vector<Vec3> points;  // m
  double radius = 0;         // m, around each
};
struct SegmentsShape {
  std::vector<Vec3> ends;  // m, two of each
  double radius = 0;       // m, around each
};
struct ObstacleDescription {
  std::string name, where;
  std::variant<PlaneShape, BallShape, RodShape, BoxShape, FilePath, ImplicitShape, PointsShape,
               SegmentsShape>
      shape;
  Transform transform;  // of the nodes of what is made of triangles; other shapes have it in them
  Motion motion;
  std::optional<CacheDescription> cache;  // in place of it, of meshes
  std::optional<double> friction;
};

struct ConstraintDescription {
  std::string type, name, where;
  std::string body;
  Vec3 point = Vec3::Zero();              // m, undeformed
  std::optional<std::string> other_body;  // none: the world
  Vec3 other_point = Vec3::Zero();
  Vec3 axis = Vec3::Zero();                     // of length one, of lines and planes
  std::optional<double> rest;                   // m, of distances
  double compliance = 0, damping = 0;           // m/N, N·s/m
  std::optional<std::array<double, 2>> limits;  // m, rad
  std::optional<Motor> motor;                   // of hinges and sliders
  Selection selection;                          // of bindings: nodes of `body`
  std::optional<Target> volume;                 // m³, that is kept
  std::optional<StrainMeasure> measure;         // of strain; nothing: that of the material
  bool diagonals = true;                        // of edges: also the longest of each triangle
};

struct SceneDescription {
  std::string name, description;
  TimeDescription time;
  Vec3 gravity;  // m/s²
  IntegratorDescription integrator;
  SolverDescription solver;
  std::string energy = "warn";
  std::map<std::string, MaterialDescription> materials;
  std::vector<BodyDescription> bodies;
  std::vector<ForceDescription> forces;
  ContactDescription contact;
  std::vector<ObstacleDescription> obstacles;
  std::vector<ConstraintDescription> constraints;
  std::vector<ProbeDescription> probes;
};

// `resolved` comes from resolve(). Throws InputError for what no schema can say: unknown or
// repeated names, curves whose times do not increase, pins that end before they begin, and the
// like.
SceneDescription describe(const Json& resolved, const std::filesystem::path& base_folder,
                          std::string_view name = "scene.json");

}  // namespace pliant
