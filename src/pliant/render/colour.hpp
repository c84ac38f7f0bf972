// Colours of bodies and of values. Bodies get calm tints that stay apart in print; values go
// through maps laid out in OKLab (B. Ottosson, "A perceptual color space for image processing",
// 2020), in which equal steps of lightness look equal: so a map's steps are those of the value.
#pragma once

#include <pliant/mesh/tubes.hpp>
#include <pliant/render/image.hpp>

#include <span>
#include <string>

namespace pliant {

enum class ColourMap {
  rising,    // dark violet over teal to light yellow: from little to much
  two_sided  // blue over near white to red: below and above a middle
};

Rgb map_colour(ColourMap map, double place);  // place 0 … 1, clamped

Rgb body_colour(std::size_t body);  // repeats after the last
Rgb pinned_colour();
Rgb obstacle_colour();
Rgb thread_colour(ThreadKind kind);

struct Oklab {
  double lightness = 0, a = 0, b = 0;
};
Rgb from_oklab(const Oklab& colour);  // may leave 0 … 1 where the screen has no such colour
Oklab to_oklab(const Rgb& linear);

// Light as the screen shows it: exact up to 0.8, then bending towards white, which is reached at
// infinity, then the curve of sRGB (IEC 61966-2-1).
Image develop(const LightImage& light);
Rgb encode_srgb(const Rgb& linear);  // 0 … 1
Rgb decode_srgb(const Rgb& encoded);

// What the colours of a picture mean, for its legend.
struct ColourScale {
  ColourMap map = ColourMap::rising;
  double min = 0, max = 1;
  bool cut = false;  // values beyond max are there
  std::string what;  // "von Mises stress"
  std::string unit;  // "Pa"; empty: a pure number
  double place(double value) const { return max > min ? (value - min) / (max - min) : 0; }
};

}  // namespace pliant
