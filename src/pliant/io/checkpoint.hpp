// What `--resume` needs, in one file that is either whole or refused: named arrays, integers and
// texts in a binary container with magic, format version, byte-order mark, total length and an
// XXH64 checksum at the end. Doubles keep their bits, so a resumed run equals an uninterrupted one.
//
//   "PliantCk"  u32 version  u32 0x01020304  u64 bytes of the file  u64 sections
//   sections:   u64 kind  u64 bytes of the name  name  u64 items  items
//   u64 XXH64 of everything before it
#pragma once

#include <pliant/core/log.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct Checkpoint {
  std::map<std::string, std::vector<double>> arrays;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, std::string> texts;

  // The entry of that name; InputError where there is none.
  const std::vector<double>& array(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  const std::string& text(const std::string& name) const;

  bool operator==(const Checkpoint&) const = default;
};

std::vector<std::byte> encode_checkpoint(const Checkpoint& checkpoint);

// InputError, beginning with `where`, for anything that is not a whole checkpoint of this version
// and byte order. Nothing is allocated from a length that was not checked against the bytes there
// are.
Checkpoint decode_checkpoint(std::span<const std::byte> bytes, std::string_view where);

inline constexpr std::size_t checkpoints_kept = 3;

std::string checkpoint_file_name(std::int64_t step);                      // checkpoint_000120.bin
std::optional<std::int64_t> checkpoint_step(std::string_view file_name);  // the inverse
std::vector<std::int64_t> checkpoint_steps(const std::filesystem::path& folder);  // ascending

// Atomically, as the checkpoint of that step, of which it also notes the number as integer "step";
// then removes all but the last three.
void write_checkpoint(const std::filesystem::path& folder, std::int64_t step,
                      Checkpoint checkpoint);

Checkpoint read_checkpoint(const std::filesystem::path& path);

// The newest one that is whole; each damaged one on the way is said to the log. Nothing where there
// are none; InputError where there are some and none can be read.
std::optional<Checkpoint> read_newest(const std::filesystem::path& folder, const Log& log);

}  // namespace pliant
