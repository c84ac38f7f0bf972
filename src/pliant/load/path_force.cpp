#include <pliant/load/path_force.hpp>

#include <pliant/element/local_step.hpp>

#include <Eigen/Cholesky>

#include <algorithm>

namespace pliant {
namespace {

// Length and derivatives of a path over the stacked z of its segments.
struct LocalPath {
  const Path& path;

  auto size() const { return static_cast<Eigen::Index>(3 * path.segments()); }
  Path::Segment segment(const Vector& z, std::size_t s) const {
    return path.segment(s, z.segment<3>(static_cast<Eigen::Index>(3 * s)));
  }
  double length(const Vector& z) const {
    double sum = 0;
    for (std::size_t s = 0; s < path.segments(); ++s) sum += segment(z, s).length;
    return sum;
  }
  Vector gradient(const Vector& z) const {
    Vector out(size());
    for (std::size_t s = 0; s < path.segments(); ++s)
      out.segment<3>(static_cast<Eigen::Index>(3 * s)) = segment(z, s).along;
    return out;
  }
  // As the class comment says, made positive.
  Eigen::MatrixXd tangent(const Vector& z, const PathTension& W) const {
    const Vector g = gradient(z);
    Eigen::MatrixXd H = std::max(0.0, W.slope) * g * g.transpose();
    for (std::size_t s = 0; s < path.segments(); ++s) {
      const auto i = static_cast<Eigen::Index>(3 * s);
      H.block<3, 3>(i, i) += std::max(0.0, W.tension) * segment(z, s).bend();
    }
    return H;
  }
};

bool minimise_part(const Path& path, double t, double weight, const Vector& target, Vector& z) {
  const LocalPath local{path};
  const auto response = [&](const Vector& y) { return tension_of(path.law(), t, local.length(y)); };
  return minimise_locally(
      [&](const Vector& y) {
        return response(y).energy + 0.5 * weight * (y - target).squaredNorm();
      },
      [&](const Vector& y) {
        return Vector(response(y).tension * local.gradient(y) + weight * (y - target));
      },
      [&](const Vector& y, const Vector& g) {
        Eigen::MatrixXd H = local.tangent(y, response(y));
        H.diagonal().array() += weight;
        return Vector(H.llt().solve(g));
      },
      z);
}

}  // namespace

bool PathForce::time_dependent() const {
  return std::any_of(paths_.begin(), paths_.end(),
                     [](const Path& path) { return !path.law().drive.constant(); });
}

void PathForce::add_stencils(PatternBuilder& builder) const {
  for (const Path& path : paths_) builder.add(path.nodes(), static_cast<int>(path.nodes().size()));
}

void PathForce::locate(const std::shared_ptr<const BlockPattern>& pattern) {
  for (Path& path : paths_) path.locate(*pattern);
}

double PathForce::potential(const Configuration& c) const {
  double U = 0;
  for (const Path& path : paths_) U += tension_of(path.law(), c.t, path.length(c.q)).energy;
  return U;
}

double PathForce::add_force_and_potential(const Configuration& c, std::span<double> f) const {
  double U = 0;
  for (const Path& path : paths_) {
    const PathTension W = tension_of(path.law(), c.t, path.length(c.q));
    path.add_gradient(c.q, -W.tension, f);
    U += W.energy;
  }
  return U;
}

void PathForce::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  if (tangent.stiffness == 0) return;
  const bool positive = tangent.projection == Projection::psd;
  for (const Path& path : paths_) {
    PathTension W = tension_of(path.law(), c.t, path.length(c.q));
    if (positive) W.tension = std::max(0.0, W.tension), W.slope = std::max(0.0, W.slope);
    if (W.tension != 0) path.add_hessian(c.q, tangent.stiffness * W.tension, A);
    if (W.slope == 0) continue;
    const std::vector<Vec3> g = path.gradient(c.q);
    path.add_product(tangent.stiffness * W.slope, g, g, A);
  }
}

std::size_t PathForce::most_nodes() const {
  std::size_t most = 0;
  for (const Path& path : paths_) most = std::max(most, path.nodes().size());
  return most;
}

std::size_t PathForce::most_segments() const {
  std::size_t most = 0;
  for (const Path& path : paths_) most = std::max(most, path.segments());
  return most;
}

LocalMaps PathForce::local_maps() const {
  const std::size_t nodes = most_nodes(), rows = most_segments();
  LocalMaps maps{static_cast<int>(nodes), static_cast<int>(rows), {}, {}};
  for (const Path& path : paths_)
    for (std::size_t a = 0; a < nodes; ++a) {
      const bool own = a < path.nodes().size();
      maps.connectivity.push_back(path.nodes()[own ? a : 0]);
      for (std::size_t s = 0; s < rows; ++s)
        maps.g.push_back(own && s < path.segments() ? path.weight(s, a) : 0);
    }
  return maps;
}

// All segments in a row stretch together: T' times their number. Across them it is T/l, which the
// mean length stands for.
double PathForce::local_stiffness(std::size_t part, double) const {
  const Path& path = paths_[part];
  const auto segments = static_cast<double>(path.segments());
  const double across = path.law().rest > 0 ? strongest(path.law()) / path.law().rest : 0;
  return segments * (stiffest(path.law()) + across);
}

void PathForce::local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                               std::span<double> gradient) const {
  const std::size_t numbers = 3 * most_segments();
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const LocalPath local{paths_[i]};
    const Vector own = as_vector(z.subspan(numbers * i)).head(local.size());
    const double T = tension_of(paths_[i].law(), c.t, local.length(own)).tension;
    const std::span<double> out = gradient.subspan(numbers * i, numbers);
    std::fill(out.begin(), out.end(), 0.0);
    as_vector(out).head(local.size()) = T * local.gradient(own);
  }
}

bool PathForce::local_minimise(const Configuration& c, LocalRange range,
                               std::span<const double> weights, std::span<const double> target,
                               std::span<double> z) const {
  const std::size_t numbers = 3 * most_segments();
  bool found = true;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::span<double> out = z.subspan(numbers * i, numbers);
    const auto goal = as_vector(target.subspan(numbers * i, numbers));
    const Eigen::Index own = LocalPath{paths_[i]}.size();
    Vector x = as_vector(out).head(own);
    found = minimise_part(paths_[i], c.t, weights[i], goal.head(own), x) && found;
    as_vector(out) = goal;
    as_vector(out).head(own) = x;
  }
  return found;
}

}  // namespace pliant
