// Where the project's scenes are: where PLIANT_SCENES says, else beside an installed program
// (../share/pliant/scenes), else where they were when this was built.
#pragma once

#include <filesystem>

namespace pliant::apps {

std::filesystem::path scene_folder();

}  // namespace pliant::apps
