#include <pliant/contact/ccd.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace pliant {
namespace {

// The slab across a direction at one moment, and how it closes.
class Slab {
 public:
  Slab(PairKind kind, const PairPoints& x, const PairPoints& dx, double forbidden)
      : first_(kind == PairKind::edge_edge ? 2 : 1), count_(points_of(kind)) {
    const Vec3 r = find_nearest(kind, x).connection(x);
    set(r.stableNormalized(), x, dx, forbidden);
    if (width() > 0.5 * (r.norm() - forbidden)) return;
    // The nearest points of slivers and of nearly parallel edges are known badly, and so is r. The
    // widest slab of all serves.
    Slab best = *this;
    for (const Vec3& n : directions(kind, x, r)) {
      set(n.stableNormalized(), x, dx, forbidden);
      if (width() > best.width()) best = *this;
    }
    *this = best;
  }

  double width() const {  // above what is forbidden
    double width = std::numeric_limits<double>::infinity();
    for (int a = 0; a < first_; ++a)
      for (int b = first_; b < count_; ++b) width = std::min(width, height_[a] - height_[b]);
    return width;
  }

  // How long until it is only `rest` wide; ∞ where it never will be.
  double time_until(double rest) const {
    double time = std::numeric_limits<double>::infinity();
    for (int a = 0; a < first_; ++a)
      for (int b = first_; b < count_; ++b) {
        const double closing = speed_[b] - speed_[a];
        if (closing > 0) time = std::min(time, (height_[a] - height_[b] - rest) / closing);
      }
    return time;
  }

 private:
  void set(const Vec3& n, const PairPoints& x, const PairPoints& dx, double forbidden) {
    height_ = n.transpose() * x;
    speed_ = n.transpose() * dx;
    for (int a = 0; a < first_; ++a) height_[a] -= forbidden;
  }

  // At right angles to the edges of both, one by one and two by two, on the side of r.
  static std::vector<Vec3> directions(PairKind kind, const PairPoints& x, const Vec3& r) {
    std::vector<Vec3> edges;
    if (kind == PairKind::edge_edge) {
      edges = {x.col(1) - x.col(0), x.col(3) - x.col(2)};
    } else if (kind == PairKind::point_triangle) {
      edges = {x.col(2) - x.col(1), x.col(3) - x.col(2), x.col(1) - x.col(3)};
    } else if (kind == PairKind::point_edge) {
      edges = {x.col(2) - x.col(1)};
    }
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Vec3 e = edges[i].stableNormalized();
      Vec3 n = r - r.dot(e) * e;
      out.push_back(n - n.dot(e) * e);  // twice, since the first time leaves rounding
      for (std::size_t j = 0; j < i; ++j) {
        n = e.cross(edges[j].stableNormalized());
        out.push_back(n.dot(r) < 0 ? -n : n);
        out.push_back(-out.back());  // r may be too small to tell the side
      }
    }
    return out;
  }

  int first_, count_;
  Eigen::RowVector4d height_, speed_;
};

}  // namespace

CcdAnswer find_impact(PairKind kind, const PairPoints& x, const PairPoints& dx,
                      const CcdOptions& options) {
  const int n = points_of(kind);
  const double size = x.leftCols(n).cwiseAbs().maxCoeff() + dx.leftCols(n).cwiseAbs().maxCoeff();
  const double margin = 64 * std::numeric_limits<double>::epsilon() * size;
  CcdAnswer answer{true, 0, 0};
  double kept = 0;
  while (answer.iterations < options.max_iterations) {
    const Slab slab(kind, x + answer.time * dx, dx, options.thickness + margin);
    const double width = slab.width();
    if (answer.iterations == 0) kept = options.kept * width;
    // The first step leaves `kept` at least and is always taken.
    if (!(width > 0) || (answer.iterations > 0 && !(width > kept))) return answer;
    ++answer.iterations;
    const double next = answer.time + slab.time_until(options.kept * width);
    if (next >= 1) return {false, 1, answer.iterations};
    answer.time = next;
  }
  return answer;
}

}  // namespace pliant
