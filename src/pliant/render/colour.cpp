#include <pliant/render/colour.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr double kHueDegree = std::numbers::pi / 180;

Oklab polar(double lightness, double chroma, double hue) {
  return {lightness, chroma * std::cos(hue * kHueDegree), chroma * std::sin(hue * kHueDegree)};
}

// Lightness straight in the value; chroma and hue so that every colour is one that screens have.
Oklab rising(double s) {
  const double chroma = 0.128 - 0.142 * s + 0.172 * s * s;
  return polar(0.29 + 0.61 * s, chroma, 305 - 197 * s);
}

Oklab two_sided(double s) {
  const double away = 2 * s - 1;  // −1 … 1
  const double strength = std::abs(away);
  return polar(0.95 - 0.45 * strength, 0.145 * std::pow(strength, 0.9), away < 0 ? 255 : 30);
}

Rgb hex(unsigned rgb) {
  const auto part = [rgb](int shift) { return static_cast<float>((rgb >> shift) & 0xff) / 255; };
  return decode_srgb(Rgb(part(16), part(8), part(0)));
}

}  // namespace

Rgb from_oklab(const Oklab& c) {
  // Ottosson's matrices: OKLab to cube roots of cone responses, those to linear sRGB.
  const double l = std::pow(c.lightness + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
  const double m = std::pow(c.lightness - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
  const double s = std::pow(c.lightness - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
  return {static_cast<float>(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          static_cast<float>(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          static_cast<float>(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Oklab to_oklab(const Rgb& c) {
  const double l = std::cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
  const double m = std::cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
  const double s = std::cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb map_colour(ColourMap map, double place) {
  const double s = std::isfinite(place) ? std::clamp(place, 0.0, 1.0) : 0;
  const Rgb colour = from_oklab(map == ColourMap::rising ? rising(s) : two_sided(s));
  return colour.max(0).min(1);
}

Rgb body_colour(std::size_t body) {
  static const std::array<Rgb, 8> palette = {hex(0x3b7ea1),   // steel blue
                                             hex(0xd9774a),   // terracotta
                                             hex(0x6f9e6b),   // sage
                                             hex(0xe0b04c),   // ochre
                                             hex(0x8e6a9e),   // plum
                                             hex(0x4aa39a),   // teal
                                             hex(0xc9606f),   // rose
                                             hex(0x8a7f78)};  // warm grey
  return palette[body % palette.size()];
}

Rgb pinned_colour() {
  static const Rgb anthracite = hex(0x4a4f57);
  return anthracite;
}

Rgb obstacle_colour() {
  static const Rgb grey = hex(0xa9adb3);
  return grey;
}

Rgb thread_colour(ThreadKind kind) {
  static const std::array<Rgb, kThreadKinds> colours = {hex(0x5c5f66),   // cables have their body's
                                                        hex(0xd8a21f),   // springs: brass
                                                        hex(0xe07b39),   // tendons: orange
                                                        hex(0xb3262e),   // muscles: red
                                                        hex(0x3d4149)};  // rods: iron
  return colours[static_cast<std::size_t>(kind)];
}

Rgb encode_srgb(const Rgb& linear) {
  Rgb out;
  for (int i = 0; i < 3; ++i) {
    const float x = std::clamp(linear[i], 0.0f, 1.0f);
    out[i] = x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
  }
  return out;
}

Rgb decode_srgb(const Rgb& encoded) {
  Rgb out;
  for (int i = 0; i < 3; ++i) {
    const float x = encoded[i];
    out[i] = x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
  }
  return out;
}

Image develop(const LightImage& light) {
  constexpr float knee = 0.8f;
  Image image{light.size, {}};
  image.rgb.reserve(3 * light.pixels.size());
  for (const Rgb& pixel : light.pixels) {
    Rgb shown;
    for (int i = 0; i < 3; ++i)
      shown[i] = pixel[i] <= knee
                     ? pixel[i]
                     : knee + (1 - knee) * (1 - std::exp(-(pixel[i] - knee) / (1 - knee)));
    const Rgb encoded = encode_srgb(shown);
    for (int i = 0; i < 3; ++i)
      image.rgb.push_back(static_cast<std::uint8_t>(std::lround(255 * encoded[i])));
  }
  return image;
}

}  // namespace pliant
