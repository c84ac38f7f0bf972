// Which combinations there are: the whole product, and the quick set.
#pragma once

#include <reliability/scenes.hpp>
#include <reliability/trial.hpp>

namespace pliant::reliability {

// By a barrier: scenes × be, bdf2, sdirk2, trbdf2, esdirk43 × the steps given and 0.04 s ×
// frictions × jitters. By the other methods: what is planned (plans.hpp) and not refused, with the
// first of the steps given and 0.04 s, and two jitters.
std::vector<Combination> all_combinations();
// Every scene that is quick enough, once with each method that it is tried with: integrators,
// steps, frictions and jitters take turns.
std::vector<Combination> quick_combinations();

}  // namespace pliant::reliability
