// Bytes as files carry them: base64 (RFC 4648), the zlib block layout of VTK's XML formats, and the
// 64-bit checksum (xxHash, XXH64) that guards checkpoints and names states. Readers and writers
// share these, so what one writes the other reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

std::string base64_encode(std::span<const std::byte> bytes);

// White space between digits is skipped, as it may stand in XML; anything else that is not base64,
// a missing or early padding and bits left over throw InputError.
std::vector<std::byte> base64_decode(std::string_view text);

// Header and blocks of one array, VTK's vtkZLibDataCompressor with header_type="UInt64":
//   [blocks][bytes in a block][bytes in the last block, 0 if it is full][compressed bytes of each…]
// and then the blocks, each a zlib stream of its own. Blocks are compressed in parallel; the result
// does not depend on the number of threads.
std::vector<std::byte> vtk_compress(std::span<const std::byte> bytes);

// Bytes of the header in what vtk_compress returned; base64 encodes header and blocks apart.
std::size_t vtk_header_size(std::span<const std::byte> compressed);

inline constexpr std::size_t default_decompressed_limit = std::size_t{1} << 32;  // 4 GiB

// The inverse, for header words of 4 or 8 bytes in this machine's byte order. Every length in the
// header is checked against the bytes there are and against what zlib can expand them to before
// anything is allocated. Throws InputError, also where more than `limit` bytes would come out.
std::vector<std::byte> vtk_decompress(std::span<const std::byte> bytes, int header_word_size,
                                      std::size_t limit = default_decompressed_limit);

std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// Text for an XML attribute; control characters, which XML cannot hold, become spaces.
std::string xml_escaped(std::string_view text);

std::string hex(std::uint64_t value);  // sixteen lower-case digits

inline std::span<const std::byte> bytes_of(std::span<const double> values) {
  return std::as_bytes(values);
}
inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

}  // namespace pliant
