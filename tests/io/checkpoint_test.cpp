// Checkpoints: exact round trip; every truncation and thousands of random damages are refused in
// words; a damaged newest one falls back to the one before.
#include <pliant/core/error.hpp>
#include <pliant/io/checkpoint.hpp>
#include <pliant/io/encoding.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <random>

namespace pliant {
namespace {

using fixtures::names_in;
using fixtures::ScratchFolder;
using Names = std::vector<std::string>;

Checkpoint example() {
  Checkpoint checkpoint;
  checkpoint.arrays["q"] = {0.1, -0.0, 5e-324, std::numeric_limits<double>::max()};
  checkpoint.arrays["empty"] = {};
  checkpoint.integers["seed"] = std::numeric_limits<std::int64_t>::min();
  checkpoint.texts["note"] = std::string("with a zero \0 byte", 18);
  checkpoint.texts[""] = "";
  return checkpoint;
}

void put_word(std::vector<std::byte>& bytes, std::size_t at, std::uint64_t word) {
  std::memcpy(bytes.data() + at, &word, sizeof word);
}

// Makes the length and the checksum right again, so that damage reaches the code behind them.
void reseal(std::vector<std::byte>& bytes) {
  if (bytes.size() < 40) return;
  put_word(bytes, 16, bytes.size());
  put_word(bytes, bytes.size() - 8, xxh64(std::span(bytes).first(bytes.size() - 8)));
}

std::string refusal(std::span<const std::byte> bytes) {
  try {
    decode_checkpoint(bytes, "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> warnings_of(const std::filesystem::path& folder,
                                     std::optional<Checkpoint>& read) {
  std::vector<std::string> warnings;
  read = read_newest(folder, Log([&](const LogEntry& entry) { warnings.push_back(entry.text); }));
  return warnings;
}

TEST(CheckpointFormat, EverythingComesBackWithTheSameBits) {
  Checkpoint checkpoint = example();
  const Checkpoint read = decode_checkpoint(encode_checkpoint(checkpoint), "file");
  EXPECT_EQ(read, checkpoint);
  EXPECT_TRUE(std::signbit(read.array("q")[1]));
  checkpoint.arrays["q"] = {std::bit_cast<double>(0x7ff8000000000123)};  // a NaN with a payload
  const auto bits = decode_checkpoint(encode_checkpoint(checkpoint), "file").array("q")[0];
  EXPECT_EQ(std::bit_cast<std::uint64_t>(bits), 0x7ff8000000000123u);
  EXPECT_EQ(decode_checkpoint(encode_checkpoint({}), "file"), Checkpoint{});
}

TEST(CheckpointFormat, NamesWhatIsMissing) {
  const Checkpoint checkpoint = example();
  EXPECT_EQ(checkpoint.integer("seed"), std::numeric_limits<std::int64_t>::min());
  EXPECT_THROW(checkpoint.array("v"), InputError);
  EXPECT_THROW(checkpoint.integer("q"), InputError);
  EXPECT_THROW(checkpoint.text("q"), InputError);
}

TEST(CheckpointFormat, EveryTruncationIsRefused) {
  const auto bytes = encode_checkpoint(example());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_NE(refusal(std::span(bytes).first(n)), "") << n;
}

TEST(CheckpointFormat, EveryFlippedBitIsRefused) {
  auto bytes = encode_checkpoint(example());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    EXPECT_NE(refusal(bytes), "") << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
  }
  EXPECT_EQ(refusal(bytes), "");
}

TEST(CheckpointFormat, SaysWhatIsWrong) {
  const auto whole = encode_checkpoint(example());
  const auto changed = [&](std::size_t at, unsigned char value) {
    auto bytes = whole;
    bytes[at] = static_cast<std::byte>(value);
    reseal(bytes);
    return refusal(bytes);
  };
  EXPECT_EQ(changed(0, 'X'), "file: is not a checkpoint of Pliant");
  EXPECT_NE(changed(8, 9).find("has checkpoint format 9"), std::string::npos);
  EXPECT_NE(changed(12, 1).find("byte order"), std::string::npos);
  auto bytes = whole;
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(refusal(bytes), "file: damaged checkpoint: the checksum does not match");
  bytes = whole;
  bytes.pop_back();
  EXPECT_NE(refusal(bytes).find("its header says"), std::string::npos);
}

// Lengths that lie, under a checksum that is right: refused without allocating them.
TEST(CheckpointFormat, DamageUnderARightChecksumNeverCrashes) {
  const auto whole = encode_checkpoint(example());
  std::mt19937_64 random(5);
  int refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    auto bytes = whole;
    for (std::uint64_t k = random() % 3 + 1; k > 0; --k) {
      const std::size_t at = 24 + random() % (bytes.size() - 40);
      if (random() % 2 == 0)
        put_word(bytes, at, random() >> random() % 64);
      else
        bytes[at] ^= static_cast<std::byte>(1u << random() % 8);
    }
    if (random() % 4 == 0) bytes.resize(bytes.size() - random() % (bytes.size() - 40));
    reseal(bytes);
    refused += refusal(bytes).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 10000);
  EXPECT_LT(refused, 20000);  // damage inside the numbers is data like any other
}

TEST(Checkpoints, KeepTheLastThree) {
  const ScratchFolder scratch;
  for (const std::int64_t step : {0, 40, 80, 120, 1000000})
    write_checkpoint(scratch.path(), step, example());
  EXPECT_EQ(names_in(scratch.path()),
            (Names{"checkpoint_000080.bin", "checkpoint_000120.bin", "checkpoint_1000000.bin"}));
  std::optional<Checkpoint> read;
  EXPECT_TRUE(warnings_of(scratch.path(), read).empty());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->integer("step"), 1000000);
  EXPECT_EQ(read->arrays, example().arrays);
}

TEST(Checkpoints, OtherNamesAreNotOurs) {
  for (const char* name :
       {"checkpoint_12.bin", "checkpoint_0000012.bin", "checkpoint_-00012.bin",
        "checkpoint_000012.bin~", "checkpoint_.bin", "checkpoint_00001x.bin", ""})
    EXPECT_FALSE(checkpoint_step(name)) << name;
  EXPECT_EQ(checkpoint_step("checkpoint_000012.bin"), 12);
}

TEST(Checkpoints, ADamagedNewestFallsBackAndSaysSo) {
  const ScratchFolder scratch;
  for (const std::int64_t step : {1, 2, 3}) write_checkpoint(scratch.path(), step, example());
  std::filesystem::resize_file(scratch.path() / "checkpoint_000003.bin", 50);
  std::optional<Checkpoint> read;
  auto warnings = warnings_of(scratch.path(), read);
  EXPECT_EQ(read->integer("step"), 2);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("checkpoint_000003.bin: damaged checkpoint"), std::string::npos);

