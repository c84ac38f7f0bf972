// The XML of builds without PLIANT_XML: says so.
#include <pliant/robots/xml.hpp>

#include <pliant/core/error.hpp>

namespace pliant::robots {

bool xml_built() { return false; }

XmlElement parse_xml(std::string_view, const std::string& name) {
  throw InputError(name +
                   ": this build reads no XML; install libtinyxml2-dev and configure it with "
                   "-DPLIANT_XML=ON");
}

}  // namespace pliant::robots
