// The mesher of builds with PLIANT_CGAL: Delaunay refinement by CGAL's Mesh_3 (Jamin, Alliez,
// Yvinec, Boissonnat, CGALmesh, ACM TOMS 41(4), 2015). It stands alone in this file because it
// takes a minute and 3 GB to compile and its headers warn.
//
// Two things differ from calling make_mesh_3: the first points on the surface are our own, a few on
// every connected part, where CGAL shoots random rays and may miss a part or search for ever; and
// no stage has a time limit, so that the result does not depend on the machine.
#include <pliant/mesh/mesher.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/seeds.hpp>
#include <pliant/mesh/sharp_edges.hpp>
#include <pliant/mesh/tetrahedralize.hpp>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Labeled_mesh_domain_3.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Polyhedral_mesh_domain_with_features_3.h>
#include <CGAL/exude_mesh_3.h>
#include <CGAL/make_mesh_3.h>
#include <CGAL/perturb_mesh_3.h>

#include <fmt/format.h>

#include <unordered_map>

namespace pliant {

bool mesher_available() { return true; }

namespace mesher {
namespace {

namespace parameters = CGAL::parameters;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using SurfaceDomain = CGAL::Polyhedral_mesh_domain_with_features_3<Kernel>;
using Polyhedron = SurfaceDomain::Polyhedron;
using SdfDomain = CGAL::Labeled_mesh_domain_3<Kernel>;

constexpr double sharp_angle = 60;   // degrees between the normals of two faces
constexpr double sharp_length = 4;   // times `size`: shorter sharp edges are rounded
constexpr double sliver_bound = 12;  // degrees, the dihedral angle that the last stages aim for

// Mesh_3 bounds circumradii from above; with these bounds the mean edge comes out near `size`
// (measured on spheres, cubes and the armadillo).
constexpr double radius_per_size = 0.74;
constexpr double distance_per_size = 0.15;

Point to_cgal(const Vec3& x) { return {x.x(), x.y(), x.z()}; }

template <class Domain>
class Refinement {
  using Triangulation = typename CGAL::Mesh_triangulation_3<Domain>::type;
  using Complex = std::conditional_t<
      std::is_same_v<Domain, SurfaceDomain>,
      CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, SurfaceDomain::Corner_index,
                                              SurfaceDomain::Curve_index>,
      CGAL::Mesh_complex_3_in_triangulation_3<Triangulation>>;
  using Criteria = CGAL::Mesh_criteria_3<Triangulation>;

 public:
  Refinement(const Domain& domain, const Limits& limits)
      : domain_(domain), limits_(limits), criteria_(make_criteria(limits.size)) {
    CGAL::get_default_random() = CGAL::Random(0);
  }

  // Keeps sharp edges by a chain of balls along them.
  void protect_edges() {
    CGAL::Mesh_3::internal::init_c3t3_with_features(complex_, domain_, criteria_, false,
                                                    limits_.max_vertices, &error_);
  }

  void insert_seeds(const std::vector<Seed>& seeds) {
    const auto intersect = domain_.construct_intersection_object();
    const auto weighted =
        complex_.triangulation().geom_traits().construct_weighted_point_3_object();
    for (const Seed& seed : seeds) {
      const Kernel::Segment_3 segment(to_cgal(seed.inside), to_cgal(seed.outside));
      if (!domain_.do_intersect_surface_object()(segment)) continue;  // also primes `intersect`
      const auto hit = intersect(segment);
      if (std::get<2>(hit) == 0) continue;
      const auto vertex = complex_.triangulation().insert(weighted(std::get<0>(hit)));
      if (vertex == typename Triangulation::Vertex_handle()) continue;  // hidden by a ball
      if (complex_.in_dimension(vertex) >= 0 && complex_.in_dimension(vertex) < 2) continue;
      complex_.set_dimension(vertex, 2);
      complex_.set_index(vertex, std::get<1>(hit));
    }
  }

  void refine() {
    CGAL::refine_mesh_3(
        complex_, domain_, criteria_, parameters::no_reset_c3t3(), parameters::no_perturb(),
        parameters::no_exude(), parameters::manifold(),
        parameters::mesh_3_options(parameters::maximal_number_of_vertices = limits_.max_vertices,
                                   parameters::pointer_to_error_code = &error_));
    if (error_ == CGAL::CGAL_MESH_3_MAXIMAL_NUMBER_OF_VERTICES_REACHED)
      throw InputError(fmt::format(
          "the mesher passed {} points at size {}; the shape has details far smaller than that",
          limits_.max_vertices, limits_.size));
    CGAL::perturb_mesh_3(complex_, domain_, parameters::sliver_bound = sliver_bound,
                         parameters::time_limit = 0);
    CGAL::exude_mesh_3(complex_, parameters::sliver_bound = sliver_bound,
                       parameters::time_limit = 0);
  }

