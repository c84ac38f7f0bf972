// What stands in the bodies' way, as frames show it: obstacles/obstacles_000000.vtp … and
// obstacles.pvd, which ParaView opens beside animation.pvd. Where something moves there is a file
// for each frame, with the frame's number; else the first is for all of them.
#pragma once

#include <pliant/io/vtp.hpp>
#include <pliant/io/vtp_series.hpp>

namespace pliant {

inline constexpr std::string_view obstacles_folder = "obstacles";
inline constexpr std::string_view obstacles_file = "obstacles.pvd";
inline constexpr const char* obstacle_label = "obstacle";  // of each triangle, as in the scene

inline std::string obstacle_file_name(std::size_t number) {
  return vtp_series_file(obstacles_folder, number);
}
inline std::optional<std::size_t> obstacle_number(std::string_view file_name) {
  return vtp_series_number(obstacles_folder, file_name);
}

class ObstacleSeries {
 public:
  ObstacleSeries() = default;
  explicit ObstacleSeries(std::filesystem::path folder, std::span<const double> times = {})
      : series_(std::move(folder), obstacles_folder, times) {}

  // Those of the frame that is about to be added.
  void add(double time, const VtpSurface& surface, bool moving) {
    if (surface.triangles.empty() || (!moving && !series_.empty())) return;
    series_.add(time, [&](const std::filesystem::path& path) { write_vtp(path, surface); });
  }

  // The file that shows them at a frame; nothing where there are none.
  static std::optional<std::filesystem::path> file_of(const std::filesystem::path& folder,
                                                      std::size_t frame) {
    return VtpSeries::file_of(folder, obstacles_folder, frame);
  }

 private:
  VtpSeries series_;
};

}  // namespace pliant
