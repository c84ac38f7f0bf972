#include <pliant/robots/warnings.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::robots {
namespace {

bool has_word(std::string_view words, std::string_view word) {
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (words.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

class Walk {
 public:
  Walk(const std::vector<Known>& known, const std::vector<Reason>& reasons, Warnings& warnings)
      : known_(known), reasons_(reasons), warnings_(warnings) {}

  void look_at(const XmlElement& element) {
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [&](const Known& k) { return k.name == element.name; });
    if (found == known_.end()) return;
    for (const XmlAttribute& attribute : element.attributes)
      if (!has_word(found->attributes, attribute.name))
        warn(element, fmt::format("{}@{}", element.name, attribute.name),
             fmt::format("the attribute \"{}\" of <{}>", attribute.name, element.name));
    for (const XmlElement& child : element.children) {
      if (has_word(found->children, child.name))
        look_at(child);
      else
        warn(child, child.name, fmt::format("<{}>", child.name));
    }
  }

 private:
  void warn(const XmlElement& at, const std::string& kind, const std::string& thing) {
    const auto reason = std::find_if(reasons_.begin(), reasons_.end(),
                                     [&](const Reason& r) { return r.name == kind; });
    warnings_.add(
        kind, at.where(),
        fmt::format("{} {}", thing,
                    reason == reasons_.end() ? "is not supported and left out" : reason->words));
  }

  const std::vector<Known>& known_;
  const std::vector<Reason>& reasons_;
  Warnings& warnings_;
};

}  // namespace

void Warnings::add(const std::string& kind, const std::string& where, const std::string& words) {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const Kind& known) { return known.name == kind; });
  if (found == kinds_.end())
    kinds_.push_back({kind, where, words, 1});
  else
    ++found->count;
}

std::vector<std::string> Warnings::in_words() const {
  std::vector<std::string> lines;
  for (const Kind& kind : kinds_)
    lines.push_back(
        fmt::format("{}: {}{}", kind.where, kind.words,
                    kind.count > 1 ? fmt::format(" ({} of them)", kind.count) : std::string()));
  return lines;
}

bool Warnings::has(std::string_view kind) const {
  return std::any_of(kinds_.begin(), kinds_.end(),
                     [&](const Kind& known) { return known.name == kind; });
}

void warn_of_unknown(const XmlElement& root, const std::vector<Known>& known,
                     const std::vector<Reason>& reasons, Warnings& warnings) {
  Walk(known, reasons, warnings).look_at(root);
}

}  // namespace pliant::robots
