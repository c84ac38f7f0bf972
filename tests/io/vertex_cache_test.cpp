// Vertex caches: what is written comes back, and files that are broken are refused with the place.
#include <pliant/core/error.hpp>
#include <pliant/io/vertex_cache.hpp>

#include "io/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace pliant {
namespace {

using ::testing::HasSubstr;

template <class T>
std::string bytes_of(T value, bool big) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big) std::reverse(bytes.begin(), bytes.end());
  return {bytes.data(), bytes.size()};
}

std::string mdd(std::int32_t frames, std::int32_t points, const std::vector<float>& numbers) {
  std::string out = bytes_of(frames, true) + bytes_of(points, true);
  for (const float x : numbers) out += bytes_of(x, true);
  return out;
}

struct Pc2 {
  std::int32_t version = 1, points = 2, samples = 2;
  float first = 10, rate = 0.5;
  std::vector<float> numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::string bytes() const {
    std::string out = std::string("POINTCACHE2", 12) + bytes_of(version, false) +
                      bytes_of(points, false) + bytes_of(first, false) + bytes_of(rate, false) +
                      bytes_of(samples, false);
    for (const float x : numbers) out += bytes_of(x, false);
    return out;
  }
};

struct VertexCacheFile : ::testing::Test {
  VertexCache read(const std::string& name, const std::string& content) {
    std::ofstream(folder.path() / name, std::ios::binary) << content;
    return read_vertex_cache(folder.path() / name);
  }
  std::string refusal(const std::string& name, const std::string& content) {
    try {
      read(name, content);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }
  fixtures::ScratchFolder folder;
};

TEST_F(VertexCacheFile, MddHasTimesAndPlaces) {
  const VertexCache cache = read("a.mdd", mdd(2, 1, {0.5, 0.75, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(cache.points, 1u);
  EXPECT_EQ(cache.times, (std::vector<double>{0.5, 0.75}));
  EXPECT_EQ(cache.places, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(cache.times_are_frames);
}

TEST_F(VertexCacheFile, Pc2CountsFrames) {
  const VertexCache cache = read("a.PC2", Pc2{}.bytes());
  EXPECT_EQ(cache.points, 2u);
  EXPECT_EQ(cache.times, (std::vector<double>{10, 10.5}));
  EXPECT_EQ(cache.places, Pc2{}.numbers);
  EXPECT_TRUE(cache.times_are_frames);
}

TEST_F(VertexCacheFile, WrongNumbersAreRefusedWithTheByte) {
  EXPECT_THAT(refusal("a.mdd", mdd(0, 1, {})), HasSubstr("a.mdd: byte 0: holds no frames"));
  EXPECT_THAT(refusal("a.mdd", mdd(1, 0, {0})),
              HasSubstr("a.mdd: byte 0: claims 1 frames, but only"));
  EXPECT_THAT(refusal("a.mdd", mdd(1, 0, {0, 1, 2, 3})),
              HasSubstr("a.mdd: byte 4: holds no points"));
  EXPECT_THAT(refusal("a.mdd", mdd(-3, 1, {0, 1, 2, 3})), HasSubstr("is negative: -3"));
  EXPECT_THAT(refusal("a.mdd", mdd(2147483647, 2147483647, {0, 1, 2, 3})),
              HasSubstr("claims 2147483647 frames, but only 20 bytes are left"));
  EXPECT_THAT(refusal("a.mdd", mdd(1, 2147483647, {0, 1, 2, 3})),
              HasSubstr("byte 4: claims 2147483647 points"));
  EXPECT_THAT(refusal("a.mdd", mdd(2, 1, {0, 0, 1, 2, 3, 4, 5, 6})),
              HasSubstr("byte 12: the time of frame 1, 0 s, is not above"));
  EXPECT_THAT(refusal("a.mdd", mdd(1, 1, {0, 1, 2, 3, 4})),
              HasSubstr("1 frames of 1 points take 12 bytes, but 16 are left"));
  EXPECT_THAT(refusal("a.mdd", mdd(1, 1, {0, 1, std::numeric_limits<float>::quiet_NaN(), 3})),
              HasSubstr("byte 16: a position is not finite"));
  EXPECT_THAT(refusal("a.mdd", "abc"), HasSubstr("the file ends where the number of frames"));
  EXPECT_THAT(refusal("a.mdd", ""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("a.abc", "x"), HasSubstr("vertex caches are .mdd or .pc2 files"));

  EXPECT_THAT(refusal("a.pc2", mdd(2, 1, {0.5, 0.75, 1, 2, 3, 4, 5, 6})),
              HasSubstr("is no PC2 file"));
  EXPECT_THAT(refusal("a.pc2", Pc2{.version = 2}.bytes()), HasSubstr("byte 12: is of version 2"));
  EXPECT_THAT(refusal("a.pc2", Pc2{.points = 0}.bytes()), HasSubstr("byte 16: holds no points"));
  EXPECT_THAT(refusal("a.pc2", Pc2{.samples = 0}.bytes()), HasSubstr("byte 28: holds no samples"));
  EXPECT_THAT(refusal("a.pc2", Pc2{.samples = 3}.bytes()), HasSubstr("claims 3 samples"));
  EXPECT_THAT(refusal("a.pc2", Pc2{.samples = 1}.bytes()), HasSubstr("but 48 are left"));
  EXPECT_THAT(refusal("a.pc2", Pc2{.rate = 0}.bytes()), HasSubstr("byte 24: frames per sample"));
}

// Every file that is cut short somewhere is refused, and none makes the reader fall over.
TEST_F(VertexCacheFile, CutShortAnywhereIsRefused) {
  for (const auto& [name, whole] :
       {std::pair<std::string, std::string>{"a.mdd", mdd(2, 1, {0.5, 0.75, 1, 2, 3, 4, 5, 6})},
        {"a.pc2", Pc2{}.bytes()}}) {
    EXPECT_EQ(refusal(name, whole), "");
    for (std::size_t n = 0; n < whole.size(); ++n)
      EXPECT_NE(refusal(name, whole.substr(0, n)), "") << name << " of " << n << " bytes";
  }
}

}  // namespace
}  // namespace pliant
