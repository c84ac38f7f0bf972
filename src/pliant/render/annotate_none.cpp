// The words of builds without PLIANT_PLOTS: says so.
#include <pliant/render/annotate.hpp>

#include <pliant/core/error.hpp>

namespace pliant {
namespace {

[[noreturn]] void refuse() {
  throw InputError(
      "this build cannot write PNG files nor words on pictures; configure it with "
      "-DPLIANT_PLOTS=ON");
}

}  // namespace

std::string png_bytes(const Image&) { refuse(); }
void draw_caption(Image&, const std::string&) { refuse(); }
void draw_clock(Image&, double) { refuse(); }
void draw_legend(Image&, const ColourScale&) { refuse(); }

}  // namespace pliant
