// Names that papers and other programs have for what has another name here.
#pragma once

#include <string_view>

namespace pliant {

// Our name for it, whatever the case and the hyphens of the word; empty where we know of none.
std::string_view our_name_of(std::string_view word);

}  // namespace pliant
