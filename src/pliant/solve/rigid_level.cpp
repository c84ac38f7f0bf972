#include <pliant/core/parallel.hpp>
#include <pliant/solve/rigid_level.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

constexpr Index kFewestPerPart = 8;  // of a part
// Motions that move nothing (a straight cable turned about itself) get a pivot.
constexpr double kLevelPivot = 1e-9;
constexpr std::size_t kPlacedNodes = 1024, kParts = 4;

// w ↦ w × o
Mat3 turn_about(const float* o) {
  Mat3 W;
  W << 0, o[2], -o[1], -o[2], 0, o[0], o[1], -o[0], 0;
  return W;
}

// Is a coordinate of this row solved for on its own?
bool stands_alone(const BlockMatrix& A, std::size_t i) {
  const BlockPattern& pattern = A.pattern();
  Vec3 rest = Vec3::Zero();
  for (Index k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
    Mat3 block = Eigen::Map<const Mat3>(A.block(k));
    if (k == pattern.diagonal[i]) block.diagonal().setZero();
    rest += block.cwiseAbs().rowwise().sum();
  }
  return rest.minCoeff() == 0;
}

}  // namespace

void RigidLevel::analyze(const BlockPattern& pattern, Index nodes_per_part) {
  parts_ = part_graph(pattern, nodes_per_part, kFewestPerPart);
  pattern_.reset();
}

void RigidLevel::place(const BlockMatrix& A, std::span<const double> q) {
  const auto nodes = parts_.part.size();
  member_.resize(nodes);
  arm_.resize(3 * nodes);
  parallel_for_each(nodes, kPlacedNodes, [&](std::size_t i) {
    member_[i] = parts_.part[i] >= 0 && !stands_alone(A, i) ? parts_.part[i] : -1;
  });
  parallel_for_each(static_cast<std::size_t>(parts_.count()), kParts, [&](std::size_t a) {
    const auto begin = static_cast<std::size_t>(parts_.start[a]),
               end = static_cast<std::size_t>(parts_.start[a + 1]);
    Vec3 middle = Vec3::Zero();
    double size = 0;
    for (std::size_t k = begin; k < end; ++k) middle += node(q, parts_.node[k]);
    middle /= static_cast<double>(end - begin);
    for (std::size_t k = begin; k < end; ++k)
      size = std::max(size, (node(q, parts_.node[k]) - middle).lpNorm<Eigen::Infinity>());
    for (std::size_t k = begin; k < end; ++k) {
      const Vec3 arm = (node(q, parts_.node[k]) - middle) / (size > 0 ? size : 1);
      for (int c = 0; c < 3; ++c)
        arm_[3 * static_cast<std::size_t>(parts_.node[k]) + static_cast<std::size_t>(c)] =
            static_cast<float>(arm[c]);
    }
  });
}