  Mesh result() const {
    Mesh mesh;
    ElementBlock& block = mesh.blocks.emplace_back();
    std::unordered_map<const void*, Index> number;
    for (auto cell = complex_.cells_in_complex_begin(); cell != complex_.cells_in_complex_end();
         ++cell) {
      for (int k = 0; k < 4; ++k) {
        const auto vertex = cell->vertex(k);
        const auto [entry, is_new] = number.try_emplace(&*vertex, mesh.point_count());
        if (is_new) {
          const auto& p = vertex->point();
          mesh.points.emplace_back(p.x(), p.y(), p.z());
        }
        block.nodes.push_back(entry->second);
      }
    }
    block.region.assign(static_cast<std::size_t>(block.size()), 0);
    return mesh;
  }

 private:
  static Criteria make_criteria(double size) {
    return Criteria(parameters::edge_size = size, parameters::facet_angle = 25,
                    parameters::facet_size = radius_per_size * size,
                    parameters::facet_distance = distance_per_size * size,
                    parameters::cell_radius_edge_ratio = 2,
                    parameters::cell_size = radius_per_size * size);
  }

  const Domain& domain_;
  Limits limits_;
  Criteria criteria_;
  Complex complex_;
  CGAL::Mesh_error_code error_ = CGAL::CGAL_MESH_3_NO_ERROR;
};

Polyhedron make_polyhedron(const TriangleSoup& surface) {
  std::vector<Point> points;
  points.reserve(surface.points.size());
  for (const Vec3& x : surface.points) points.push_back(to_cgal(x));
  std::vector<std::array<std::size_t, 3>> faces;
  faces.reserve(surface.triangles.size());
  for (const auto& t : surface.triangles)
    faces.push_back({static_cast<std::size_t>(t[0]), static_cast<std::size_t>(t[1]),
                     static_cast<std::size_t>(t[2])});
  Polyhedron polyhedron;
  CGAL::Polygon_mesh_processing::polygon_soup_to_polygon_mesh(points, faces, polyhedron);
  return polyhedron;
}

void refuse_self_intersections(const Polyhedron& polyhedron) {
  using Face = boost::graph_traits<Polyhedron>::face_descriptor;
  std::vector<std::pair<Face, Face>> faces;
  CGAL::Polygon_mesh_processing::self_intersections(polyhedron, std::back_inserter(faces));
  if (faces.empty()) return;
  std::unordered_map<const void*, Index> number;
  for (const Face f : CGAL::faces(polyhedron))
    number.emplace(&*f, static_cast<Index>(number.size()));
  std::array<Index, 2> first = {number.at(&*faces[0].first), number.at(&*faces[0].second)};
  for (const auto& [f, g] : faces) first = std::min(first, {number.at(&*f), number.at(&*g)});
  throw InputError(
      fmt::format("the surface intersects itself in {} pairs of triangles, the first {} "
                  "and {} (counted from 0)",
                  faces.size(), first[0], first[1]));
}

}  // namespace

Mesh fill(const TriangleSoup& surface, const Limits& limits) {
  const Polyhedron polyhedron = make_polyhedron(surface);
  refuse_self_intersections(polyhedron);
  CGAL::Random random(0);
  SurfaceDomain domain(polyhedron, &random);
  std::vector<std::vector<Point>> lines;
  for (const auto& line : sharp_polylines(surface, {sharp_angle, sharp_length * limits.size})) {
    std::vector<Point>& points = lines.emplace_back();
    for (const Vec3& x : line) points.push_back(to_cgal(x));
  }
  domain.add_features(lines.begin(), lines.end());
  Refinement<SurfaceDomain> refinement(domain, limits);
  refinement.protect_edges();
  refinement.insert_seeds(make_seeds(surface, limits.size));
  refinement.refine();
  return refinement.result();
}

Mesh fill(const Sdf& body, const SdfBounds& bounds, const Limits& limits) {
  const std::vector<Seed> seeds = make_seeds(body, bounds, limits.size);
  if (seeds.empty())
    throw InputError(fmt::format("no part of the body is larger than size {}", limits.size));
  CGAL::Random random(0);
  const auto value = [&](const Point& p) { return distance(body, Vec3(p.x(), p.y(), p.z())); };
  const Vec3 margin = Vec3::Constant(limits.size + 0.05 * (bounds.max - bounds.min).maxCoeff());
  const Vec3 low = bounds.min - margin, high = bounds.max + margin;
  const SdfDomain domain = SdfDomain::create_implicit_mesh_domain(
      parameters::function = value,
      parameters::bounding_object =
          CGAL::Bbox_3(low.x(), low.y(), low.z(), high.x(), high.y(), high.z()),
      parameters::relative_error_bound = 1e-6, parameters::p_rng = &random);
  Refinement<SdfDomain> refinement(domain, limits);
  refinement.insert_seeds(seeds);
  refinement.refine();
  return refinement.result();
}

}  // namespace mesher
}  // namespace pliant
