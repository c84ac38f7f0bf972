// A path from point to point, along which something pulls that slides through all of them without
// friction: what it does depends on the path's length alone,
//   L(q) = Σ_s l_s,   l_s = √(|e_s|² + ε²),   e_s = Σ_a g_sa x_a + c_s,
// e_s from one point to the next. Points of bodies are combinations of their nodes, those of the
// world are in c_s. ε, a hundred-thousandth of the path, keeps all derivatives where two points
// meet: a segment that is longer by far does not notice.
#pragma once

#include <pliant/element/mapped_point.hpp>
#include <pliant/load/path_law.hpp>
#include <pliant/sparse/block_matrix.hpp>

namespace pliant {

struct PathPoint {
  MappedPoint carried;        // by nodes of the system that are solved for
  Vec3 world = Vec3::Zero();  // m, where nothing carries it
};

class Path {
 public:
  // `rest` holds all nodes of the system. Sets law.rest, the length of the undeformed path.
  Path(std::span<const PathPoint> points, PathLaw law, std::span<const double> rest);

  const PathLaw& law() const { return law_; }
  std::span<const Index> nodes() const { return nodes_; }  // that carry it, each once
  std::size_t segments() const { return offsets_.size(); }
  double weight(std::size_t s, std::size_t a) const { return g_[s * nodes_.size() + a]; }  // g_sa

  double length(std::span<const double> q) const;
  double rate(std::span<const double> q, std::span<const double> v) const;  // L̇ = ∂L/∂q·v
  void add_gradient(std::span<const double> q, double scale, std::span<double> f) const;  // ∂L/∂q
  // By node: ∂L/∂x_a, and ∂L̇/∂x_a.
  std::vector<Vec3> gradient(std::span<const double> q) const;
  std::vector<Vec3> rate_gradient(std::span<const double> q, std::span<const double> v) const;

  void locate(const BlockPattern& pattern);  // before matrices
  // A += scale ∂²L/∂q², which is positive semi-definite; and A += scale a bᵀ over the nodes.
  void add_hessian(std::span<const double> q, double scale, BlockMatrix& A) const;
  void add_product(double scale, std::span<const Vec3> a, std::span<const Vec3> b,
                   BlockMatrix& A) const;

  // One segment as a function of z_s = Σ_a g_sa x_a: what add_… are made of, and all that a
  // local–global solver asks for.
  struct Segment {
    Vec3 along = Vec3::Zero();  // ∂l/∂e = e/l
    double length = 0;          // l, m
    Mat3 bend() const {         // ∂²l/∂e²
      return (Mat3::Identity() - along * along.transpose()) / length;
    }
  };
  Segment segment(std::size_t s, const Vec3& z) const;

 private:
  Vec3 z(std::size_t s, std::span<const double> x) const;

  PathLaw law_;
  std::vector<Index> nodes_;
  std::vector<double> g_;      // for each segment, one per node
  std::vector<Vec3> offsets_;  // c_s, m
  double epsilon_ = 0;         // m
  std::vector<Index> blocks_;  // of the pattern, for each pair of nodes
};

}  // namespace pliant
