// SVG files as a part of a page.
#pragma once

#include <string>

namespace pliant {

// The <svg> element alone, with a label for those who do not see it, and with names of its own:
// every file calls its glyphs alike, and in one page each would draw the first one's letters.
std::string inline_svg(const std::string& svg, const std::string& label, std::size_t number);

}  // namespace pliant
