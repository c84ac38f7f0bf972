// `pliant modes`: natural frequencies as a table, CSV and figure, and each shape as a frame that
// ParaView opens.
#pragma once

#include <pliant/analysis/modes.hpp>
#include <pliant/scene/build.hpp>

#include <filesystem>

namespace pliant {

std::string mode_table(const Modes& modes);
// The same beside those of another scene (a finer mesh of the same body), with relative
// differences.
std::string mode_table(const Modes& modes, const Modes& other);
// The same with each mode beside its partner of the fine mesh, by the overlap of their shapes, and
// what CHEN's test says; overlap.csv holds all of it.
std::string paired_table(const Modes& modes, const Modes& fine, const Eigen::MatrixXd& overlap);
void write_overlap(const std::filesystem::path& folder, const Modes& modes, const Modes& fine,
                   const Eigen::MatrixXd& overlap);

// modes.csv, frequencies, and mode_001.vtu …: the body moved along the shape, a twentieth of the
// scene's size at most, the shape itself as the array "mode".
void write_modes(const std::filesystem::path& folder, const BuiltScene& built, const State& about,
                 const Modes& modes);

}  // namespace pliant
