// Figures drawn by cairo, once for an SVG surface and once for an image.
#include <pliant/analysis/ticks.hpp>

#include <cairo-svg.h>
#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace pliant {
namespace {

struct Colour {
  double r, g, b;
};
constexpr std::array<Colour, 7> kPalette = {{{0.000, 0.447, 0.698},    // blue
                                             {0.835, 0.369, 0.000},    // vermilion
                                             {0.000, 0.620, 0.451},    // bluish green
                                             {0.800, 0.475, 0.655},    // reddish purple
                                             {0.902, 0.624, 0.000},    // orange
                                             {0.337, 0.706, 0.914},    // sky blue
                                             {0.150, 0.150, 0.150}}};  // black
constexpr Colour kInk = {0.13, 0.13, 0.13}, kQuiet = {0.38, 0.38, 0.38}, kGrid = {0.88, 0.88, 0.88},
                 kFaint = {0.95, 0.95, 0.95}, kGuide = {0.60, 0.60, 0.60};
constexpr double kTitle = 21, kSubtitle = 14, kLabel = 16, kTick = 13.5, kLegend = 13.5;
constexpr double kMargin = 18, kMarker = 4.2, kLegendLine = 30;

enum class Align { left, centre, right };

class Painter {
 public:
  Painter(cairo_t* cr, const Plot& plot)
      : cr_(cr),
        plot_(plot),
        x_(make_ruler(plot.x, plot.series, &Series::x)),
        y_(make_ruler(plot.y, plot.series, &Series::y)) {}

  void paint() {
    set(Colour{1, 1, 1});
    cairo_paint(cr_);
    const std::vector<Tick> x_ticks = make_ticks(x_, 8), y_ticks = make_ticks(y_, 7);
    arrange(y_ticks);
    grid(x_ticks, y_ticks);
    cairo_save(cr_);
    cairo_rectangle(cr_, left_, top_, right_ - left_, bottom_ - top_);
    cairo_clip(cr_);
    for (std::size_t k = 0; k < plot_.series.size(); ++k) curve(k);
    cairo_restore(cr_);
    for (const PlotNote& note : plot_.notes) {
      if (!x_.shows(note.x) || !y_.shows(note.y)) continue;
      set(kQuiet);
      text(note.text, px(note.x) + 6, py(note.y) + 0.36 * kLegend, kLegend, Align::left);
    }
    words(x_ticks, y_ticks);
    legend();
  }

 private:
  void set(Colour c) { cairo_set_source_rgb(cr_, c.r, c.g, c.b); }
  double px(double x) const { return left_ + x_.place(x) * (right_ - left_); }
  double py(double y) const { return bottom_ - y_.place(y) * (bottom_ - top_); }

  void font(double size, bool bold) {
    cairo_select_font_face(cr_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr_, size);
  }
  double text_width(const std::string& words, double size, bool bold = false) {
    font(size, bold);
    cairo_text_extents_t extents;
    cairo_text_extents(cr_, words.c_str(), &extents);
    return extents.x_advance;
  }
  void text(const std::string& words, double x, double y, double size, Align align,
            bool bold = false) {
    const double width = text_width(words, size, bold);
    cairo_move_to(cr_,
                  x - (align == Align::left    ? 0
                       : align == Align::right ? width
                                               : width / 2),
                  y);
    cairo_show_text(cr_, words.c_str());
  }
  void segment(double x0, double y0, double x1, double y1) {
    cairo_move_to(cr_, x0, y0);
    cairo_line_to(cr_, x1, y1);
    cairo_stroke(cr_);
  }

