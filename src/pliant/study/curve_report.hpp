// `pliant curves`: damping and dispersion of several methods as CSV and figures, ASCHER Figure 3.
#pragma once

#include <pliant/analysis/damping_curve.hpp>

#include <filesystem>

namespace pliant {

// Methods that a figure can show side by side: those of ASCHER's Figure 3, and what wins elsewhere.
std::vector<std::string> usual_integrators();

// The table that a person reads: d/ω at some hω, and where it is stable.
std::string curve_table(std::span<const DampingCurve> curves);

// curves.csv, damping, damping-log and dispersion; returns the names of the figures.
std::vector<std::string> write_curves(const std::filesystem::path& folder,
                                      std::span<const DampingCurve> curves);

}  // namespace pliant
