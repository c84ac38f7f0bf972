// Pictures as plain arrays: linear light while it is computed, eight bits of sRGB when it is done.
// Rows run from the top down.
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pliant {

using Rgb = Eigen::Array3f;  // linear light, 1 is the white of the screen

struct PictureSize {
  int width = 1280, height = 720;  // pixels
  double aspect() const { return static_cast<double>(width) / height; }
  std::size_t pixels() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  bool operator==(const PictureSize&) const = default;
};

struct LightImage {
  PictureSize size;
  std::vector<Rgb> pixels;
};

struct Image {
  PictureSize size;
  std::vector<std::uint8_t> rgb;  // three bytes per pixel
};

}  // namespace pliant
