// The frames of a run: frames/frame_000000.vtu, frame_000001.vtu … and animation.pvd, the list of
// them with their times that ParaView opens as one animation. The list is rewritten atomically
// after each frame and never names a frame that is not whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct FrameData;
class VtuWriter;

inline constexpr std::string_view frames_folder = "frames";
inline constexpr std::string_view animation_file = "animation.pvd";

std::string frame_file_name(std::size_t number);                      // frame_000000.vtu
std::optional<std::size_t> frame_number(std::string_view file_name);  // the inverse

// The text of animation.pvd: frame k, at times[k], is frames/frame_k.vtu.
std::string make_pvd(std::span<const double> times);
// The same with other files.
std::string make_pvd(std::span<const double> times,
                     const std::function<std::string(std::size_t)>& file);

class FrameSeries {
 public:
  FrameSeries() = default;
  // Starts, or goes on after, the first frames at the given times: later files are removed and
  // leave the list. `folder` is the result folder. InputError where one of the first frames is
  // missing.
  explicit FrameSeries(std::filesystem::path folder, std::span<const double> times = {});

  void add(const VtuWriter& writer, const FrameData& frame);

  std::span<const double> times() const { return times_; }  // s, one per frame
  std::size_t size() const { return times_.size(); }

 private:
  std::filesystem::path frame_path(std::size_t number) const;
  void write_index() const;
  void remove_later_frames() const;

  std::filesystem::path folder_;
  std::vector<double> times_;
};

}  // namespace pliant