// The pattern of Pᵀ A P: two rows for each part.
void RigidLevel::couple(const BlockPattern& pattern) {
  std::vector<std::vector<Index>> near(static_cast<std::size_t>(parts_.count()));
  parallel_for_each(near.size(), kParts, [&](std::size_t a) {
    std::vector<Index>& others = near[a];
    others.push_back(static_cast<Index>(a));
    for (Index n = parts_.start[a]; n < parts_.start[a + 1]; ++n) {
      const auto i = static_cast<std::size_t>(parts_.node[static_cast<std::size_t>(n)]);
      for (Index k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
        const Index b = parts_.part[j];
        if (b >= 0 && b != others.back()) others.push_back(b);
      }
      if (others.size() < 256) continue;
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  });
  PatternBuilder builder(2 * parts_.count());
  std::vector<Index> pairs;
  for (std::size_t a = 0; a < near.size(); ++a)
    for (const Index b : near[a])
      if (b >= static_cast<Index>(a)) {
        const auto i = static_cast<Index>(a);
        pairs.insert(pairs.end(), {2 * i, 2 * i + 1, 2 * b, 2 * b + 1});
      }
  builder.add(pairs, 4);
  auto coupled = std::make_shared<const BlockPattern>(builder.build());
  if (pattern_ && pattern_->column == coupled->column && pattern_->row_start == coupled->row_start)
    return;
  pattern_ = std::move(coupled);
  coarse_ = BlockMatrix(pattern_);
  factors_.analyze(pattern_);
  r_.setZero(6 * parts_.count());
  y_.setZero(6 * parts_.count());
}

// Pᵢᵀ Aᵢⱼ Pⱼ for all j, P = [1, w ↦ w × o]. What goes to one part is added up first.
void RigidLevel::add_row(const BlockMatrix& A, std::size_t i, Index part) {
  const BlockPattern& pattern = A.pattern();
  const Mat3 turn = turn_about(arm_.data() + 3 * i).transpose();
  Index at = -1;
  Mat3 moved = Mat3::Zero(), turned = Mat3::Zero();
  const auto put = [&] {
    if (at < 0) return;
    const Index upper = pattern_->find(2 * part, 2 * at),
                lower = pattern_->find(2 * part + 1, 2 * at);
    Eigen::Map<Mat3>(coarse_.block(upper)) += moved;
    Eigen::Map<Mat3>(coarse_.block(upper + 1)) += turned;
    Eigen::Map<Mat3>(coarse_.block(lower)) += turn * moved;
    Eigen::Map<Mat3>(coarse_.block(lower + 1)) += turn * turned;
  };
  for (Index k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
    const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
    if (member_[j] < 0) continue;
    if (member_[j] != at) {
      put();
      at = member_[j];
      moved.setZero();
      turned.setZero();
    }
    const Eigen::Map<const Mat3> block(A.block(k));
    moved += block;
    turned += block * turn_about(arm_.data() + 3 * j);
  }
  put();
}

bool RigidLevel::prepare(const BlockMatrix& A, std::span<const double> q) {
  place(A, q);
  couple(A.pattern());
  coarse_.set_zero();
  parallel_for_each(static_cast<std::size_t>(parts_.count()), 1, [&](std::size_t a) {
    for (Index n = parts_.start[a]; n < parts_.start[a + 1]; ++n) {
      const auto i = static_cast<std::size_t>(parts_.node[static_cast<std::size_t>(n)]);
      if (member_[i] >= 0) add_row(A, i, static_cast<Index>(a));
    }
  });
  for (Index a = 0; a < pattern_->rows; ++a) {
    double* d = coarse_.block(pattern_->diagonal[static_cast<std::size_t>(a)]);
    const double largest = std::max({d[0], d[4], d[8]});
    for (int c = 0; c < 9; c += 4) d[c] += largest > 0 ? kLevelPivot * largest : 1;
  }
  return factors_.factorize(coarse_) == SolveStatus::ok;
}

double RigidLevel::correct(std::span<const double> r) {
  parallel_for_each(static_cast<std::size_t>(parts_.count()), kParts, [&](std::size_t a) {
    double force[6] = {};
    for (Index n = parts_.start[a]; n < parts_.start[a + 1]; ++n) {
      const auto i = static_cast<std::size_t>(parts_.node[static_cast<std::size_t>(n)]);
      if (member_[i] < 0) continue;
      const double* f = r.data() + 3 * i;
      const float* o = arm_.data() + 3 * i;
      force[0] += f[0], force[1] += f[1], force[2] += f[2];
      force[3] += o[1] * f[2] - o[2] * f[1];
      force[4] += o[2] * f[0] - o[0] * f[2];
      force[5] += o[0] * f[1] - o[1] * f[0];
    }
    std::copy(force, force + 6, r_.data() + 6 * a);
  });
  if (factors_.solve(view(std::as_const(r_)), view(y_), {}) != SolveStatus::ok) y_.setZero();
  return r_.dot(y_);
}

}  // namespace pliant
