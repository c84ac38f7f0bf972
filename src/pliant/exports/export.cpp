// The list of formats, and what is alike for all of them: names of files, what may be replaced, and
// what is left after an interruption.
#include <pliant/exports/export.hpp>

#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/exports/job.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/numbered_name.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pliant {
namespace {

namespace fs = std::filesystem;
using exports::Job;

struct Entry {
  ExportFormat format;
  void (*write)(const Job&);
};

std::vector<Entry> entries() {
  using namespace exports;
  constexpr bool frames = true, all = false;
  return {
      {{"glb", ".glb", "", all, true,
        "glTF 2.0 in one file: surfaces with normals and colours, moving by morph targets"},
       write_glb},
      {{"gltf", ".gltf", ".bin", all, true, "the same as JSON, its numbers in a .bin beside it"},
       write_gltf},
      {{"obj", ".obj", "", frames, true, "Wavefront surfaces, a group for each body"}, write_obj},
      {{"ply", ".ply", "", frames, true,
        "binary PLY surfaces with velocity and von Mises stress at the points"},
       write_ply},
      {{"stl", ".stl", "", frames, true, "binary STL surfaces"}, write_stl},
      {{"vtk", ".vtk", "", frames, true,
        "legacy VTK volumes with velocity, von Mises stress, det F and body; binary"},
       write_vtk},
      {{"mdd", ".mdd", ".obj", all, true,
        "MDD vertex cache of the surface, and the .obj that it moves"},
       write_mdd},
      {{"pc2", ".pc2", ".obj", all, true,
        "PC2 vertex cache of the surface, and the .obj that it moves"},
       write_pc2},
      {{"xdmf", ".xdmf", ".h5", all, hdf5_built(),
        "XDMF over one compressed HDF5 file: volumes of large runs"},
       write_xdmf},
  };
}

Entry find_entry(const std::string& name) {
  std::vector<std::string> known;
  for (const Entry& entry : entries()) {
    if (entry.format.name == name) return entry;
    known.emplace_back(entry.format.name);
  }
  throw InputError(fmt::format("unknown format \"{}\"{}", name, suggestion(name, known)));
}

std::string file_name(const Results& results, std::string_view extension) {
  std::string name = results.name().empty() ? "results" : results.name();
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return c == '/' || static_cast<unsigned char>(c) < 32; }, '-');
  return name + std::string(extension);
}

InputError wrong_ending(const fs::path& out, const ExportFormat& format) {
  return InputError(fmt::format("{}: a file of the format {} ends in {}", out.string(), format.name,
                                format.extension));
}

bool belongs_to_a_format(const fs::path& extension) {
  const std::vector<ExportFormat> formats = export_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const ExportFormat& format) {
    return !extension.empty() && (extension == format.extension || extension == format.companion);
  });
}

// Where it goes: the default is a folder `export` inside the result folder.
void place(Job& job, const fs::path& wanted) {
  const ExportFormat& format = job.format;
  if (format.per_frame) {
    job.out = wanted.empty() ? job.results().folder() / "export" / format.name : wanted;
    job.one_file = job.out.extension() == format.extension && !is_folder(job.out);
    if (!job.one_file && !is_folder(job.out) && belongs_to_a_format(job.out.extension()))
      throw wrong_ending(job.out, format);
    if (job.one_file && job.frames().size() > 1)
      throw InputError(fmt::format(
          "{}: one file holds one frame, and {} were asked for; choose one with --frames, or name "
          "a folder",
          job.out.string(), job.frames().size()));
    return;
  }
  const std::string name = file_name(job.results(), format.extension);
  if (wanted.empty()) {
    job.out = job.results().folder() / "export" / name;
  } else if (is_folder(wanted) || !wanted.has_filename()) {
    job.out = wanted / name;
  } else if (wanted.extension() == format.extension) {
    job.out = wanted;
  } else {
    throw wrong_ending(wanted, format);
  }
}

std::vector<fs::path> files_of(const Job& job) {
  std::vector<fs::path> files;
  if (job.format.per_frame) {
    for (std::size_t k = 0; k < job.frames().size(); ++k) files.push_back(job.frame_path(k));
  } else {
    files.push_back(job.out);
    if (!job.format.companion.empty())
      files.push_back(fs::path(job.out).replace_extension(job.format.companion));
  }
  return files;
}

std::vector<fs::path> frames_there(const Job& job) {
  std::vector<fs::path> there;
  if (!job.format.per_frame || job.one_file || !is_folder(job.out)) return there;
  for (const fs::path& file : list_folder(job.out))
    if (number_in_name(file.filename().string(), "frame_", job.format.extension))
      there.push_back(file);
  return there;
}

void require_free(const Job& job) {
  std::vector<fs::path> there = frames_there(job);
  for (const fs::path& file : files_of(job)) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) there.push_back(file);
  }
  if (!there.empty())
    throw InputError(fmt::format("{}: is there already; --force replaces it, --out names another",
                                 there.front().string()));
}

// Frames of an earlier and longer export would be taken for a part of this one.
void remove_others(const Job& job, const std::vector<fs::path>& written) {
  const std::set<fs::path> kept(written.begin(), written.end());
  for (const fs::path& file : frames_there(job))
    if (kept.count(file) == 0) remove_file(file);
}

}  // namespace

std::vector<ExportFormat> export_formats() {
  std::vector<ExportFormat> all;
  for (const Entry& entry : entries()) all.push_back(entry.format);
  return all;
}

ExportOutcome export_results(const Results& results, const ExportRequest& request) {
  const Entry entry = find_entry(request.format);
  Job job(results, request);
  job.format = entry.format;
  place(job, request.out);
  if (!request.force) require_free(job);
  make_folder(job.format.per_frame && !job.one_file ? job.out
              : job.out.has_parent_path()           ? job.out.parent_path()
                                                    : fs::path("."));
  ExportOutcome outcome{job.out, 0, job.frames().size(), 0, 0};
  try {
    entry.write(job);
  } catch (const exports::Stopped& stopped) {
    outcome.signal = stopped.signal;
    return outcome;
  }
  const std::vector<fs::path> written = files_of(job);
  remove_others(job, written);
  for (const fs::path& file : written) {
    std::error_code ignored;
    if (const std::uintmax_t bytes = fs::file_size(file, ignored); !ignored) outcome.bytes += bytes;
    ++outcome.files;
  }
  return outcome;
}

}  // namespace pliant
