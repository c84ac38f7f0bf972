// A start at another time than 0, for equilibria: loads, motions and curves are as they are then.
#pragma once

#include <pliant/scene/build.hpp>

namespace pliant {

// Sets time and pins of built.start; what pins hold goes where they have it by then. A pin that
// took hold on the way took its nodes from where they start. Throws InputError where something
// could have been touched on that way.
void start_at(double time, BuiltScene& built);  // s

}  // namespace pliant
