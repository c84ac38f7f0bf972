#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pliant/core/error.hpp>
#include <pliant/io/mesh_cursor.hpp>

#include <cmath>
#include <functional>

namespace pliant {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(FileCursor, WordsKeepTheirLine) {
  FileCursor cursor("f", "one # two\n\n  three\r\nfour", '#');
  EXPECT_EQ(cursor.word("a word"), "one");
  EXPECT_FALSE(cursor.on_this_line());
  EXPECT_EQ(cursor.word("a word"), "three");
  EXPECT_EQ(cursor.where(), "f:3");
  EXPECT_EQ(cursor.peek(), "four");
  EXPECT_EQ(cursor.where(), "f:3");
  EXPECT_EQ(cursor.rest_of_line(), "");
  EXPECT_EQ(cursor.rest_of_line(), "four");
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(error_of([&] { cursor.word("a fifth"); }),
            "f:4: the file ends where a fifth is expected");
}

TEST(FileCursor, RealsOfEveryUsualFormAreRead) {
  FileCursor cursor("f", "1 -2.5 +3 .5 4. 1e3 1E-3 -0 1e-400 4.9e-324 1.7976931348623157e308");
  for (const double expected :
       {1., -2.5, 3., .5, 4., 1e3, 1e-3, -0., 0., 4.9e-324, 1.7976931348623157e308})
    EXPECT_EQ(cursor.number<double>("a real"), expected);
}

TEST(FileCursor, WhatIsNoFiniteRealIsRefused) {
  for (const std::string text : {"nan", "inf", "-inf", "1e999", "NaN", "infinity", "1,5", "0x1p3",
                                 "1e", "--1", "+-1", "e5", "1d3", "one"})
    EXPECT_NE(error_of([&] { FileCursor("f", text).number<double>("a real"); }), "none") << text;
}

TEST(FileCursor, IntegersThatDoNotFitTheirTypeAreRefused) {
  const auto fits = [](auto type, std::string_view text) {
    return error_of([&] { FileCursor("f", text).number<decltype(type)>("n"); }) == "none";
  };
  EXPECT_TRUE(fits(std::int32_t{}, "2147483647"));
  EXPECT_FALSE(fits(std::int32_t{}, "2147483648"));
  EXPECT_TRUE(fits(std::int32_t{}, "-2147483648"));
  EXPECT_FALSE(fits(std::uint32_t{}, "-1"));
  EXPECT_TRUE(fits(std::uint32_t{}, "4294967295"));
  EXPECT_FALSE(fits(std::uint64_t{}, "-1"));
  EXPECT_TRUE(fits(std::int64_t{}, "9223372036854775807"));
  EXPECT_FALSE(fits(std::int64_t{}, "9223372036854775808"));
  EXPECT_FALSE(fits(std::int32_t{}, "1.0"));
}

TEST(FileCursor, BytesAreReadInEitherOrderAndNeverPastTheEnd) {
  const std::string_view bytes("\x01\x02\x03\x04\x3f\x80\x00\x00", 8);
  FileCursor big("f", bytes);
  big.coding = Coding::big;
  EXPECT_EQ(big.number<std::int32_t>("n"), 0x01020304);
  EXPECT_EQ(big.number<float>("x"), 1.0F);
  EXPECT_EQ(error_of([&] { big.number<std::uint8_t>("n"); }),
            "f: byte 8: the file ends where n is expected");
  FileCursor little("f", bytes);
  little.coding = Coding::little;
  EXPECT_EQ(little.number<std::uint16_t>("n"), 0x0201);
  EXPECT_EQ(error_of([&] { little.number<double>("x"); }),
            "f: byte 2: the file ends where x is expected");
}

TEST(FileCursor, CountsAreComparedWithTheBytesLeft) {
  const FileCursor cursor("f", "0123456789");
  EXPECT_EQ(cursor.checked_count(5, 2, "things"), 5U);
  EXPECT_EQ(error_of([&] { cursor.checked_count(6, 2, "things"); }),
            "f:1: claims 6 things, but only 10 bytes are left");
  EXPECT_NE(error_of([&] { cursor.checked_count(std::int64_t{1} << 62, 8, "things"); }), "none");
  EXPECT_NE(error_of([&] { cursor.checked_count(-1, 8, "things"); }), "none");
}

TEST(FileCursor, OddCharactersDoNotReachMessages) {
  EXPECT_EQ(in_quotes("a\nb\x01\xff"), "\"a?b??\"");
  EXPECT_LT(in_quotes(std::string(10000, 'x')).size(), 50U);
}

}  // namespace
}  // namespace pliant
