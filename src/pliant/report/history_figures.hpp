// history.csv as figures: what a person looks at first when a run is done.
#pragma once

#include <pliant/analysis/plot.hpp>
#include <pliant/study/history_table.hpp>

#include <vector>

namespace pliant {

// Energies, momenta, iterations, time per step, and of each probe its way, its force, torque or
// tension, where the history has them.
std::vector<Plot> history_plots(const HistoryTable& history);

}  // namespace pliant
