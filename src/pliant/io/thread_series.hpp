// Springs, tendons, muscles and rods, as frames show them: threads/threads_000000.vtp … and
// threads.pvd, a line for each with its kind and tension. Cables are bodies and in the frames.
#pragma once

#include <pliant/io/vtp.hpp>
#include <pliant/io/vtp_series.hpp>

namespace pliant {

inline constexpr std::string_view threads_folder = "threads";
inline constexpr std::string_view threads_file = "threads.pvd";

inline std::optional<std::size_t> thread_number(std::string_view file_name) {
  return vtp_series_number(threads_folder, file_name);
}

class ThreadSeries {
 public:
  ThreadSeries() = default;
  explicit ThreadSeries(std::filesystem::path folder, std::span<const double> times = {})
      : series_(std::move(folder), threads_folder, times) {}

  // Those of the frame that is about to be added.
  void add(double time, const VtpLines& lines) {
    if (lines.lines.empty()) return;
    series_.add(time, [&](const std::filesystem::path& path) { write_vtp(path, lines); });
  }

  static std::optional<std::filesystem::path> file_of(const std::filesystem::path& folder,
                                                      std::size_t frame) {
    return VtpSeries::file_of(folder, threads_folder, frame);
  }

 private:
  VtpSeries series_;
};

}  // namespace pliant
