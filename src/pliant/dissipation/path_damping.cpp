#include <pliant/dissipation/path_damping.hpp>

#include <algorithm>

namespace pliant {

bool PathDamping::time_dependent() const {
  return std::any_of(paths_.begin(), paths_.end(), [](const Path& path) {
    return path.law().kind != PathKind::spring && !path.law().drive.constant();
  });
}

void PathDamping::add_stencils(PatternBuilder& builder) const {
  for (const Path& path : paths_) builder.add(path.nodes(), static_cast<int>(path.nodes().size()));
}

void PathDamping::locate(const std::shared_ptr<const BlockPattern>& pattern) {
  for (Path& path : paths_) path.locate(*pattern);
}

double PathDamping::dissipation(const Configuration& c) const {
  double R = 0;
  for (const Path& path : paths_) R += respond(path, c).power;
  return R;
}

void PathDamping::add_force(const Configuration& c, std::span<double> f) const {
  for (const Path& path : paths_) path.add_gradient(c.q, -respond(path, c).tension, f);
}

void PathDamping::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  const bool position = tangent.stiffness != 0 && tangent.projection != Projection::psd;
  if (tangent.damping == 0 && !position) return;
  for (const Path& path : paths_) {
    const ViscousTension R = respond(path, c);
    const std::vector<Vec3> g = path.gradient(c.q);
    path.add_product(tangent.damping * R.by_rate + (position ? tangent.stiffness * R.by_length : 0),
                     g, g, A);
    if (!position) continue;
    path.add_product(tangent.stiffness * R.by_rate, g, path.rate_gradient(c.q, c.v), A);
    path.add_hessian(c.q, tangent.stiffness * R.tension, A);
  }
}

double PathDamping::stage_excess(const Configuration& c, const StageForm& form) const {
  if (form.v_hat.empty()) return 0;
  Configuration fixed = c;
  fixed.v = form.v_hat;
  return -dissipation(fixed);
}

// f −= scale ∂R/∂q
void PathDamping::add_position_force(const Configuration& c, double scale,
                                     std::span<double> f) const {
  for (const Path& path : paths_) {
    const ViscousTension R = respond(path, c);
    const std::vector<Vec3> r = path.rate_gradient(c.q, c.v);
    path.add_gradient(c.q, -scale * R.power_by_length, f);
    for (std::size_t a = 0; a < r.size(); ++a) node(f, path.nodes()[a]) -= scale * R.tension * r[a];
  }
}

void PathDamping::add_stage_force(const Configuration& c, const StageForm& form,
                                  std::span<double> f) const {
  add_position_force(c, form.gamma_q, f);
  if (form.v_hat.empty()) return;
  Configuration fixed = c;
  fixed.v = form.v_hat;
  add_position_force(fixed, -form.gamma_q, f);
}

void PathDamping::add_stage_tangent(const Configuration& c, const StageForm& form, Tangent scale,
                                    BlockMatrix& A) const {
  if (scale.projection == Projection::psd) return;
  const double factor = scale.damping * form.gamma_q;
  for (const Path& path : paths_) {
    const ViscousTension R = respond(path, c);
    const std::vector<Vec3> g = path.gradient(c.q);
    path.add_product(factor * R.by_length, g, g, A);
    path.add_product(factor * R.by_rate, path.rate_gradient(c.q, c.v), g, A);
    path.add_hessian(c.q, factor * R.tension, A);
  }
}

}  // namespace pliant
