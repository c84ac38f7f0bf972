// The few things that result files need of folders, with errors in our own words.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// With its parents; one that is there is fine. WriteError where it fails, InputError where a file
// stands in its place.
void make_folder(const std::filesystem::path& folder);

std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder);  // sorted

void remove_file(
    const std::filesystem::path& path);  // none there is fine; WriteError where it fails

bool is_file(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);
bool file_starts_with(const std::filesystem::path& path, std::string_view text);
std::string read_text(const std::filesystem::path& path);  // empty where there is none to read

}  // namespace pliant