  // Room for the words first; what is left is the plot.
  void arrange(const std::vector<Tick>& y_ticks) {
    double widest = 0, names = 0;
    for (const Tick& tick : y_ticks) widest = std::max(widest, text_width(tick.label, kTick));
    for (const Series& one : plot_.series)
      if (!one.name.empty()) names = std::max(names, text_width(one.name, kLegend));
    left_ = kMargin + kLabel + 14 + widest + 8;
    right_ = plot_.width - kMargin - (names > 0 ? names + kLegendLine + 28 : 6);
    top_ = kMargin + (plot_.title.empty() ? 0 : kTitle + 10) +
           (plot_.subtitle.empty() ? 0 : kSubtitle + 8);
    bottom_ = plot_.height - kMargin - kLabel - kTick - 20;
  }

  void grid(const std::vector<Tick>& x_ticks, const std::vector<Tick>& y_ticks) {
    cairo_set_line_width(cr_, 1);
    for (const bool labelled : {false, true}) {  // the stronger lines on top
      set(labelled ? kGrid : kFaint);
      for (const Tick& tick : x_ticks)
        if (tick.label.empty() != labelled) segment(px(tick.value), top_, px(tick.value), bottom_);
      for (const Tick& tick : y_ticks)
        if (tick.label.empty() != labelled) segment(left_, py(tick.value), right_, py(tick.value));
    }
    set(kQuiet);
    segment(left_, bottom_, right_, bottom_);
    segment(left_, top_, left_, bottom_);
  }

  void words(const std::vector<Tick>& x_ticks, const std::vector<Tick>& y_ticks) {
    set(kInk);
    for (const Tick& tick : x_ticks)
      text(tick.label, px(tick.value), bottom_ + kTick + 6, kTick, Align::centre);
    for (const Tick& tick : y_ticks)
      text(tick.label, left_ - 8, py(tick.value) + 0.36 * kTick, kTick, Align::right);
    text(plot_.x.label, 0.5 * (left_ + right_), plot_.height - kMargin, kLabel, Align::centre);
    cairo_save(cr_);
    cairo_translate(cr_, kMargin + 0.8 * kLabel, 0.5 * (top_ + bottom_));
    cairo_rotate(cr_, -M_PI / 2);
    text(plot_.y.label, 0, 0, kLabel, Align::centre);
    cairo_restore(cr_);
    text(plot_.title, left_, kMargin + kTitle, kTitle, Align::left, true);
    set(kQuiet);
    text(plot_.subtitle, left_, top_ - 12, kSubtitle, Align::left);
  }

  // By place in the plot, guides not counted: colours first, then the same with other dashes.
  int rank(std::size_t k) const {
    int rank = 0;
    for (std::size_t j = 0; j < k; ++j) rank += !plot_.series[j].guide;
    return plot_.series[k].colour.value_or(rank);
  }
  void style(std::size_t k) {
    const Series& one = plot_.series[k];
    const auto place = static_cast<std::size_t>(rank(k));
    set(one.guide ? kGuide : kPalette[place % kPalette.size()]);
    cairo_set_line_width(cr_, one.guide ? 1.2 : 2.2);
    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
    constexpr std::array<Dash, 4> turns = {Dash::solid, Dash::dashed, Dash::dotted, Dash::dash_dot};
    dashes(one.dash.value_or(one.guide ? Dash::dashed : turns[place / kPalette.size() % 4]));
  }
  void dashes(Dash dash) {
    static constexpr double dashed[] = {8, 5}, dotted[] = {2, 4}, dash_dot[] = {9, 4, 2, 4};
    switch (dash) {
      case Dash::solid:
        return cairo_set_dash(cr_, nullptr, 0, 0);
      case Dash::dashed:
        return cairo_set_dash(cr_, dashed, 2, 0);
      case Dash::dotted:
        return cairo_set_dash(cr_, dotted, 2, 0);
      case Dash::dash_dot:
        return cairo_set_dash(cr_, dash_dot, 4, 0);
    }
  }

