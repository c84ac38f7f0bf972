// What conjugate gradients do at each node between two products, on ranges of nodes.
#pragma once

#include <pliant/core/plain3.hpp>
#include <pliant/solve/rigid_level.hpp>

#include <algorithm>

namespace pliant {

// P⁻¹ r at node i, from the upper triangle of its inverse block.
struct InverseBlocks {
  const double* values;
  Vec3Of<double> operator()(std::size_t i, const double* r) const {
    const double* d = values + 6 * i;
    return {d[0] * r[0] + d[3] * r[1] + d[4] * r[2], d[3] * r[0] + d[1] * r[1] + d[5] * r[2],
            d[4] * r[0] + d[5] * r[1] + d[2] * r[2]};
  }
};

// The same by L D Lᵀ in single precision, the inverse pivots first: rounded, an inverse would no
// longer be positive where contact makes a node stiff in one direction; factors always are.
struct BlockFactors {
  const float* values;
  Vec3Of<double> operator()(std::size_t i, const double* r) const {
    const float* d = values + 6 * i;
    const double y = r[1] - d[3] * r[0], x = r[2] - d[4] * r[0] - d[5] * y;
    const double z2 = d[2] * x, z1 = d[1] * y - d[5] * z2;
    return {d[0] * r[0] - d[3] * z1 - d[4] * z2, z1, z2};
  }
};

inline void store_factors(const double* block, float* out) {
  const double d0 = 1 / block[0], l10 = block[1] * d0, l20 = block[2] * d0;
  const double d1 = 1 / (block[4] - l10 * block[1]), b = block[5] - l20 * block[1], l21 = b * d1;
  const double d2 = 1 / (block[8] - l20 * block[2] - l21 * b);
  const double values[6] = {d0, d1, d2, l10, l20, l21};
  for (int k = 0; k < 6; ++k) out[k] = static_cast<float>(values[k]);
}

// r −= α Ap, returns r·P⁻¹r.
template <class Preconditioner>
double shorten_nodes(double alpha, const double* Ap, Preconditioner inverse, double* r,
                     std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    double* ri = r + 3 * i;
    for (std::size_t k = 0; k < 3; ++k) ri[k] -= alpha * Ap[3 * i + k];
    const Vec3Of<double> z = inverse(i, ri);
    sum += ri[0] * z.x + ri[1] * z.y + ri[2] * z.z;
  }
  return sum;
}

struct PcgTurn {
  double alpha, beta;
  const RigidLevel* level;  // null where there is none
  const double* r;
  double *x, *p;
  float* rounded;  // null where nobody needs it
};

// x += α p, p = P⁻¹r + β p
template <class Preconditioner>
void turn_nodes(const PcgTurn& t, Preconditioner inverse, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    Vec3Of<double> z = inverse(i, t.r + 3 * i);
    if (t.level) t.level->add(i, z);
    double *x = t.x + 3 * i, *p = t.p + 3 * i;
    for (std::size_t k = 0; k < 3; ++k) x[k] += t.alpha * p[k];
    p[0] = z.x + t.beta * p[0], p[1] = z.y + t.beta * p[1], p[2] = z.z + t.beta * p[2];
    if (!t.rounded) continue;
    for (std::size_t k = 0; k < 3; ++k) t.rounded[3 * i + k] = static_cast<float>(p[k]);
  }
}

}  // namespace pliant
