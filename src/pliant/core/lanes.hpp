// Two numbers at once, the vector that every 64-bit instruction set has: kernels written for a
// scalar T take T = double for one matrix or element and T = Lanes for two of them. Each lane does
// the same operations in the same order as a double would, so it gets the same bits, and where an
// element stands in its pair does not matter. Written with the vector extension that GCC and Clang
// share; only what the operators + − * / < do not offer has a function here, for both kinds of T.
#pragma once

#include <cmath>
#include <cstring>

namespace pliant {

using Lanes = double __attribute__((vector_size(16)));
using LaneMask = decltype(Lanes{} < Lanes{});  // all bits of a lane set where it holds
inline constexpr int kLanes = 2;

// T from a constant.
template <class T>
constexpr T all_lanes(double x) {
  return T{} + x;
}

inline double select(bool condition, double a, double b) { return condition ? a : b; }
inline Lanes select(LaneMask condition, Lanes a, Lanes b) { return condition ? a : b; }
inline bool both(bool a, bool b) { return a && b; }
inline LaneMask both(LaneMask a, LaneMask b) { return a & b; }
inline bool any(bool condition) { return condition; }
inline bool any(LaneMask condition) { return (condition[0] | condition[1]) != 0; }

inline double root(double x) { return std::sqrt(x); }
inline Lanes root(Lanes x) { return Lanes{std::sqrt(x[0]), std::sqrt(x[1])}; }

template <class T>
T larger(T a, T b) {
  return select(a > b, a, b);
}
template <class T>
T size_of(T x) {
  return select(x < 0, -x, x);
}
// 1/√x with the division beside the root instead of behind it.
template <class T>
T inverse_root(T x) {
  return root(x) * (1 / x);
}

// Lane l of a and of b, side by side.
template <int l>
Lanes pair_of_lane(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, l, l + kLanes);
}
// Two consecutive numbers in memory, at any address.
inline Lanes load_pair(const double* x) {
  Lanes pair;
  std::memcpy(&pair, x, sizeof pair);
  return pair;
}
inline void store_pair(Lanes pair, double* x) { std::memcpy(x, &pair, sizeof pair); }

}  // namespace pliant
