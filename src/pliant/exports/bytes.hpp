// Numbers as files hold them, in either byte order. Formats for drawing hold single precision.
#pragma once

#include <pliant/core/types.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace pliant::exports {

template <std::endian order, class T>
void append(std::string& out, T value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if constexpr (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}

template <std::endian order, class T = float>
void append(std::string& out, const Vec3& x) {
  for (int i = 0; i < 3; ++i) append<order>(out, static_cast<T>(x[i]));
}

}  // namespace pliant::exports
