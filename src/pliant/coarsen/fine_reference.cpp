#include <pliant/coarsen/fine_reference.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/parallel.hpp>
#include <pliant/mesh/statistics.hpp>

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

// Of the diagonal, and of the volume: what a coarse mesh of a round body may lack.
constexpr double kSamePlace = 0.1, kSameVolume = 0.3;

void require_same_shape(const Mesh& coarse, const Mesh& fine, const std::string& where) {
  const MeshStatistics c = statistics_of(coarse), f = statistics_of(fine);
  const double size = (c.max - c.min).norm();
  const double off =
      std::max((c.min - f.min).cwiseAbs().maxCoeff(), (c.max - f.max).cwiseAbs().maxCoeff());
  if (off > kSamePlace * size)
    throw InputError(fmt::format(
        "{}: the fine mesh does not lie where the coarse one does: the boxes around them, from "
        "({:.3g}, {:.3g}, {:.3g}) to ({:.3g}, {:.3g}, {:.3g}) and from ({:.3g}, {:.3g}, {:.3g}) to "
        "({:.3g}, {:.3g}, {:.3g}), differ by {:.3g} m; it is placed by the body's \"transform\", "
        "too",
        where, f.min[0], f.min[1], f.min[2], f.max[0], f.max[1], f.max[2], c.min[0], c.min[1],
        c.min[2], c.max[0], c.max[1], c.max[2], off));
  if (std::abs(f.measure / c.measure - 1) > kSameVolume)
    throw InputError(fmt::format(
        "{}: the fine mesh is not of the same shape: its volume is {:.3g} m³, that of the coarse "
        "one {:.3g} m³",
        where, f.measure, c.measure));
  if (f.points <= c.points)
    throw InputError(fmt::format("{}: the fine mesh has {} nodes, no more than the coarse one's {}",
                                 where, f.points, c.points));
}

}  // namespace

FineReference::FineReference(Model fine, std::vector<HeldNodes> pins, const Mesh& coarse,
                             const std::string& where)
    : model_(std::move(fine)),
      pins_(std::move(pins)),
      coarse_dofs_(3 * static_cast<Eigen::Index>(coarse.points.size())) {
  const Mesh& mesh = model_.bodies[0].mesh;
  require_same_shape(coarse, mesh, where);
  points_.resize(mesh.points.size());
  parallel_for_each(points_.size(), 64, [&](std::size_t n) {
    points_[n] = attach_point(coarse, mesh.points[n]).point;
  });
}

ElasticModes FineReference::find(const std::vector<bool>& active, Index count,
                                 const ModeCache& cache, const Log& log) const {
  const System& system = *model_.system;
  const Body& body = model_.bodies[0];
  DofMask mask(static_cast<std::size_t>(system.dofs()), 0);
  for (std::size_t p = 0; p < pins_.size(); ++p)
    if (active[p])
      for (const Index n : pins_[p].nodes)
        for (std::size_t i = 0; i < 3; ++i)
          if (pins_[p].axes[i]) mask[3 * static_cast<std::size_t>(n) + i] = kPrescribed;
  PartNodes nodes{body.first_node, body.end_node(), {}};
  for (const Body::Batch& batch : body.batches) nodes.elastic.push_back(batch.term);
  const BodyPart part(std::move(nodes), system.mass());
  BlockMatrix workspace, K;
  const Vector v = Vector::Zero(system.dofs());
  part.assemble({.q = view(system.rest()), .v = view(v)}, workspace, K);
  workspace = {};
  const EigenProblem problem{K, part.mass(), mask};
  ElasticModes modes = cache.find(problem, count, log, [&] {
    EigenpairSolver solver;
    return find_elastic_modes({problem, view(system.rest()), count}, solver);
  });
  if (!modes.ok)
    throw CannotContinue("the modes of the fine mesh could not be found: " + modes.reason);
  return modes;
}

FineModes FineReference::modes(const std::vector<bool>& active, Index count, const ModeCache& cache,
                               const Log& log) const {
  const ElasticModes found = find(active, count, cache, log);
  const Eigen::Index s = found.vectors.cols();
  FineModes fine{found.values, Matrix::Zero(coarse_dofs_, s)};
  Vector Mu(found.vectors.rows());
  for (Eigen::Index k = 0; k < s; ++k) {
    model_.system->mass().multiply(
        {found.vectors.col(k).data(), static_cast<std::size_t>(found.vectors.rows())}, view(Mu));
    for (std::size_t n = 0; n < points_.size(); ++n)
      for (int a = 0; a < points_[n].count; ++a)
        fine.carried.block<3, 1>(3 * points_[n].nodes[static_cast<std::size_t>(a)], k) +=
            points_[n].weights[static_cast<std::size_t>(a)] *
            Mu.segment<3>(3 * static_cast<Eigen::Index>(n));
  }
  return fine;
}

Matrix FineReference::carry(const Matrix& coarse) const {
  Matrix out = Matrix::Zero(model_.system->dofs(), coarse.cols());
  for (std::size_t n = 0; n < points_.size(); ++n)
    for (int a = 0; a < points_[n].count; ++a)
      out.middleRows<3>(3 * static_cast<Eigen::Index>(n)) +=
          points_[n].weights[static_cast<std::size_t>(a)] *
          coarse.middleRows<3>(3 * points_[n].nodes[static_cast<std::size_t>(a)]);
  return out;
}

}  // namespace pliant
