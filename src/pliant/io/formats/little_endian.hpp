// Numbers as binary files hold them, least significant byte first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace pliant::formats {

template <class T>
void append_little_endian(std::string& out, T value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}

}  // namespace pliant::formats
