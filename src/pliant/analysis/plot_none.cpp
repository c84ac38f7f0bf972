// A build without cairo (PLIANT_PLOTS off): tables and CSV files remain.
#include <pliant/analysis/plot.hpp>

namespace pliant {

bool plots_built() { return false; }
Pictures draw(const Plot&) { return {}; }

}  // namespace pliant
