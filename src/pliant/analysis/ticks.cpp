#include <pliant/analysis/ticks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

std::string superscript(int number) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
  return text;
}

// 1, 2 or 5 times a power of ten, so that about `wanted` steps fit.
double round_step(double length, int wanted) {
  const double raw = length / wanted, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power * (1 + 1e-9)) return factor * power;
  return 10 * power;
}

std::string linear_label(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  const double largest = std::max(std::abs(value), step);
  if (largest >= 1e5 || largest < 1e-3) {
    const int power = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    return fmt::format("{:.4g}·10{}", value / std::pow(10, power), superscript(power));
  }
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

std::vector<Tick> linear_ticks(const Ruler& ruler, int wanted) {
  std::vector<Tick> ticks;
  const double step = round_step(ruler.max - ruler.min, wanted);
  const double slack = 1e-9 * step;
  for (double k = std::ceil((ruler.min - slack) / step); k * step <= ruler.max + slack; ++k)
    ticks.push_back({k * step, linear_label(k * step, step)});
  return ticks;
}

// Powers of ten; between them 2 and 5 where there are few, else minor ticks where there is room.
std::vector<Tick> log_ticks(const Ruler& ruler, int wanted) {
  std::vector<Tick> ticks;
  const int low = static_cast<int>(std::floor(std::log10(ruler.min) - 1e-9));
  const int high = static_cast<int>(std::ceil(std::log10(ruler.max) + 1e-9));
  const double decades = std::log10(ruler.max / ruler.min);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / wanted)));
  const auto within = [&](double value) {
    return value >= ruler.min * (1 - 1e-9) && value <= ruler.max * (1 + 1e-9);
  };
  for (int k = low; k <= high; ++k)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10, k);
      if (!within(value)) continue;
      if (digit == 1 && k % every == 0)
        ticks.push_back({value, decades < 2.5 && k >= -3 && k <= 3 ? fmt::format("{:g}", value)
                                                                   : "10" + superscript(k)});
      else if (digit == 1)
        ticks.push_back({value, ""});
      else if (decades < 2.5 && (digit == 2 || digit == 5))
        ticks.push_back({value, k >= -3 && k <= 3 ? fmt::format("{:g}", value)
                                                  : fmt::format("{}·10{}", digit, superscript(k))});
      else if (every == 1)
        ticks.push_back({value, ""});
    }
  return ticks;
}

}  // namespace

double Ruler::place(double value) const {
  if (scale == Scale::log) return std::log(value / min) / std::log(max / min);
  return (value - min) / (max - min);
}

bool Ruler::shows(double value) const {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

Ruler make_ruler(const Axis& axis, const std::vector<Series>& series,
                 std::vector<double> Series::*values) {
  Ruler ruler{axis.scale, std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()};
  for (const Series& one : series)
    for (const double value : one.*values)
      if (ruler.shows(value) && !one.guide) {
        ruler.min = std::min(ruler.min, value);
        ruler.max = std::max(ruler.max, value);
      }
  if (ruler.min > ruler.max) ruler.min = ruler.max = 1;  // nothing to show
  if (axis.scale == Scale::log) {
    const double air = std::max(std::pow(ruler.max / ruler.min, 0.04), 1.05);
    ruler.min /= air;
    ruler.max *= air;
  } else {
    const double spread = ruler.max - ruler.min;
    const double air = spread > 0 ? 0.04 * spread : std::max(0.05 * std::abs(ruler.max), 1e-12);
    ruler.min -= air;
    ruler.max += air;
  }
  if (axis.min) ruler.min = *axis.min;
  if (axis.max) ruler.max = *axis.max;
  if (!(ruler.max > ruler.min)) ruler.max = ruler.min + std::max(1e-12, std::abs(ruler.min));
  return ruler;
}

std::vector<Tick> make_ticks(const Ruler& ruler, int wanted) {
  return ruler.scale == Scale::log ? log_ticks(ruler, wanted) : linear_ticks(ruler, wanted);
}

}  // namespace pliant
