// From the coded text or bytes of an array in a .vtu file back to its bytes: base64 and zlib
// undone. Source: "VTK File Formats" (The VTK User's Guide), XML file formats.
#include <fmt/format.h>
#include <pliant/core/error.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/io/formats/vtu_xml.hpp>

#include <algorithm>
#include <bit>

namespace pliant::formats {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 31;

std::size_t base64_length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ArrayBytes {
 public:
  ArrayBytes(const VtuDocument& document, const FileCursor& file)
      : document_(document), file_(file) {}

  std::vector<std::byte> decode(const VtuArray& array) const {
    try {
      if (array.format == VtuFormat::appended && document_.appended_raw) return decode_raw(array);
      return decode_base64(array);
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{}: array {}: {}", file_.name(), in_quotes(array.name), error.what()));
    }
  }

 private:
  static void require(bool good) {
    if (!good) throw InputError("its header claims more bytes than there are");
  }

  std::string_view appended(const VtuArray& array) const {
    const std::size_t size = document_.appended_end - document_.appended_begin;
    if (document_.appended_begin == 0 || array.offset > size)
      throw InputError(fmt::format("offset {} leads past the appended data", array.offset));
    return file_.bytes().substr(document_.appended_begin + array.offset, size - array.offset);
  }

  // Word i of a header, in the byte order of the file.
  std::uint64_t word(std::string_view bytes, std::size_t i) const {
    require((i + 1) * document_.header_word <= bytes.size());
    FileCursor cursor("", bytes);
    cursor.coding = document_.byte_order;
    cursor.seek(i * document_.header_word);
    return document_.header_word == 4 ? cursor.number<std::uint32_t>("a word")
                                      : cursor.number<std::uint64_t>("a word");
  }

  // Bytes of the blocks behind a compression header.
  std::size_t blocks_size(std::string_view header, std::uint64_t blocks, std::size_t limit) const {
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < blocks; ++i) {
      total += word(header, 3 + i);
      require(total <= limit);
    }
    return total;
  }

  std::vector<std::byte> decompress(std::string_view header, std::string_view blocks) const {
    std::string joined(header);
    const bool swap =
        (document_.byte_order == Coding::big) == (std::endian::native == std::endian::little);
    for (std::size_t i = 0; swap && i < header.size(); i += document_.header_word)
      std::reverse(joined.begin() + static_cast<std::ptrdiff_t>(i),
                   joined.begin() + static_cast<std::ptrdiff_t>(i + document_.header_word));
    joined += blocks;
    return vtk_decompress(bytes_of(joined), static_cast<int>(document_.header_word), most_bytes);
  }

  static std::vector<std::byte> copy(std::string_view text) {
    const std::span<const std::byte> bytes = bytes_of(text);
    return {bytes.begin(), bytes.end()};
  }

  std::vector<std::byte> decode_raw(const VtuArray& array) const {
    const std::string_view bytes = appended(array);
    const std::size_t w = document_.header_word;
    const std::uint64_t first = word(bytes, 0);
    if (!document_.compressed) {
      require(first <= bytes.size() - w);
      return copy(bytes.substr(w, first));
    }
    if (first == 0) return {};
    require(first <= bytes.size() / w && (3 + first) * w <= bytes.size());
    const std::string_view header = bytes.substr(0, (3 + first) * w);
    const std::string_view behind = bytes.substr(header.size());
    return decompress(header, behind.substr(0, blocks_size(header, first, behind.size())));
  }

  // Uncompressed: header and data are one run of base64. Compressed: one run each.
  std::vector<std::byte> decode_base64(const VtuArray& array) const {
    std::string text;  // between the tags blanks may stand anywhere, appended there are none
    if (array.format != VtuFormat::appended) {
      text = file_.bytes().substr(array.begin, array.end - array.begin);
      std::erase_if(text, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
      if (text.empty()) return {};
    }
    const std::string_view all = array.format == VtuFormat::appended ? appended(array) : text;
    const std::size_t w = document_.header_word;
    require(base64_length(w) <= all.size());
    const std::uint64_t first = word(text_of(base64_decode(all.substr(0, base64_length(w)))), 0);
    require(first <= all.size());
    if (!document_.compressed) {
      const std::size_t length = base64_length(w + first);
      require(length <= all.size());
      std::vector<std::byte> bytes = base64_decode(all.substr(0, length));
      bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(w));
      return bytes;
    }
    if (first == 0) return {};
    const std::size_t length = base64_length((3 + first) * w);
    require(length <= all.size());
    const std::vector<std::byte> header = base64_decode(all.substr(0, length));
    const std::size_t blocks = blocks_size(text_of(header), first, all.size());
    require(base64_length(blocks) <= all.size() - length);
    const std::vector<std::byte> data = base64_decode(all.substr(length, base64_length(blocks)));
    return decompress(text_of(header), text_of(data));
  }

  const VtuDocument& document_;
  const FileCursor& file_;
};

}  // namespace

std::vector<std::byte> decode_vtu_array(const VtuDocument& document, const FileCursor& file,
                                        const VtuArray& array) {
  return ArrayBytes(document, file).decode(array);
}

}  // namespace pliant::formats
