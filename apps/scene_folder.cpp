#include "scene_folder.hpp"

#include <pliant/io/folder.hpp>

#include <stdlib.h>

namespace pliant::apps {

std::filesystem::path scene_folder() {
  const char* given = ::getenv("PLIANT_SCENES");
  if (given && *given) return given;
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::filesystem::path installed =
      program.parent_path().parent_path() / "share" / "pliant" / "scenes";
  return !unknown && is_folder(installed) ? installed : std::filesystem::path(PLIANT_SCENES);
}

}  // namespace pliant::apps
