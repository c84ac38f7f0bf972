// Small bodies that many tests share.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>

#include <cmath>
#include <random>

namespace pliant::test {

struct BeamSpec {
  Vec3 size = Vec3(8, 1, 1);
  std::array<Index, 3> cells = {4, 1, 1};
  ElementType element = ElementType::tet4;
  int split = 5;
  std::string law = "stable-neo-hookean";
  double young = 1e5, poisson = 0.4, density = 1000;
  bool lumped = false;
  double alpha = 0, beta = 0;
  std::vector<DampingLaw> damping = {};
  bool pin_left = true, pin_right = false;
  Vec3 gravity = Vec3(0, -9.81, 0);
};

inline std::vector<Index> nodes_at_x(const Mesh& mesh, double x) {
  std::vector<Index> nodes;
  for (Index n = 0; n < mesh.point_count(); ++n)
    if (std::abs(mesh.points[n].x() - x) < 1e-9) nodes.push_back(n);
  return nodes;
}

inline Pin fixed(std::vector<Index> nodes) {
  Pin pin;
  pin.nodes = std::move(nodes);
  return pin;
}

inline Model make_beam(const BeamSpec& spec) {
  SolidInput solid;
  solid.name = "beam";
  solid.mesh = make_box(
      {.size = spec.size, .cells = spec.cells, .element = spec.element, .split = spec.split});
  MaterialConstants constants;
  constants.young = spec.young;
  constants.poisson = spec.poisson;
  constants.density = spec.density;
  solid.materials = {{spec.law, constants}};
  solid.lumped = spec.lumped;
  solid.alpha = spec.alpha;
  solid.beta = spec.beta;
  solid.damping = spec.damping;
  std::vector<SolidInput> solids;
  solids.push_back(std::move(solid));
  Model model = make_model(std::move(solids));
  const Mesh& mesh = model.bodies[0].mesh;
  if (spec.pin_left) model.system->add_pin(fixed(nodes_at_x(mesh, -spec.size.x() / 2)));
  if (spec.pin_right) model.system->add_pin(fixed(nodes_at_x(mesh, spec.size.x() / 2)));
  if (!spec.gravity.isZero(0))
    model.system->add_term(
        std::make_unique<Gravity>(spec.gravity, model.system->mass(), view(model.system->rest())));
  return model;
}

inline Vector random_vector(Eigen::Index n, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-scale, scale);
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = uniform(random);
  return x;
}

// Moves the interior points of a box mesh, so that no element is like another.
inline void shake_interior(Mesh& mesh, const Vec3& size, double amount, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-amount, amount);
  for (Vec3& x : mesh.points) {
    const Vec3 shift(uniform(random), uniform(random), uniform(random));
    const Vec3 room = 0.5 * size - x.cwiseAbs();
    if (room.minCoeff() > 1e-9) x += shift;
  }
}

inline Eigen::MatrixXd dense(const BlockMatrix& A) {
  const BlockPattern& p = A.pattern();
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * p.rows, 3 * p.rows);
  for (Index i = 0; i < p.rows; ++i)
    for (Index k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      D.block<3, 3>(3 * i, 3 * p.column[k]) = Eigen::Map<const Mat3>(A.block(k));
  return D;
}

inline Eigen::MatrixXd dense(const NodeMatrix& M) {
  BlockMatrix A(M.shared_pattern());
  M.write_to(A);
  return dense(A);
}

}  // namespace pliant::test
