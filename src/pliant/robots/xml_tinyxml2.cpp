// XML by TinyXML-2, which knows no entities but those of XML and stops at a depth of 100.
#include <pliant/robots/xml.hpp>

#include <pliant/core/error.hpp>

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>

namespace pliant::robots {
namespace {

using FileName = std::shared_ptr<const std::string>;

[[noreturn]] void refuse(const FileName& file, int line, std::string_view why) {
  throw InputError(fmt::format("{}:{}: {}", *file, line, why));
}

std::string in_words(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "this element is not closed, or closed by another name; is the file cut off?";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "this element is not written as XML has it, <name attribute=\"value\">, or has an "
             "attribute twice";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment without its end, -->";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text that does not end in a tag; is the file cut off?";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "there is no XML in it";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested deeper than 100 levels";
    default:
      return fmt::format("is not XML ({})", tinyxml2::XMLDocument::ErrorIDToName(error));
  }
}

// A document type could define entities; descriptions of robots have no use for either.
void require_no_doctype(const tinyxml2::XMLNode& parent, const FileName& file) {
  for (const tinyxml2::XMLNode* node = parent.FirstChild(); node; node = node->NextSibling()) {
    const tinyxml2::XMLUnknown* unknown = node->ToUnknown();
    if (unknown)
      refuse(file, unknown->GetLineNum(),
             "document types and entities (<!…>) are not read; take them out of the file");
  }
}

XmlElement copy(const tinyxml2::XMLElement& from, const FileName& file) {
  XmlElement element;
  element.name = from.Name();
  element.file = file;
  element.line = from.GetLineNum();
  if (const char* text = from.GetText()) element.text = text;
  require_no_doctype(from, file);
  for (const tinyxml2::XMLAttribute* one = from.FirstAttribute(); one; one = one->Next())
    element.attributes.push_back({one->Name(), one->Value()});
  for (const tinyxml2::XMLElement* child = from.FirstChildElement(); child;
       child = child->NextSiblingElement())
    element.children.push_back(copy(*child, file));
  return element;
}

}  // namespace

bool xml_built() { return true; }

XmlElement parse_xml(std::string_view text, const std::string& name) {
  const auto file = std::make_shared<const std::string>(name);
  if (text.size() > max_xml_bytes)
    throw InputError(name + ": is larger than the largest description that is read, 16 MiB");
  // The parser would take a NUL byte for the end of the text and not look at the rest.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    refuse(file, 1 + static_cast<int>(std::count(text.begin(), text.begin() + nul, '\n')),
           "a NUL byte: this is not a text file");
  tinyxml2::XMLDocument document;
  const tinyxml2::XMLError error = document.Parse(text.data(), text.size());
  if (error != tinyxml2::XML_SUCCESS)
    refuse(file, std::max(1, document.ErrorLineNum()), in_words(error));
  require_no_doctype(document, file);
  const tinyxml2::XMLElement* root = document.RootElement();
  if (!root) refuse(file, 1, "there is no element in it");
  if (const auto* second = root->NextSiblingElement())
    refuse(file, second->GetLineNum(), "a second element beside the first; XML has one at the top");
  return copy(*root, file);
}

}  // namespace pliant::robots
