// A frame first, then the index that names it; when frames go, the index first.
#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/numbered_name.hpp>
#include <pliant/io/pvd.hpp>
#include <pliant/io/vtu_writer.hpp>

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <utility>

namespace pliant {

namespace fs = std::filesystem;

std::string frame_file_name(std::size_t number) { return numbered_name("frame_", number, ".vtu"); }

std::optional<std::size_t> frame_number(std::string_view file_name) {
  return number_in_name(file_name, "frame_", ".vtu");
}

std::string make_pvd(std::span<const double> times) {
  return make_pvd(
      times, [](std::size_t k) { return fmt::format("{}/{}", frames_folder, frame_file_name(k)); });
}

std::string make_pvd(std::span<const double> times,
                     const std::function<std::string(std::size_t)>& file) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"{}\">\n<Collection>\n",
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
  for (std::size_t k = 0; k < times.size(); ++k)
    fmt::format_to(std::back_inserter(text),
                   "<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", times[k],
                   file(k));
  return text + "</Collection>\n</VTKFile>\n";
}

FrameSeries::FrameSeries(fs::path folder, std::span<const double> times)
    : folder_(std::move(folder)), times_(times.begin(), times.end()) {
  make_folder(folder_ / frames_folder);
  for (std::size_t k = 0; k < times_.size(); ++k)
    if (!is_file(frame_path(k)))
      throw InputError(
          fmt::format("{}: is missing, the run cannot be resumed; --force runs it anew",
                      frame_path(k).string()));
  write_index();  // first the list, so that it never names a frame that is gone
  remove_later_frames();
}

void FrameSeries::add(const VtuWriter& writer, const FrameData& frame) {
  writer.write(frame_path(times_.size()), frame);
  times_.push_back(frame.time);
  write_index();
}

void FrameSeries::remove_later_frames() const {
  for (const fs::path& file : list_folder(folder_ / frames_folder)) {
    const auto number = frame_number(file.filename().string());
    if (number && *number >= times_.size()) remove_file(file);
  }
}

fs::path FrameSeries::frame_path(std::size_t number) const {
  return folder_ / frames_folder / frame_file_name(number);
}

void FrameSeries::write_index() const {
  write_file_atomically(folder_ / animation_file, make_pvd(times_));
}

}  // namespace pliant
