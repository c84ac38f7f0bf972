#include <pliant/io/vtp_series.hpp>

#include <pliant/io/atomic_file.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/numbered_name.hpp>
#include <pliant/io/pvd.hpp>

#include <fmt/format.h>

namespace pliant {

namespace fs = std::filesystem;

std::string vtp_series_file(std::string_view name, std::size_t number) {
  return numbered_name(fmt::format("{}_", name), number, ".vtp");
}
std::optional<std::size_t> vtp_series_number(std::string_view name, std::string_view file_name) {
  return number_in_name(file_name, fmt::format("{}_", name), ".vtp");
}

VtpSeries::VtpSeries(fs::path folder, std::string_view name, std::span<const double> times)
    : folder_(std::move(folder)), name_(name) {
  const fs::path files = folder_ / name_;
  if (!is_folder(files)) return;
  for (std::size_t k = 0; k < times.size() && is_file(files / vtp_series_file(name_, k)); ++k)
    times_.push_back(times[k]);
  if (!times_.empty()) write_index();  // first the list, so that it never names a file that is gone
  for (const fs::path& file : list_folder(files)) {
    const auto number = vtp_series_number(name_, file.filename().string());
    if (number && *number >= times_.size()) remove_file(file);
  }
}

void VtpSeries::add(double time, const std::function<void(const fs::path&)>& write) {
  make_folder(folder_ / name_);
  write(folder_ / name_ / vtp_series_file(name_, times_.size()));
  times_.push_back(time);
  write_index();
}

std::optional<fs::path> VtpSeries::file_of(const fs::path& folder, std::string_view name,
                                           std::size_t frame) {
  for (const std::size_t k : {frame, std::size_t{0}})
    if (fs::path file = folder / name / vtp_series_file(name, k); is_file(file)) return file;
  return {};
}

void VtpSeries::write_index() const {
  write_file_atomically(folder_ / (name_ + ".pvd"), make_pvd(times_, [this](std::size_t k) {
                          return fmt::format("{}/{}", name_, vtp_series_file(name_, k));
                        }));
}

}  // namespace pliant
