// Words on pictures, and pictures as PNG: what cairo does for them (annotate_cairo.cpp). Builds
// without PLIANT_PLOTS have no cairo and refuse (annotate_none.cpp). Sizes follow the height.
#pragma once

#include <pliant/render/colour.hpp>

#include <string>

namespace pliant {

std::string png_bytes(const Image& image);

void draw_caption(Image& image, const std::string& words);  // in the upper left corner
void draw_clock(Image& image, double time);                 // s, in the lower right corner
void draw_legend(Image& image, const ColourScale& scale);   // in the lower left corner

}  // namespace pliant
