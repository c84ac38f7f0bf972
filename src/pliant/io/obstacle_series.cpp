#include <pliant/io/obstacle_series.hpp>

#include <pliant/io/atomic_file.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/numbered_name.hpp>
#include <pliant/io/pvd.hpp>

#include <fmt/format.h>

namespace pliant {

namespace fs = std::filesystem;

std::string obstacle_file_name(std::size_t number) {
  return numbered_name("obstacles_", number, ".vtp");
}
std::optional<std::size_t> obstacle_number(std::string_view file_name) {
  return number_in_name(file_name, "obstacles_", ".vtp");
}

ObstacleSeries::ObstacleSeries(fs::path folder, std::span<const double> times)
    : folder_(std::move(folder)) {
  const fs::path files = folder_ / obstacles_folder;
  if (!is_folder(files)) return;
  for (std::size_t k = 0; k < times.size() && is_file(files / obstacle_file_name(k)); ++k)
    times_.push_back(times[k]);
  if (!times_.empty()) write_index();  // first the list, so that it never names a file that is gone
  for (const fs::path& file : list_folder(files)) {
    const auto number = obstacle_number(file.filename().string());
    if (number && *number >= times_.size()) remove_file(file);
  }
}

void ObstacleSeries::add(double time, const VtpSurface& surface, bool moving) {
  if (surface.triangles.empty() || (!moving && !times_.empty())) return;
  make_folder(folder_ / obstacles_folder);
  write_vtp(folder_ / obstacles_folder / obstacle_file_name(times_.size()), surface);
  times_.push_back(time);
  write_index();
}

std::optional<fs::path> ObstacleSeries::file_of(const fs::path& folder, std::size_t frame) {
  for (const std::size_t k : {frame, std::size_t{0}})
    if (fs::path file = folder / obstacles_folder / obstacle_file_name(k); is_file(file))
      return file;
  return {};
}

void ObstacleSeries::write_index() const {
  write_file_atomically(folder_ / obstacles_file, make_pvd(times_, [](std::size_t k) {
                          return fmt::format("{}/{}", obstacles_folder, obstacle_file_name(k));
                        }));
}

}  // namespace pliant
