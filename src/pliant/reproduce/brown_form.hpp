// How BROWN runs his examples: TR-BDF2 in steps of 40 ms, each stage by ADMM, contact with
// obstacles within it (§4.3, §4.4, §5.3, Table 2). The cases about friction run so beside our own
// way, which is Newton's method and a barrier.
#pragma once

#include <pliant/reproduce/method_run.hpp>

namespace pliant {

// For a scene of one body that meets obstacles alone. `iterations` in a stage, as in Table 2.
std::vector<std::string> brown_settings(int iterations);

constexpr double kBrownStep = 0.04;  // s, and a frame of his

// "TR-BDF2 by ADMM, ", before what a figure is about.
extern const std::string kBrownForm;

// Processor time of a frame beside Table 2's time, which is of 18 cores.
Figure frame_figure(const MethodRun& run, std::string_view of_paper);

// In words, why a run has no figures.
std::string failure(const MethodRun& run);

}  // namespace pliant
