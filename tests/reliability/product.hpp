// Which combinations there are: the whole product, and the quick set.
#pragma once

#include <reliability/scenes.hpp>
#include <reliability/trial.hpp>

namespace pliant::reliability {

// Scenes × be, bdf2, sdirk2, trbdf2, esdirk43 × the steps given and 0.04 s × frictions × jitters.
std::vector<Combination> all_combinations();
// Every scene that is quick enough, once: integrators, steps, frictions and jitters take turns.
std::vector<Combination> quick_combinations();

}  // namespace pliant::reliability
