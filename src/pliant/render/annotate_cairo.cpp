#include <pliant/render/annotate.hpp>

#include <pliant/analysis/ticks.hpp>
#include <pliant/core/error.hpp>

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace pliant {
namespace {

// A cairo surface with the pixels of an image, and back.
class Canvas {
 public:
  explicit Canvas(Image& image)
      : image_(image),
        surface_(
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.size.width, image.size.height)),
        unit_(std::max(0.62, image.size.height / 720.0)) {
    for (int y = 0; y < image.size.height; ++y)
      for (int x = 0; x < image.size.width; ++x) {
        const std::uint8_t* p = image.rgb.data() + offset(x, y);
        row(y)[x] = static_cast<std::uint32_t>(p[0] << 16 | p[1] << 8 | p[2]);
      }
    cairo_surface_mark_dirty(surface_);
    cr_ = cairo_create(surface_);
  }
  ~Canvas() {
    cairo_destroy(cr_);
    cairo_surface_destroy(surface_);
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void keep() {
    cairo_surface_flush(surface_);
    for (int y = 0; y < image_.size.height; ++y)
      for (int x = 0; x < image_.size.width; ++x)
        for (std::size_t i = 0; i < 3; ++i)
          image_.rgb[offset(x, y) + i] =
              static_cast<std::uint8_t>(row(y)[x] >> (16 - 8 * static_cast<int>(i)));
  }

  cairo_surface_t* surface() { return surface_; }
  cairo_t* cr() { return cr_; }
  double unit() const { return unit_; }  // pixels for one of a picture 720 high
  double width() const { return image_.size.width; }
  double height() const { return image_.size.height; }

  double text_width(const std::string& words, double size) {
    cairo_select_font_face(cr_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr_, size);
    cairo_text_extents_t extents;
    cairo_text_extents(cr_, words.c_str(), &extents);
    return extents.x_advance;
  }
  void text(const std::string& words, double x, double y, double size) {
    text_width(words, size);
    cairo_set_source_rgb(cr_, 0.16, 0.18, 0.21);
    cairo_move_to(cr_, x, y);
    cairo_show_text(cr_, words.c_str());
  }
  void plate(double x, double y, double width, double height) {  // a pale ground for words
    const double r = 5 * unit_;
    cairo_new_path(cr_);
    cairo_arc(cr_, x + width - r, y + r, r, -M_PI / 2, 0);
    cairo_arc(cr_, x + width - r, y + height - r, r, 0, M_PI / 2);
    cairo_arc(cr_, x + r, y + height - r, r, M_PI / 2, M_PI);
    cairo_arc(cr_, x + r, y + r, r, M_PI, 1.5 * M_PI);
    cairo_close_path(cr_);
    cairo_set_source_rgba(cr_, 1, 1, 1, 0.72);
    cairo_fill(cr_);
  }

 private:
  std::size_t offset(int x, int y) const {
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.size.width) +
                static_cast<std::size_t>(x));
  }
  std::uint32_t* row(int y) {
    return reinterpret_cast<std::uint32_t*>(cairo_image_surface_get_data(surface_) +
                                            y * cairo_image_surface_get_stride(surface_));
  }

  Image& image_;
  cairo_surface_t* surface_;
  cairo_t* cr_ = nullptr;
  double unit_;
};

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

// 12 300 Pa are 12.3 kPa.
struct Prefixed {
  double factor = 1;
  std::string unit;
};
Prefixed prefixed(const ColourScale& scale) {
  const double largest = std::max(std::abs(scale.min), std::abs(scale.max));
  if (scale.unit.empty() || !(largest > 0)) return {1, scale.unit};
  constexpr const char* names[] = {"µ", "m", "", "k", "M", "G"};
  const int place = std::clamp(static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9)), -2, 3);
  return {std::pow(10.0, -3 * place), names[place + 2] + scale.unit};
}

struct Bar {
  double x = 0, y = 0, width = 0, height = 0;
};

// One pixel's column after the other; values beyond the end are told by a pointed one.
void draw_bar(Canvas& canvas, const ColourScale& scale, const Bar& bar) {
  cairo_t* cr = canvas.cr();
  const double tip = scale.cut ? bar.height : 0;
  cairo_save(cr);
  cairo_new_path(cr);
  cairo_move_to(cr, bar.x, bar.y);
  cairo_line_to(cr, bar.x + bar.width, bar.y);
  cairo_line_to(cr, bar.x + bar.width + tip, bar.y + bar.height / 2);
  cairo_line_to(cr, bar.x + bar.width, bar.y + bar.height);
  cairo_line_to(cr, bar.x, bar.y + bar.height);
  cairo_close_path(cr);
  cairo_clip(cr);
  for (double x = 0; x < bar.width + tip; ++x) {
    const Rgb shown = encode_srgb(map_colour(scale.map, x / bar.width));
    cairo_set_source_rgb(cr, static_cast<double>(shown[0]), static_cast<double>(shown[1]),
                         static_cast<double>(shown[2]));
    cairo_rectangle(cr, bar.x + x, bar.y, 1.5, bar.height);
    cairo_fill(cr);
  }
  cairo_restore(cr);
}

}  // namespace

std::string png_bytes(const Image& image) {
  Image copy = image;
  Canvas canvas(copy);
  std::string bytes;
  if (cairo_surface_write_to_png_stream(canvas.surface(), append, &bytes) != CAIRO_STATUS_SUCCESS)
    throw CannotContinue("cairo could not make a PNG file of the picture");
  return bytes;
}

void draw_caption(Image& image, const std::string& words) {
  Canvas canvas(image);
  const double u = canvas.unit(), size = 17 * u;
  const double width = canvas.text_width(words, size);
  canvas.plate(14 * u, 14 * u, width + 20 * u, 30 * u);
  canvas.text(words, 24 * u, 35 * u, size);
  canvas.keep();
}

void draw_clock(Image& image, double time) {
  Canvas canvas(image);
  const double u = canvas.unit(), size = 15 * u;
  const std::string words = fmt::format("{:.2f} s", time);
  const double width = canvas.text_width(words, size);
  const double x = canvas.width() - width - 34 * u, y = canvas.height() - 42 * u;
  canvas.plate(x, y, width + 20 * u, 28 * u);
  canvas.text(words, x + 10 * u, y + 19.5 * u, size);
  canvas.keep();
}

void draw_legend(Image& image, const ColourScale& scale) {
  Canvas canvas(image);
  const double u = canvas.unit(), size = 14 * u;
  const Prefixed words = prefixed(scale);
  const std::string title =
      words.unit.empty() ? scale.what : fmt::format("{} ({})", scale.what, words.unit);
  const double wide = std::min(230 * u, canvas.width() - 70 * u);
  const double plate = std::max(wide, canvas.text_width(title, size)) + 38 * u;
  const double left = 14 * u, top = canvas.height() - 84 * u;
  canvas.plate(left, top, plate, 70 * u);
  canvas.text(title, left + 14 * u, top + 20 * u, size);
  const Bar bar{left + 14 * u, top + 29 * u, wide, 13 * u};
  draw_bar(canvas, scale, bar);
  const Ruler ruler{Scale::linear, scale.min * words.factor, scale.max * words.factor};
  for (const Tick& tick : make_ticks(ruler, 4)) {
    const double place = ruler.place(tick.value);
    if (tick.label.empty() || place < -1e-9 || place > 1 + 1e-9) continue;
    const double width = canvas.text_width(tick.label, 12.5 * u);
    canvas.text(tick.label, bar.x + place * wide - width / 2, top + 59 * u, 12.5 * u);
  }
  canvas.keep();
}

}  // namespace pliant
