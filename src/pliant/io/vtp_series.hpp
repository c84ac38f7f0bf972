// Files of polygonal data beside the frames of a run, NAME/NAME_000000.vtp …, and the list NAME.pvd
// of them, which ParaView opens beside animation.pvd.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

std::string vtp_series_file(std::string_view name, std::size_t number);
std::optional<std::size_t> vtp_series_number(std::string_view name, std::string_view file_name);

class VtpSeries {
 public:
  VtpSeries() = default;
  // Starts, or goes on after the frames at the given times: later files leave list and folder.
  VtpSeries(std::filesystem::path folder, std::string_view name, std::span<const double> times);

  // `write` is given the path of the file.
  void add(double time, const std::function<void(const std::filesystem::path&)>& write);
  bool empty() const { return times_.empty(); }

  // The file of a frame, or where there is none the first; nothing where there is none at all.
  static std::optional<std::filesystem::path> file_of(const std::filesystem::path& folder,
                                                      std::string_view name, std::size_t frame);

 private:
  void write_index() const;

  std::filesystem::path folder_;
  std::string name_;
  std::vector<double> times_;  // s, one per file
};

}  // namespace pliant
