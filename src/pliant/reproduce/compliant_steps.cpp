#include <pliant/reproduce/compliant_steps.hpp>

#include <pliant/core/symmetric.hpp>
#include <pliant/load/gravity.hpp>
#include <pliant/mesh/generators.hpp>

namespace pliant {

CompliantSteps::CompliantSteps(const System& system, double h)
    : system_(system),
      h_(h),
      state_(system.make_state()),
      M_(system.pattern()),
      solver_(make_kkt_solver("auto")) {
  lambda_.setZero(system.constraints().rows());
  system.mass().write_to(M_);
}

bool CompliantSteps::step() {
  const ConstraintSet& constraints = system_.constraints();
  StepData data;
  DofMask mask;
  system_.open_step(state_, h_, data, mask);
  std::vector<JacobianEntry> J;
  std::vector<NodeBlock> geometric;
  Vector phi;
  constraints.value(state_.t, view(state_.q), phi);
  constraints.jacobian(view(state_.q), J);
  constraints.geometric_stiffness(view(state_.q), lambda_, h_ * h_, GeometricStiffness::positive,
                                  geometric);
  f_.setZero(system_.dofs());
  p_.setZero(system_.dofs());
  system_.force(at(state_), view(f_));
  system_.mass().multiply(view(state_.v), view(p_));
  assembly_.matrix().C = constraints.compliance() / (h_ * h_);
  assembly_.matrix().unit = system_.size() / h_;
  assembly_.fill(M_, geometric, J, mask);
  assembly_.gather(p_ + h_ * f_, b_);
  g_ = -phi / h_;
  if (solver_->factorize(matrix()) != SolveStatus::ok) return false;
  Vector x, y;
  if (solver_->solve(b_, g_, x, y).status != SolveStatus::ok || !x.allFinite()) return false;
  assembly_.scatter(x, state_.v);
  state_.q += h_ * state_.v;
  state_.t += h_;
  lambda_ = -y / h_;
  return true;
}

Eigen::SparseMatrix<double> CompliantSteps::stiffness_form(double spring_compliance) const {
  const Vector C = system_.constraints().compliance().unaryExpr(
      [&](double c) { return c > 0 ? c : spring_compliance; });
  const Eigen::SparseMatrix<double> J = matrix().J;
  Eigen::SparseMatrix<double> K = J.transpose() * (h_ * h_ / C.array()).matrix().asDiagonal() * J;
  K += Eigen::SparseMatrix<double>(matrix().A.selfadjointView<Eigen::Lower>());
  return K;
}

double condition_number(const Eigen::MatrixXd& symmetric) {
  const auto eigen = symmetric_pairs(symmetric, Eigen::EigenvaluesOnly);
  const Vector size = eigen.eigenvalues().cwiseAbs();
  return size.maxCoeff() / size.minCoeff();
}

double condition_number(const KktMatrix& matrix) {
  const Index n = matrix.unknowns(), m = matrix.rows();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + m, n + m);
  all.topLeftCorner(n, n) =
      Eigen::MatrixXd(Eigen::SparseMatrix<double>(matrix.A.selfadjointView<Eigen::Lower>()));
  all.bottomLeftCorner(m, n) = Eigen::MatrixXd(matrix.J);
  all.topRightCorner(n, m) = all.bottomLeftCorner(m, n).transpose();
  all.diagonal().tail(m) = -matrix.C;
  return condition_number(all);
}

Model make_cloth(const ClothInput& input) {
  SolidInput sheet;
  sheet.name = "sheet";
  SheetSpec spec;
  spec.size = {input.length, input.length};
  spec.cells = {input.side - 1, input.side - 1};
  sheet.mesh = make_sheet(spec);
  SolidMaterial material{.law = "stvk", .constants = {}};
  material.constants.young = input.young;
  material.constants.poisson = input.poisson;
  material.constants.density = input.density;
  sheet.materials = {material};
  sheet.thin = ThinInput{.thickness = input.thickness, .bending = 0.0};
  if (input.compliant) sheet.strain = StrainMeasure::green;
  const double half = input.length / 2;
  Pin pin;
  for (Index n = 0; n < sheet.mesh.point_count(); ++n) {
    const Vec3& x = sheet.mesh.points[n];
    const bool corner = std::abs(x.x()) > 0.999 * half && std::abs(x.z()) > 0.999 * half;
    if (corner && x.z() < 0) pin.nodes.push_back(n);
    if (corner && x.z() > 0 && input.weight > 0) sheet.point_masses.push_back({x, input.weight});
  }
  std::vector<SolidInput> bodies;
  bodies.push_back(std::move(sheet));
  Model model = make_model(std::move(bodies));
  System& system = *model.system;
  system.add_term(std::make_unique<Gravity>(Vec3(0, -9.81, 0), system.mass(), view(system.rest())));
  system.add_pin(std::move(pin));
  return model;
}

}  // namespace pliant
