// A second, small way to read our .vtu files, for the tests only: attributes by searching the text,
// blocks by zlib alone. It shares no code with the writer but base64, which has tests of its own.
#pragma once

#include <pliant/io/encoding.hpp>

#include <zlib.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace pliant::fixtures {

class VtuDecoder {
 public:
  explicit VtuDecoder(std::string text) : text_(std::move(text)) {
    const std::size_t begin = text_.find("<AppendedData");
    if (begin == std::string::npos) throw std::runtime_error("no appended data");
    head_ = text_.substr(0, begin);
    const std::string tag = text_.substr(begin, text_.find('>', begin) - begin + 1);
    base64_ = attribute(tag, "encoding") == "base64";
    data_ = text_.find('_', begin + tag.size()) + 1;
    const std::string tail = "\n</AppendedData>\n</VTKFile>\n";
    if (text_.size() < tail.size() || text_.substr(text_.size() - tail.size()) != tail)
      throw std::runtime_error("the end is missing");
    end_ = text_.size() - tail.size();
  }

  // The file without its appended bytes: text that must be well-formed.
  std::string xml() const { return text_.substr(0, data_) + text_.substr(end_); }

  static std::string attribute(const std::string& tag, const std::string& name) {
    const std::size_t at = tag.find(' ' + name + "=\"");
    if (at == std::string::npos) throw std::runtime_error("no attribute " + name);
    const std::size_t begin = at + name.size() + 3;
    return tag.substr(begin, tag.find('"', begin) - begin);
  }

  std::string tag_of(const std::string& element) const {
    const std::size_t at = head_.find("<" + element + " ");
    if (at == std::string::npos) throw std::runtime_error("no element " + element);
    return head_.substr(at, head_.find('>', at) - at + 1);
  }

  template <class T>
  std::vector<T> array(const std::string& name, const std::string& type) const {
    const std::size_t at = head_.find(" Name=\"" + name + "\"");
    if (at == std::string::npos) throw std::runtime_error("no array " + name);
    const std::size_t begin = head_.rfind('<', at);
    const std::string tag = head_.substr(begin, head_.find('>', at) - begin + 1);
    if (attribute(tag, "type") != type) throw std::runtime_error("wrong type of " + name);
    const std::string bytes = decode(data_ + std::stoull(attribute(tag, "offset")));
    if (bytes.size() % sizeof(T) != 0) throw std::runtime_error("odd size of " + name);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

 private:
  std::string bytes_at(std::size_t at, std::size_t count) const {
    const std::size_t length = base64_ ? (count + 2) / 3 * 4 : count;
    if (at + length > end_) throw std::runtime_error("array beyond the end");
    if (!base64_) return text_.substr(at, count);
    const auto bytes = base64_decode(std::string_view(text_).substr(at, length));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::vector<std::uint64_t> words_at(std::size_t at, std::size_t count) const {
    const std::string bytes = bytes_at(at, 8 * count);
    std::vector<std::uint64_t> words(count);
    std::memcpy(words.data(), bytes.data(), 8 * count);
    return words;
  }

  std::string decode(std::size_t at) const {
    // In base64 the first three words fill whole groups, so they can be read alone.
    const std::uint64_t blocks = words_at(at, 3)[0];
    const auto header = words_at(at, 3 + blocks);
    std::size_t compressed = 0;
    for (std::size_t k = 0; k < blocks; ++k) compressed += header[3 + k];
    const std::size_t header_size = 8 * header.size();
    const std::string data =
        bytes_at(at + (base64_ ? (header_size + 2) / 3 * 4 : header_size), compressed);
    std::string out;
    std::size_t from = 0;
    for (std::size_t k = 0; k < blocks; ++k) {
      const bool partial = k + 1 == blocks && header[2] != 0;
      std::string block(partial ? header[2] : header[1], '\0');
      uLongf size = block.size();
      if (::uncompress(reinterpret_cast<Bytef*>(block.data()), &size,
                       reinterpret_cast<const Bytef*>(data.data() + from), header[3 + k]) != Z_OK)
        throw std::runtime_error("damaged block");
      from += header[3 + k];
      out += block;
    }
    return out;
  }

  std::string text_, head_;
  bool base64_ = false;
  std::size_t data_ = 0, end_ = 0;
};

// Whether tags nest and close, attributes are quoted and the text holds no stray < or &.
inline bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t roots = 0;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '&') {
      const std::string entity = xml.substr(i, xml.find(';', i) - i + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;")
        return false;
    }
    if (static_cast<unsigned char>(xml[i]) < 0x20 && xml[i] != '\n') return false;
    if (xml[i] != '<') continue;
    const std::size_t end = xml.find('>', i);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(i + 1, end - i - 1);
    if (tag.empty() || tag.find('<') != std::string::npos) return false;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '?') {
      if (i != 0 || tag.back() != '?') return false;
    } else if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return false;
      open.pop_back();
    } else {
      if (open.empty() && ++roots > 1) return false;
      if (tag.back() != '/') open.push_back(name);
    }
  }
  return open.empty() && roots == 1;
}

}  // namespace pliant::fixtures
