// What stands in the bodies' way, as frames show it: obstacles/obstacles_000000.vtp … and
// obstacles.pvd, which ParaView opens beside animation.pvd. Where something moves there is a file
// for each frame, with the frame's number; else the first is for all of them.
#pragma once

#include <pliant/io/vtp.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace pliant {

inline constexpr std::string_view obstacles_folder = "obstacles";
inline constexpr std::string_view obstacles_file = "obstacles.pvd";
inline constexpr const char* obstacle_label = "obstacle";  // of each triangle, as in the scene

std::string obstacle_file_name(std::size_t number);  // obstacles_000000.vtp
std::optional<std::size_t> obstacle_number(std::string_view file_name);

class ObstacleSeries {
 public:
  ObstacleSeries() = default;
  // Starts, or goes on after the frames at the given times: later files leave list and folder.
  explicit ObstacleSeries(std::filesystem::path folder, std::span<const double> times = {});

  // Those of the frame that is about to be added.
  void add(double time, const VtpSurface& surface, bool moving);

  // The file that shows them at a frame; nothing where there are none.
  static std::optional<std::filesystem::path> file_of(const std::filesystem::path& folder,
                                                      std::size_t frame);

 private:
  void write_index() const;

  std::filesystem::path folder_;
  std::vector<double> times_;  // s, one per file
};

}  // namespace pliant
