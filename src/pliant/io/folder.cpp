// std::filesystem without its exceptions: each failure becomes one sentence of ours.
#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace pliant {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error, ignored;
  fs::create_directories(folder, error);
  if (is_folder(folder)) return;
  if (fs::exists(folder, ignored))
    throw InputError(fmt::format("{}: is a file, expected a folder", folder.string()));
  throw WriteError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
}

std::vector<fs::path> list_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  while (!error && entry != fs::directory_iterator()) {
    files.push_back(entry->path());
    entry.increment(error);
  }
  if (error)
    throw InputError(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error)
    throw WriteError(fmt::format("{}: cannot be removed: {}", path.string(), error.message()));
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool file_starts_with(const fs::path& path, std::string_view text) {
  std::ifstream in(path, std::ios::binary);
  std::string found(text.size(), '\0');
  in.read(found.data(), static_cast<std::streamsize>(found.size()));
  return static_cast<std::size_t>(in.gcount()) == text.size() && found == text;
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace pliant
