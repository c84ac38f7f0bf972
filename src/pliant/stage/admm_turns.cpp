#include <pliant/stage/admm_turns.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

// Bodies whose rotation comes this near in a plain round need no help.
constexpr double kLoose = 0.5;
constexpr double kMostTurn = 0.3;  // rad in a round

Mat3 cross(const Vec3& r) {
  Mat3 out;
  out << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return out;
}

int root_of(std::vector<int>& parent, int n) {
  while (parent[static_cast<std::size_t>(n)] != n) {
    int& up = parent[static_cast<std::size_t>(n)];
    up = parent[static_cast<std::size_t>(up)];
    n = up;
  }
  return n;
}

bool is_free(const DofMask& mask, std::size_t n) {
  return !(mask[3 * n] && mask[3 * n + 1] && mask[3 * n + 2]);
}

bool is_held(const DofMask& mask, std::size_t n) {
  return mask[3 * n] || mask[3 * n + 1] || mask[3 * n + 2];
}

}  // namespace

void AdmmTurns::number_bodies(const NodeMatrix& A, const DofMask& mask) {
  const BlockPattern& pattern = A.pattern();
  const auto nodes = static_cast<std::size_t>(pattern.rows);
  std::vector<int> parent(nodes);
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<char> held(nodes, 0);
  const auto each_pair = [&](auto&& body) {
    for (std::size_t n = 0; n < nodes; ++n)
      for (Index k = pattern.row_start[n]; k < pattern.row_start[n + 1]; ++k)
        body(n, static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]));
  };
  each_pair([&](std::size_t n, std::size_t m) {
    if (is_held(mask, m)) held[n] = 1;
    if (!is_free(mask, n) || !is_free(mask, m)) return;
    parent[static_cast<std::size_t>(root_of(parent, static_cast<int>(n)))] =
        root_of(parent, static_cast<int>(m));
  });
  body_.assign(mask.size() / 3, -1);
  pieces_.clear();
  std::vector<int> number(nodes, -1);
  for (std::size_t n = 0; n < nodes; ++n) {
    if (!is_free(mask, n) || A.diagonal(static_cast<Index>(n)) <= 0) continue;
    int& of_root = number[static_cast<std::size_t>(root_of(parent, static_cast<int>(n)))];
    if (of_root < 0) {
      of_root = static_cast<int>(pieces_.size());
      pieces_.emplace_back();
    }
    body_[n] = of_root;
    if (held[n]) pieces_[static_cast<std::size_t>(of_root)].held = true;
  }
}

// By what the rows of M add up to.
void AdmmTurns::weigh(const NodeMatrix& M, std::span<const double> q) {
  const BlockPattern& pattern = M.pattern();
  mass_.assign(body_.size(), 0);
  for (std::size_t n = 0; n < static_cast<std::size_t>(pattern.rows); ++n)
    for (Index k = pattern.row_start[n]; k < pattern.row_start[n + 1]; ++k)
      mass_[n] += M.values()[static_cast<std::size_t>(k)];
  const auto each = [&](auto&& use) {
    for (std::size_t n = 0; n < body_.size(); ++n)
      if (body_[n] >= 0)
        use(pieces_[static_cast<std::size_t>(body_[n])], mass_[n], node(q, static_cast<Index>(n)));
  };
  each([](Piece& piece, double m, const Vec3& x) { piece.mass += m, piece.center += m * x; });
  for (Piece& piece : pieces_)
    if (piece.mass > 0) piece.center /= piece.mass;
  each([](Piece& piece, double m, const Vec3& x) {
    const Mat3 r = cross(x - piece.center);
    piece.mobility -= m * r * r;  // the inertia, at first
  });
  for (Piece& piece : pieces_) {
    const Mat3 slim = 1e-6 * piece.mobility.trace() * Mat3::Identity();
    if (piece.mobility.trace() > 0) piece.mobility = (piece.mobility + slim).inverse().eval();
  }
}

void AdmmTurns::find(const NodeMatrix& A, const NodeMatrix& M, const DofMask& mask, double scale,
                     std::span<const double> rest) {
  scale_ = scale;
  number_bodies(A, mask);
  weigh(M, rest);
}

double AdmmTurns::mobility(Index n, std::span<const double> q) const {
  const int body = body_[static_cast<std::size_t>(n)];
  if (body < 0) return 0;
  const Piece& piece = pieces_[static_cast<std::size_t>(body)];
  if (piece.held || piece.mass <= 0) return 0;
  const Mat3 r = cross(node(q, n) - piece.center);
  return 1 / piece.mass - (r * piece.mobility * r).trace() / 3;
}

