// One kind of figure: lines and points over two axes, with units, legend and notes, drawn alike as
// SVG and PNG. The legend stands beside the plot, where it hides no data; colours are those of
// Okabe and Ito (2008), which people with colour-blindness tell apart, and repeat with other dashes
// and markers. Nothing is written here: whoever asked has the bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pliant {

enum class Scale { linear, log };
enum class Dash { solid, dashed, dotted, dash_dot };

struct Axis {
  std::string label;  // with its unit
  Scale scale = Scale::linear;
  std::optional<double> min, max;  // where they are not given, the data decide
};

struct Series {
  std::string name;  // for the legend; empty: not in it
  std::vector<double> x, y;
  bool line = true, markers = false;
  bool guide = false;              // a thin grey line that helps the eye: takes no colour
  std::optional<Dash> dash = {};   // else by its place in the plot
  std::optional<int> colour = {};  // a place in the palette, else by its place in the plot
};

struct PlotNote {
  double x = 0, y = 0;  // in the data's units
  std::string text;
};

struct Plot {
  std::string title, subtitle;
  Axis x, y;
  std::vector<Series> series;
  std::vector<PlotNote> notes;
  int width = 960, height = 600;  // of the SVG, in pixels; the PNG has twice as many
};

struct Pictures {
  std::string svg, png;  // the files' bytes; empty in a build without plots
};

bool plots_built();  // PLIANT_PLOTS
Pictures draw(const Plot& plot);

}  // namespace pliant
