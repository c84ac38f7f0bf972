#include <pliant/core/error.hpp>
#include <pliant/scene/problems.hpp>

#include <fmt/format.h>

namespace pliant {

void Problems::add(std::string_view pointer, std::string_view what) {
  lines_.push_back(pointer.empty() ? fmt::format("{}: {}", document_, what)
                                   : fmt::format("{}#{}: {}", document_, pointer, what));
  if (lines_.size() >= limit) throw_if_any();
}

void Problems::throw_if_any() const {
  if (!lines_.empty()) throw InputError(fmt::format("{}", fmt::join(lines_, "\n")));
}

}  // namespace pliant
