#include <pliant/contact/ccd.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace pliant {
namespace {

constexpr int kSlabsAlone = 4;  // iterations before planes are looked at
constexpr double kNear = 1.05;  // of what is kept: going on gains nothing

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

// Do a point and the plane of a triangle, or the lines of two edges, keep `need` apart all the way
// from x to y? With e and f two edges, r from one simplex to the other and N = e×f, they are
// r·N/‖N‖ apart: r·N is a cubic in time and N a quadratic, both within the hull of their Bernstein
// coefficients.
bool planes_keep_apart(PairKind kind, const PairPoints& x, const PairPoints& y, double need) {
  const bool edges = kind == PairKind::edge_edge;
  const auto across = [&](const PairPoints& p) -> Mat3 {  // columns e, f, r
    Mat3 m;
    m << (edges ? p.col(1) - p.col(0) : p.col(2) - p.col(1)),
        (edges ? p.col(3) - p.col(2) : p.col(3) - p.col(1)),
        (edges ? p.col(0) - p.col(2) : p.col(0) - p.col(1));
    return m;
  };
  const Mat3 a = across(x), b = across(y);
  const auto cross = [](const Mat3& e, const Mat3& f) -> Vec3 { return e.col(0).cross(f.col(1)); };
  const std::array<Vec3, 3> N = {cross(a, a), 0.5 * (cross(a, b) + cross(b, a)), cross(b, b)};
  const Vec3 r = a.col(2), s = b.col(2);
  const std::array<double, 4> c = {r.dot(N[0]), (s.dot(N[0]) + 2 * r.dot(N[1])) / 3,
                                   (2 * s.dot(N[1]) + r.dot(N[2])) / 3, s.dot(N[2])};
  const auto longest = [&](int k) { return std::max(a.col(k).norm(), b.col(k).norm()); };
  const double rounding =
      32 * std::numeric_limits<double>::epsilon() * longest(0) * longest(1) * longest(2);
  const double area = std::max({N[0].norm(), N[1].norm(), N[2].norm()});
  const double sign = c[0] < 0 ? -1 : 1;
  return std::all_of(c.begin(), c.end(),
                     [&](double value) { return sign * value - rounding > need * area; });
}

// How far beyond `time` the planes or lines of the pair keep apart, not looking at less than
// `least`; 0 where that is not known.
double time_from_planes(PairKind kind, const PairPoints& x, const PairPoints& dx, double need,
                        std::array<double, 2> time_and_least) {
  if (points_of(kind) < 4) return 0;
  const auto [time, least] = time_and_least;
  for (double way = 1 - time; way > least; way /= 2)
    if (planes_keep_apart(kind, x + time * dx, x + (time + way) * dx, need)) return way;
  return 0;
}

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
    if (answer.iterations == 0) kept = options.kept * std::max(width, 0.0);
    if (!(width > (answer.iterations == 0 ? 0 : kNear * kept))) return answer;
    ++answer.iterations;
    double way = slab.time_until(kept);
    if (answer.iterations > kSlabsAlone && answer.time + way < 1)
      way = std::max(way, time_from_planes(kind, x, dx, options.thickness + margin + kept,
                                           {answer.time, way}));
    const double next = answer.time + way;
    if (next >= 1) return {false, 1, answer.iterations};
    if (!(next > answer.time)) return answer;  // as near as numbers are
    answer.time = next;
  }
  return answer;
}

}  // namespace pliant
