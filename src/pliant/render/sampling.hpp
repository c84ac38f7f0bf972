// Random numbers without a state: each is a function of pixel, sample and dimension, so a picture
// is the same for any number of threads. Samples of a pixel form a Sobol' sequence, shuffled and
// scrambled by hashing (B. Burley, "Practical hash-based Owen scrambling", JCGT 2020; the mixing
// step after N. Vegdahl's constants), which leaves far less noise than independent numbers.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace pliant::sampling {

inline std::uint32_t mix(std::uint32_t x) {  // a bijection whose bits all depend on all bits
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

inline std::uint32_t reverse_bits(std::uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}

// A bit is flipped depending on the higher ones alone, which keeps the strata of a sequence.
inline std::uint32_t scramble(std::uint32_t x, std::uint32_t seed) {
  x = reverse_bits(x);
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return reverse_bits(x);
}

inline std::uint32_t sobol_second(std::uint32_t index) {  // of two dimensions; the first reverses
  std::uint32_t x = 0;
  for (std::uint32_t column = 1u << 31; index != 0; index >>= 1, column ^= column >> 1)
    if (index & 1u) x ^= column;
  return x;
}

inline float unit(std::uint32_t x) {  // [0, 1), 24 bits: what a float holds
  return static_cast<float>(x >> 8) * 0x1p-24f;
}

// The numbers of one sample of one pixel, two at a time.
class PixelSample {
 public:
  PixelSample(int x, int y, int sample)
      : pixel_(
            mix(static_cast<std::uint32_t>(x) + mix(static_cast<std::uint32_t>(y) + 0x9e3779b9u))),
        sample_(static_cast<std::uint32_t>(sample)) {}

  Eigen::Vector2f next() {
    const std::uint32_t seed = mix(pixel_ + 0x85ebca6bu * ++pair_);
    const std::uint32_t index = scramble(sample_, seed);
    return {unit(scramble(reverse_bits(index), mix(seed ^ 0x68bc21ebu))),
            unit(scramble(sobol_second(index), mix(seed ^ 0x02e5be93u)))};
  }

 private:
  std::uint32_t pixel_, sample_, pair_ = 0;
};

// Two directions that make a right-handed frame with n (T. Duff and others, JCGT 2017).
inline void frame(const Eigen::Vector3f& n, Eigen::Vector3f& s, Eigen::Vector3f& t) {
  const float sign = std::copysign(1.0f, n.z());
  const float a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
  s = {1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x()};
  t = {b, sign + n.y() * n.y() * a, -n.y()};
}

// About n, with density cos θ / π.
inline Eigen::Vector3f cosine_direction(const Eigen::Vector3f& n, const Eigen::Vector2f& u) {
  Eigen::Vector3f s, t;
  frame(n, s, t);
  const float r = std::sqrt(u.x()), angle = 2 * std::numbers::pi_v<float> * u.y();
  return (r * std::cos(angle) * s + r * std::sin(angle) * t + std::sqrt(1 - u.x()) * n)
      .normalized();
}

// Uniform in the cone about n whose half angle has this cosine.
inline Eigen::Vector3f cone_direction(const Eigen::Vector3f& n, float cosine,
                                      const Eigen::Vector2f& u) {
  Eigen::Vector3f s, t;
  frame(n, s, t);
  const float c = 1 - u.x() * (1 - cosine), r = std::sqrt(std::max(0.0f, 1 - c * c));
  const float angle = 2 * std::numbers::pi_v<float> * u.y();
  return (r * std::cos(angle) * s + r * std::sin(angle) * t + c * n).normalized();
}

// −1 … 1 with the density of a tent: the filter of a pixel, two pixels wide.
inline float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

}  // namespace pliant::sampling
