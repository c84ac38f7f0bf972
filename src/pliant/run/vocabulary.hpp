// The names that a scene may use, gathered from the modules that implement them.
#pragma once

#include <pliant/scene/vocabulary.hpp>

namespace pliant {

Vocabulary built_vocabulary();

}  // namespace pliant
