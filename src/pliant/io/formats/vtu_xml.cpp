#include <fmt/format.h>
#include <pliant/io/formats/vtu_xml.hpp>

#include <charconv>
#include <optional>
#include <utility>

namespace pliant::formats {
namespace {

struct Tag {
  std::string_view name;
  bool closing = false;  // </name>
  bool empty = false;    // <name/>
  std::vector<std::pair<std::string_view, std::string>> attributes;

  const std::string* find(std::string_view attribute) const {
    for (const auto& [key, value] : attributes)
      if (key == attribute) return &value;
    return nullptr;
  }
};

bool is_blank_text(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t used = 1;
    char c = text[i];
    for (const auto& [entity, character] : entities)
      if (text.substr(i).starts_with(entity)) c = character, used = entity.size();
    out += c;
    i += used;
  }
  return out;
}

class Scanner {
 public:
  Scanner(FileCursor& cursor, std::string_view kind)
      : cursor_(cursor), kind_(kind), text_(cursor.bytes()) {}

  VtuDocument scan() {
    while (next_tag()) {
      if (tag_.closing) {
        close();
      } else {
        open();
        if (stopped_) return document_;
      }
    }
    if (!seen_file_) cursor_.fail("expected <VTKFile …>, found none");
    if (!open_.empty()) cursor_.fail(fmt::format("<{}> is never closed", open_.back()));
    return document_;
  }

 private:
  [[noreturn]] void fail_at(std::size_t position, const std::string& message) {
    cursor_.seek(std::min(position, text_.size()));
    cursor_.fail(message);
  }

  // Finds the next tag, passing over text, comments and declarations.
  bool next_tag() {
    for (;;) {
      const std::size_t start = text_.find('<', at_);
      if (start == std::string_view::npos) return false;
      cursor_.seek(start);
      const std::string_view rest = text_.substr(start);
      const bool comment = rest.starts_with("<!--");
      if (comment || rest.starts_with("<?") || rest.starts_with("<!")) {
        const std::string_view end = comment ? "-->" : ">";
        const std::size_t found = text_.find(end, start);
        if (found == std::string_view::npos) cursor_.fail("a comment or declaration has no end");
        at_ = found + end.size();
        continue;
      }
      read_tag(start + 1);
      return true;
    }
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank_text(text_[at_])) ++at_;
  }
  char here() {
    if (at_ >= text_.size()) fail_at(at_, "the file ends inside a tag");
    return text_[at_];
  }

  std::string_view read_name() {
    const std::size_t begin = at_;
    while (!is_blank_text(here()) && here() != '>' && here() != '/' && here() != '=') ++at_;
    if (at_ == begin)
      fail_at(at_, fmt::format("expected a name, got {}", in_quotes({&text_[at_], 1})));
    return text_.substr(begin, at_ - begin);
  }

  void read_tag(std::size_t begin) {
    at_ = begin;
    tag_ = {};
    if (here() == '/') tag_.closing = true, ++at_;
    tag_.name = read_name();
    for (;;) {
      skip_blanks();
      const char c = here();
      if (c == '>') break;
      if (c == '/') {
        tag_.empty = true;
        ++at_;
        if (here() != '>') fail_at(at_, "expected > behind /");
        break;
      }
      read_attribute();
    }
    ++at_;
  }

