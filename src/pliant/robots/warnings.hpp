// What an import leaves out or changes, each kind of thing once: how often, and where first.
#pragma once

#include <pliant/robots/xml.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pliant::robots {

class Warnings {
 public:
  // `kind` tells warnings apart; `words` are those of the first of its kind.
  void add(const std::string& kind, const std::string& where, const std::string& words);

  // "robot.urdf:12: <transmission> is not supported and left out (4 of them)", in the order in
  // which kinds were found.
  std::vector<std::string> in_words() const;
  bool has(std::string_view kind) const;

 private:
  struct Kind {
    std::string name, where, words;
    int count = 0;
  };
  std::vector<Kind> kinds_;
};

// What is read of an element: its attributes, and the elements in it that are looked at.
struct Known {
  std::string_view name, attributes, children;  // separated by blanks
};
// Why a thing is left out, where there is more to say than that it is not supported. Attributes
// are named element@attribute.
struct Reason {
  std::string_view name, words;
};

// Warns of all elements and attributes below `root` that are not known; what is in an unknown
// element is not looked at.
void warn_of_unknown(const XmlElement& root, const std::vector<Known>& known,
                     const std::vector<Reason>& reasons, Warnings& warnings);

}  // namespace pliant::robots
