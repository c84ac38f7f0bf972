// `pliant export`: a result folder as other programs read it. Frames are read and written one at a
// time, so that memory does not grow with the length of a run. Lengths are metres and y is up, as
// in the scene; nothing is turned or scaled. One list of formats serves dispatch, the command
// line, the documentation and the tests.
#pragma once

#include <pliant/io/results.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace pliant {

struct ExportFormat {
  std::string_view name;       // what --to takes
  std::string_view extension;  // with its dot
  std::string_view companion;  // extension of the second file that belongs to it, or empty
  bool per_frame = false;      // a file for each frame, in a folder
  bool built = true;           // false: this build leaves it out and refuses in words
  std::string_view description;
};

std::vector<ExportFormat> export_formats();
bool hdf5_built();  // PLIANT_HDF5

struct ExportRequest {
  std::string format;
  std::filesystem::path out;         // a file, or a folder of frames; empty: DIR/export/…
  std::string frames;                // as parse_frames takes it
  std::string body;                  // empty: all
  bool force = false;                // replace what is there
  std::function<int()> interrupted;  // a signal number, or 0; asked before each frame
};

struct ExportOutcome {
  std::filesystem::path out;
  std::size_t files = 0, frames = 0;
  std::uintmax_t bytes = 0;
  int signal = 0;  // where it was stopped; single files are then not there at all
};

// InputError for an unknown format, body or range of frames, where the format cannot hold what is
// asked for, and where a file is there and `force` is not set; WriteError where writing fails.
ExportOutcome export_results(const Results& results, const ExportRequest& request);

// Which of `count` frames a text names, in ascending order: "12", "-1" the last, or a slice
// "first:end:step" as Python has them: the end itself is left out, each part may be, and negative
// numbers count from the back. Empty means all. InputError where it is none of these or names no
// frame.
std::vector<std::size_t> parse_frames(std::string_view text, std::size_t count);

}  // namespace pliant