  void read_attribute() {
    const std::string_view key = read_name();
    skip_blanks();
    if (here() != '=') fail_at(at_, fmt::format("attribute {} has no value", in_quotes(key)));
    ++at_;
    skip_blanks();
    const char quote = here();
    if (quote != '"' && quote != '\'')
      fail_at(at_, fmt::format("the value of {} must stand in quotes", in_quotes(key)));
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos)
      fail_at(at_, fmt::format("the value of {} has no closing quote", in_quotes(key)));
    tag_.attributes.emplace_back(key, unescaped(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
  }

  const std::string& required(std::string_view attribute) {
    const std::string* value = tag_.find(attribute);
    if (value == nullptr)
      cursor_.fail(fmt::format("<{}> has no attribute {}", tag_.name, attribute));
    return *value;
  }

  std::int64_t integer(std::string_view attribute) {
    const std::string& text = required(attribute);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
      cursor_.fail(
          fmt::format("{} must be a whole number from 0, got {}", attribute, in_quotes(text)));
    return value;
  }

  void open() {
    if (!seen_file_ && tag_.name != "VTKFile")
      cursor_.fail(fmt::format("expected <VTKFile …>, got <{}>", tag_.name.substr(0, 40)));
    if (tag_.name == "VTKFile") open_file();
    if (tag_.name == "Piece")
      document_.pieces.push_back(
          {integer("NumberOfPoints"),
           integer(kind_ == "PolyData" ? "NumberOfPolys" : "NumberOfCells")});
    if (tag_.name == "DataArray" || tag_.name == "Array") open_array();
    if (tag_.name == "AppendedData") return open_appended();
    if (!tag_.empty) open_.push_back(tag_.name);
  }

  void open_file() {
    seen_file_ = true;
    if (required("type") != kind_)
      cursor_.fail(
          fmt::format("type {} is not supported, only {}", in_quotes(required("type")), kind_));
    if (const std::string* order = tag_.find("byte_order"); order && *order == "BigEndian")
      document_.byte_order = Coding::big;
    if (const std::string* header = tag_.find("header_type"); header) {
      if (*header != "UInt32" && *header != "UInt64")
        cursor_.fail(
            fmt::format("header_type must be UInt32 or UInt64, got {}", in_quotes(*header)));
      document_.header_word = *header == "UInt32" ? 4 : 8;
    }
    if (const std::string* compressor = tag_.find("compressor");
        compressor && !compressor->empty()) {
      if (*compressor != "vtkZLibDataCompressor")
        cursor_.fail(fmt::format("compressor {} is not supported, only vtkZLibDataCompressor",
                                 in_quotes(*compressor)));
      document_.compressed = true;
    }
  }

  void open_array() {
    VtuArray array;
    array.section = open_.empty() ? "" : open_.back();
    array.piece = document_.pieces.empty() ? 0 : document_.pieces.size() - 1;
    if (const std::string* name = tag_.find("Name"); name) array.name = *name;
    array.type = required("type");
    array.begin = array.end = at_;
    const std::string* format = tag_.find("format");
    if (format == nullptr || *format == "ascii") {
      array.format = VtuFormat::ascii;
    } else if (*format == "binary") {
      array.format = VtuFormat::inline_base64;
    } else if (*format == "appended") {
      array.format = VtuFormat::appended;
      array.offset = static_cast<std::size_t>(integer("offset"));
    } else {
      cursor_.fail(
          fmt::format("format {} is unknown, known: ascii, binary, appended", in_quotes(*format)));
    }
    if (!tag_.empty) array.end = std::min(text_.find('<', at_), text_.size());
    document_.arrays.push_back(std::move(array));
  }

  // The data start behind the first underscore. Raw bytes may hold anything, so their end is found
  // from the back.
  void open_appended() {
    const std::string& encoding = required("encoding");
    if (encoding != "raw" && encoding != "base64")
      cursor_.fail(fmt::format("encoding {} is unknown, known: raw, base64", in_quotes(encoding)));
    document_.appended_raw = encoding == "raw";
    skip_blanks();
    if (here() != '_') fail_at(at_, "the appended data must start with an underscore");
    document_.appended_begin = at_ + 1;
    const std::size_t end =
        document_.appended_raw ? text_.rfind("</AppendedData") : text_.find('<', at_);
    if (end == std::string_view::npos || end < document_.appended_begin)
      cursor_.fail("<AppendedData> is never closed");
    document_.appended_end = end;
    stopped_ = true;
  }

  void close() {
    if (open_.empty() || open_.back() != tag_.name)
      cursor_.fail(fmt::format("</{}> closes nothing", tag_.name.substr(0, 40)));
    open_.pop_back();
  }

  FileCursor& cursor_;
  std::string_view kind_, text_;
  std::size_t at_ = 0;  // where to look next
  Tag tag_;
  VtuDocument document_;
  std::vector<std::string_view> open_;
  bool seen_file_ = false, stopped_ = false;
};

}  // namespace

VtuDocument scan_vtu(FileCursor& cursor, std::string_view kind) {
  return Scanner(cursor, kind).scan();
}

}  // namespace pliant::formats