  std::string text = fixtures::read_text(scratch.path() / "checkpoint_000002.bin");
  text[text.size() / 2] ^= 4;
  fixtures::write_text(scratch.path() / "checkpoint_000002.bin", text);
  warnings = warnings_of(scratch.path(), read);
  EXPECT_EQ(read->integer("step"), 1);
  EXPECT_EQ(warnings.size(), 2u);

  std::filesystem::resize_file(scratch.path() / "checkpoint_000001.bin", 0);
  EXPECT_THROW(warnings_of(scratch.path(), read), InputError);
}

TEST(Checkpoints, AnEmptyFolderHasNone) {
  const ScratchFolder scratch;
  EXPECT_FALSE(read_newest(scratch.path(), Log()));
}

TEST(Checkpoints, OnAFullDiskTheOldOnesStay) {
  const ScratchFolder scratch;
  EXPECT_EQ(fixtures::status_in_child([&] {
              fixtures::fill_disk_at(scratch.path(), 1 << 16, 1 << 16);
              write_checkpoint(scratch.path(), 1, example());
              Checkpoint large;
              large.arrays["q"].resize(100000, 1.5);
              try {
                write_checkpoint(scratch.path(), 2, large);
                return 1;
              } catch (const WriteError&) {
              }
              const auto read = read_newest(scratch.path(), Log());
              if (!read || read->integer("step") != 1) return 2;
              return names_in(scratch.path()) == Names{"checkpoint_000001.bin"} ? 0 : 3;
            }),
            0);
}

}  // namespace
}  // namespace pliant
