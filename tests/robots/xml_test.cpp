#include <pliant/core/error.hpp>
#include <pliant/robots/warnings.hpp>
#include <pliant/robots/xml.hpp>

#include <gmock/gmock.h>

namespace pliant::robots {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(std::string_view text) {
  try {
    parse_xml(text, "robot.urdf");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Xml, ElementsKnowTheirLines) {
  const XmlElement root = parse_xml("<a>\n  <b x='1 2 3'/>\n\n  <c> text </c>\n</a>", "robot.urdf");
  EXPECT_EQ(root.name, "a");
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.children[0].where(), "robot.urdf:2");
  EXPECT_EQ(root.children[1].where(), "robot.urdf:4");
  EXPECT_EQ(*optional_vec3(root.children[0], "x"), Vec3(1, 2, 3));
  EXPECT_FALSE(optional_vec3(root.children[0], "y").has_value());
}

TEST(Xml, WhatIsNotXmlIsRefusedWithItsLine) {
  EXPECT_THAT(refusal(""), StartsWith("robot.urdf:1: "));
  EXPECT_THAT(refusal("hello"), StartsWith("robot.urdf:1: "));
  EXPECT_THAT(refusal("<a>\n<b>\n</a>"), StartsWith("robot.urdf:2: "));
  EXPECT_THAT(refusal("<a/>\n<b/>"), HasSubstr("a second element"));
  EXPECT_THAT(refusal("<a x='1' x='2'/>"), HasSubstr("twice"));
  EXPECT_THAT(refusal(std::string("<a>\n\0</a>", 10)), HasSubstr("NUL"));
}

TEST(Xml, EntitiesAndDocumentTypesAreRefused) {
  const std::string bomb =
      "<?xml version='1.0'?>\n<!DOCTYPE lolz [\n<!ENTITY lol 'lol'>\n"
      "<!ENTITY lol2 "
      "'&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;'>\n]>\n<robot>&lol2;</robot>";
  EXPECT_THAT(refusal(bomb), StartsWith("robot.urdf:"));
  EXPECT_THAT(refusal("<!DOCTYPE robot>\n<robot/>"), HasSubstr("document types"));
  EXPECT_THAT(refusal("<robot><!ENTITY x 'y'></robot>"), HasSubstr("document types"));
}

TEST(Xml, DeepNestingIsRefused) {
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "<a>";
  EXPECT_THAT(refusal(deep), HasSubstr("nested deeper"));
}

TEST(Xml, NumbersAreFiniteAndNothingElse) {
  for (const char* wrong :
       {"nan", "inf", "-inf", "1e999", "one", "1,5", "0x10", "", "1 2", "--1"}) {
    const XmlElement element = parse_xml(std::string("<a x='") + wrong + "'/>", "robot.urdf");
    EXPECT_THROW((void)optional_number(element, "x"), InputError) << wrong;
  }
  EXPECT_EQ(*optional_number(parse_xml("<a x=' +1.5e1 '/>", ""), "x"), 15);
}

TEST(Warnings, EachKindOnceWithItsCount) {
  const XmlElement root =
      parse_xml("<r>\n<k a='1' b='2'/>\n<u><k/></u>\n<k b='3'/>\n<u/>\n<u/></r>", "f");
  Warnings warnings;
  warn_of_unknown(root, {{"r", "", "k"}, {"k", "a", ""}}, {{"u", "is for others"}}, warnings);
  EXPECT_THAT(warnings.in_words(),
              ::testing::ElementsAre(
                  "f:2: the attribute \"b\" of <k> is not supported and left out (2 of them)",
                  "f:3: <u> is for others (3 of them)"));
}

}  // namespace
}  // namespace pliant::robots
