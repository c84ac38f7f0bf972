// Numbers as bytes, little endian as all machines are that we build for.
#pragma once

#include <bit>
#include <string>
#include <type_traits>
#include <vector>

namespace pliant {

static_assert(std::endian::native == std::endian::little);

template <class T>
void append(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void append_all(std::string& out, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace pliant
