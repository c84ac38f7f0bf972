#include <pliant/coarsen/mode_overlap.hpp>

#include <pliant/core/parallel.hpp>
#include <pliant/element/mapped_point.hpp>

namespace pliant {

Matrix mode_overlap(const Model& coarse, const Matrix& coarse_shapes, const Model& fine,
                    const Matrix& fine_shapes) {
  if (coarse.bodies.size() != fine.bodies.size()) return {};
  for (const Model* model : {&coarse, &fine})
    for (const Body& body : model->bodies)
      if (body.rigid || body.frames || body.mesh.top_dimension() != 3) return {};
  Matrix carried = Matrix::Zero(fine.system->dofs(), coarse_shapes.cols());
  for (std::size_t k = 0; k < fine.bodies.size(); ++k) {
    const Body &from = coarse.bodies[k], &to = fine.bodies[k];
    const Mesh mesh = from.without_skin();
    const auto nodes = static_cast<std::size_t>(to.mesh.point_count() - to.skin_nodes);
    parallel_for_each(nodes, 64, [&](std::size_t n) {
      const MappedPoint point = attach_point(mesh, to.mesh.points[n]).point;
      auto rows = carried.middleRows<3>(3 * (to.first_node + static_cast<Eigen::Index>(n)));
      for (int a = 0; a < point.count; ++a) {
        const Eigen::Index node = from.first_node + point.nodes[static_cast<std::size_t>(a)];
        rows += point.weights[static_cast<std::size_t>(a)] * coarse_shapes.middleRows<3>(3 * node);
      }
    });
  }
  Matrix M_fine(fine_shapes.rows(), fine_shapes.cols());
  const auto n = static_cast<std::size_t>(fine_shapes.rows());
  for (Eigen::Index k = 0; k < fine_shapes.cols(); ++k)
    fine.system->mass().multiply({fine_shapes.col(k).data(), n}, {M_fine.col(k).data(), n});
  return carried.transpose() * M_fine;
}

}  // namespace pliant
