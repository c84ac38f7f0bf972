// One moment of a run as pages see it: places of the surface's vertices and the fields that were
// asked for. Immutable once made and shared by all who still send it. The binary form is that of
// docs/viewer-protocol.md; against what a page has, only the vertices that changed are sent.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class Field : std::uint32_t { none, velocity, stress, det, error, contact_force };
constexpr std::size_t kFields = 6;

// By the names of the protocol: "body" and "none" are none; nothing for an unknown name.
std::optional<Field> field_named(std::string_view name);

struct Frame {
  double time = 0;                                 // s
  std::vector<float> positions;                    // m, three per vertex
  std::array<std::vector<float>, kFields> fields;  // by Field, one per vertex; empty: not there
  std::optional<std::array<float, 6>> grabbed;     // m, the point that is pulled and its target

  bool has(Field field) const { return !fields[static_cast<std::size_t>(field)].empty(); }
  const std::vector<float>& values(Field field) const {
    return fields[static_cast<std::size_t>(field)];
  }
};

struct FrameLabel {
  std::uint32_t run = 0, number = 0;
  Field field = Field::none;  // sent where the frame has it
};

// Whole where `before` is null, or where that is shorter; else what changed since `before`, which
// the page must have with the same field.
std::string encode_frame(const Frame& frame, const FrameLabel& label,
                         const Frame* before = nullptr);

}  // namespace pliant
