// Base64 against the examples of RFC 4648, the block layout against hand-made headers, and both
// against damaged input: an answer or InputError, never a crash or a huge allocation.
#include <pliant/core/error.hpp>
#include <pliant/io/encoding.hpp>

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <random>

namespace pliant {
namespace {

std::vector<std::byte> random_bytes(std::size_t n, unsigned seed, int values = 256) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(n);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() % static_cast<unsigned>(values));
  return bytes;
}

std::vector<std::byte> copy_of(std::string_view text) {
  const auto bytes = bytes_of(text);
  return {bytes.begin(), bytes.end()};
}

TEST(Base64, AgreesWithTheExamplesOfRfc4648) {
  const std::pair<std::string_view, std::string_view> examples[] = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : examples) {
    EXPECT_EQ(base64_encode(bytes_of(plain)), text);
    EXPECT_EQ(base64_decode(text), copy_of(plain));
  }
}

TEST(Base64, RoundTripsEveryLengthAndByte) {
  for (std::size_t n = 0; n < 300; ++n) {
    const auto bytes = random_bytes(n, static_cast<unsigned>(n));
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
  }
}

TEST(Base64, SkipsWhiteSpaceAsXmlMayHoldIt) {
  EXPECT_EQ(base64_decode("\n  Zm9v\r\n\tYm\nFy  \n"), copy_of("foobar"));
}

TEST(Base64, RefusesWhatIsNotBase64) {
  for (const std::string_view text : {"Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zm9v!",
                                      "Zg==Zg==", "Zh==", "Zm9=", "Zm\xff=", "Z=g="})
    EXPECT_THROW(base64_decode(text), InputError) << text;
}

TEST(VtkBlocks, RoundTripSizesAroundTheBlockSize) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{65535},
                              std::size_t{65536}, std::size_t{65537}, std::size_t{200000}}) {
    const auto bytes = random_bytes(n, 7, 5);
    const auto packed = vtk_compress(bytes);
    EXPECT_EQ(vtk_decompress(packed, 8), bytes) << n;
    EXPECT_LT(packed.size(), n / 2 + 100) << "five values need under three bits each";
  }
}

TEST(VtkBlocks, HeaderIsThatOfTheFormat) {
  const auto packed = vtk_compress(random_bytes(65536 + 10, 1));
  std::uint64_t words[5];
  ASSERT_GE(packed.size(), sizeof words);
  std::memcpy(words, packed.data(), sizeof words);
  EXPECT_EQ(words[0], 2u);
  EXPECT_EQ(words[1], 65536u);
  EXPECT_EQ(words[2], 10u);
  EXPECT_EQ(vtk_header_size(packed), sizeof words);
  EXPECT_EQ(sizeof words + words[3] + words[4], packed.size());
}

// A block layout written by hand with zlib alone, with words of four bytes.
TEST(VtkBlocks, ReadsWordsOfFourBytes) {
  const auto bytes = random_bytes(1500, 3);
  std::vector<std::byte> packed(4 * 5), blocks;
  std::uint32_t words[5] = {2, 1000, 500, 0, 0};
  for (int k = 0; k < 2; ++k) {
    uLongf size = compressBound(1000);
    std::vector<std::byte> out(size);
    ASSERT_EQ(
        compress(reinterpret_cast<Bytef*>(out.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data() + 1000 * k), k == 0 ? 1000 : 500),
        Z_OK);
    words[3 + k] = static_cast<std::uint32_t>(size);
    blocks.insert(blocks.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size));
  }
  std::memcpy(packed.data(), words, sizeof words);
  packed.insert(packed.end(), blocks.begin(), blocks.end());
  EXPECT_EQ(vtk_decompress(packed, 4), bytes);
}

TEST(VtkBlocks, RefuseLengthsThatCannotBe) {
  const auto header = [](std::initializer_list<std::uint64_t> words) {
    const auto bytes = std::as_bytes(std::span(words.begin(), words.size()));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  for (const auto& bad : {header({}), header({1}), header({1, 8}), header({huge, 8, 0}),
                          header({1, huge, 0, 4}), header({2, huge, 0, 4, 4}), header({1, 0, 0, 0}),
                          header({1, 8, 9, 0}), header({1, 8, 0, huge}),
                          header({1, 1u << 30, 0, 8, 0}), header({2, huge / 2 + 1, 0, 4, 4})})
    EXPECT_THROW(vtk_decompress(bad, 8), InputError);
  EXPECT_THROW(vtk_decompress(header({0, 0, 0}), 3), InputError);
  const auto packed = vtk_compress(random_bytes(5000, 9));
  EXPECT_THROW(vtk_decompress(packed, 8, 4999), InputError);
  EXPECT_EQ(vtk_decompress(packed, 8, 65536).size(), 5000u);
}

TEST(VtkBlocks, DamagedBytesGiveAnErrorOrTheRightAnswer) {
  const auto bytes = random_bytes(3000, 5, 20);
  const auto packed = vtk_compress(bytes);
  std::mt19937 random(11);
  int refused = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    auto damaged = packed;
    damaged[random() % damaged.size()] ^= static_cast<std::byte>(1u << random() % 8);
    if (trial % 3 == 0) damaged.resize(random() % damaged.size());
    try {
      const auto answer = vtk_decompress(damaged, 8);
      EXPECT_TRUE(answer == bytes || answer.empty());  // empty: the number of blocks became zero
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1900);  // adler32 sees all but a few bits, such as those of zlib's level hint
}

TEST(Xxh64, AgreesWithThePublishedValueForNoBytes) {
  EXPECT_EQ(hex(xxh64({})), "ef46db3751d8e999");
  EXPECT_NE(xxh64(bytes_of("a")), xxh64(bytes_of("b")));
}

}  // namespace
}  // namespace pliant
