// An XML file as a tree of our own: elements with attributes, children and the line where they
// begin. The library that reads it stays in one file (xml_tinyxml2.cpp); builds without it refuse
// in words (xml_none.cpp). Input nobody vouches for: no entities beyond the five of XML, no
// document types, and caps on size and depth.
#pragma once

#include <pliant/core/types.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::robots {

struct XmlAttribute {
  std::string name, value;
};

struct XmlElement {
  std::string name, text;
  std::shared_ptr<const std::string> file;  // as errors show it
  int line = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;

  std::string where() const;  // "robot.urdf:12"
  const std::string* find(std::string_view attribute) const;
  const XmlElement* child(std::string_view name) const;  // the first of them; null: none
  std::vector<const XmlElement*> all(std::string_view name) const;

  // Throws InputError that begins with the place: "robot.urdf:12: <link name="arm">: …".
  [[noreturn]] void fail(std::string_view problem) const;
};

constexpr std::size_t max_xml_bytes = std::size_t{16} << 20;

bool xml_built();

// Throws InputError with file and line.
XmlElement read_xml(const std::filesystem::path& path);
XmlElement parse_xml(std::string_view text, const std::string& name);

// Values of attributes, each finite and nothing beside them.
double number_of(const XmlElement& element, std::string_view attribute, std::string_view value);
std::vector<double> numbers_of(const XmlElement& element, std::string_view attribute,
                               std::string_view value);
std::string required_text(const XmlElement& element, std::string_view attribute);
double required_number(const XmlElement& element, std::string_view attribute);
std::optional<double> optional_number(const XmlElement& element, std::string_view attribute);
// So many numbers; nothing where the attribute is not there.
std::optional<std::vector<double>> optional_numbers(const XmlElement& element,
                                                    std::string_view attribute, std::size_t count);
std::optional<Vec3> optional_vec3(const XmlElement& element, std::string_view attribute);

}  // namespace pliant::robots