  void marker(double x, double y, int shape) {
    const double r = kMarker;
    cairo_set_dash(cr_, nullptr, 0, 0);
    cairo_new_path(cr_);
    if (shape % 4 == 0) {
      cairo_arc(cr_, x, y, r, 0, 2 * M_PI);
    } else if (shape % 4 == 1) {
      cairo_rectangle(cr_, x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
    } else {
      const double turn = shape % 4 == 2 ? -M_PI / 2 : 0;
      const int corners = shape % 4 == 2 ? 3 : 4;
      for (int c = 0; c < corners; ++c) {
        const double angle = turn + 2 * M_PI * c / corners;
        cairo_line_to(cr_, x + 1.25 * r * std::cos(angle), y + 1.25 * r * std::sin(angle));
      }
      cairo_close_path(cr_);
    }
    cairo_fill(cr_);
  }

  void curve(std::size_t k) {
    const Series& one = plot_.series[k];
    const std::size_t count = std::min(one.x.size(), one.y.size());
    // A picture has some thousand columns: of more points the extremes of each run are enough.
    const std::size_t run = std::max<std::size_t>(1, count / 2000);
    style(k);
    bool open = false;
    const auto visit = [&](std::size_t i) {
      const bool shown = x_.shows(one.x[i]) && y_.shows(one.y[i]);
      if (shown && one.line) {
        // Far outside the picture, coordinates are cut: cairo's are of 24 bits.
        const double y = std::clamp(py(one.y[i]), -1e4, 1e4);
        if (open)
          cairo_line_to(cr_, px(one.x[i]), y);
        else
          cairo_move_to(cr_, px(one.x[i]), y);
      }
      open = shown;
    };
    for (std::size_t begin = 0; begin < count; begin += run) {
      const std::size_t end = std::min(count, begin + run);
      const auto [low, high] =
          std::minmax_element(one.y.begin() + static_cast<std::ptrdiff_t>(begin),
                              one.y.begin() + static_cast<std::ptrdiff_t>(end));
      const auto a = static_cast<std::size_t>(low - one.y.begin());
      const auto b = static_cast<std::size_t>(high - one.y.begin());
      visit(std::min(a, b));
      if (a != b) visit(std::max(a, b));
    }
    cairo_stroke(cr_);
    if (!one.markers) return;
    for (std::size_t i = 0; i < count; ++i)
      if (x_.shows(one.x[i]) && y_.shows(one.y[i])) marker(px(one.x[i]), py(one.y[i]), rank(k));
  }

  void legend() {
    const double x = right_ + 20;
    double y = top_ + 10;
    std::size_t entries = 0;
    for (const Series& one : plot_.series) entries += !one.name.empty();
    const double line =
        std::min(24.0, (bottom_ - top_) / std::max<double>(1, static_cast<double>(entries)));
    for (std::size_t k = 0; k < plot_.series.size(); ++k) {
      const Series& one = plot_.series[k];
      if (one.name.empty()) continue;
      style(k);
      if (one.line) segment(x, y, x + kLegendLine, y);
      if (one.markers) marker(x + kLegendLine / 2, y, rank(k));
      set(kInk);
      text(one.name, x + kLegendLine + 8, y + 0.36 * kLegend, kLegend, Align::left);
      y += line;
    }
  }

  cairo_t* cr_;
  const Plot& plot_;
  Ruler x_, y_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

void paint_on(cairo_surface_t* surface, const Plot& plot, double scale) {
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cr(cairo_create(surface), cairo_destroy);
  cairo_scale(cr.get(), scale, scale);
  Painter(cr.get(), plot).paint();
}

}  // namespace

bool plots_built() { return true; }

Pictures draw(const Plot& plot) {
  Pictures pictures;
  {
    const Surface surface(
        cairo_svg_surface_create_for_stream(append, &pictures.svg, plot.width, plot.height),
        cairo_surface_destroy);
    paint_on(surface.get(), plot, 1);
    cairo_surface_finish(surface.get());
  }
  const Surface image(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * plot.width, 2 * plot.height),
      cairo_surface_destroy);
  paint_on(image.get(), plot, 2);
  cairo_surface_write_to_png_stream(image.get(), append, &pictures.png);
  return pictures;
}

}  // namespace pliant