// b_k = e_k × s of all parts, and p_k, what q does for a turn about axis k.
void AdmmTurns::find_rates(const AdmmParts& parts, AxisFactors& factors, const Vector& s,
                           Eigen::Index dofs) {
  for (int k = 0; k < 3; ++k) {
    Vector &rate = rates_[static_cast<std::size_t>(k)], &move = moves_[static_cast<std::size_t>(k)];
    parts.turn_rates(k, s, rate);
    rhs_.setZero(dofs), move.setZero(dofs);
    parts.add_transposed(rate, rhs_);
    rhs_ *= scale_;
    factors.solve(rhs_, move);
  }
}

// Of each body, with s = z − u:
//   S ω = Σ w Dq·b_k + Σ w z·(e_k × u),   S = H − Bᵀ D P,   H_jk = −Σ w Dq·(e_j × (e_k × s)).
std::vector<AdmmTurns::Equations> AdmmTurns::equations(const AdmmParts& parts, const Vector& z,
                                                       const Vector& u, const Vector& q) {
  std::vector<Equations> out(pieces_.size());
  std::vector<double> sums;
  const auto products = [&](const Vector& a, const Vector& b, auto&& use) {
    sums.assign(pieces_.size(), 0);
    parts.add_products(a, b, sums);
    for (std::size_t i = 0; i < out.size(); ++i) use(out[i], sums[i]);
  };
  Dq_.resize(z.size()), mapped_.resize(z.size());
  parts.map(q, Dq_);
  for (int k = 0; k < 3; ++k) {
    const Vector& rate = rates_[static_cast<std::size_t>(k)];
    const auto to_right = [k](Equations& e, double sum) { e.right[k] += sum; };
    products(Dq_, rate, to_right);
    parts.turn_rates(k, u, mapped_);
    products(z, mapped_, to_right);
    for (int j = 0; j < 3; ++j) {
      parts.turn_rates(j, rate, mapped_);
      products(Dq_, mapped_, [&](Equations& e, double sum) { e.H(j, k) = -sum; });
    }
    parts.map(moves_[static_cast<std::size_t>(k)], mapped_);
    for (int j = 0; j < 3; ++j)
      products(rates_[static_cast<std::size_t>(j)], mapped_,
               [&](Equations& e, double sum) { e.S(j, k) = e.H(j, k) - sum; });
  }
  for (Equations& e : out) e.S = (0.5 * (e.S + e.S.transpose())).eval();
  return out;
}

void AdmmTurns::judge(const AdmmParts& parts, AxisFactors& factors, const Vector& z,
                      const Vector& rest) {
  wanted_ = false;
  find_rates(parts, factors, z, rest.size());
  s_.setZero(z.size());
  const std::vector<Equations> of_bodies = equations(parts, z, s_, rest);
  for (std::size_t b = 0; b < pieces_.size(); ++b) {
    const Equations& e = of_bodies[b];
    pieces_[b].stiff = e.H.trace() > 0 && e.S.trace() < kLoose * e.H.trace();
    wanted_ = wanted_ || pieces_[b].stiff;
  }
}

void AdmmTurns::advance(const AdmmParts& parts, AxisFactors& factors, Vector& z, Vector& u,
                        Vector& q) {
  if (!wanted_) return;
  s_ = z - u;
  find_rates(parts, factors, s_, q.size());
  const std::vector<Equations> of_bodies = equations(parts, z, u, q);
  std::vector<Vec3> turns(pieces_.size(), Vec3::Zero());
  rotations_.assign(pieces_.size(), Mat3::Identity());
  for (std::size_t b = 0; b < pieces_.size(); ++b) {
    const Eigen::LLT<Mat3> factors_of_body(of_bodies[b].S);
    if (!pieces_[b].stiff || factors_of_body.info() != Eigen::Success) continue;
    const Vec3 turn = factors_of_body.solve(of_bodies[b].right);
    const double angle = turn.norm();
    if (!(angle > 0) || !std::isfinite(angle)) continue;
    turns[b] = turn * std::min(1.0, kMostTurn / angle);
    rotations_[b] = Eigen::AngleAxisd(std::min(angle, kMostTurn), turn / angle).toRotationMatrix();
  }
  for (std::size_t n = 0; n < body_.size(); ++n) {
    if (body_[n] < 0) continue;
    const Vec3& turn = turns[static_cast<std::size_t>(body_[n])];
    for (int k = 0; k < 3; ++k)
      node(view(q), static_cast<Index>(n)) +=
          turn[k] * node(std::span<const double>(view(moves_[static_cast<std::size_t>(k)])),
                         static_cast<Index>(n));
  }
  parts.turn(rotations_, z);
  parts.turn(rotations_, u);
}

}  // namespace pliant
