#include <pliant/report/svg.hpp>

#include <pliant/io/encoding.hpp>

#include <fmt/format.h>

#include <string_view>

namespace pliant {
namespace {

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string inline_svg(const std::string& svg, const std::string& label, std::size_t number) {
  const std::size_t begin = svg.find("<svg");
  const std::size_t end = svg.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  std::string element = svg.substr(begin, end + 6 - begin);
  const std::string prefix = fmt::format("f{}-", number);
  replace_all(element, " id=\"", " id=\"" + prefix);
  replace_all(element, "href=\"#", "href=\"#" + prefix);
  replace_all(element, "url(#", "url(#" + prefix);
  element.insert(4, fmt::format(" role=\"img\" aria-label=\"{}\"", xml_escaped(label)));
  return element;
}

}  // namespace pliant
