#include <pliant/view/frame.hpp>

#include <pliant/view/bytes.hpp>

#include <algorithm>
#include <cstring>

namespace pliant {
namespace {

constexpr std::uint32_t kMagic = 0x46544c50, kVersion = 1;  // "PLTF"
constexpr std::uint32_t kWhole = 1, kWithField = 2, kWithGrab = 4;

// Bit by bit, so that not-a-number stays what it is.
bool same(const float* a, const float* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(float)) == 0;
}

std::vector<std::uint32_t> changed_vertices(const Frame& frame, const Frame& before,
                                            const std::vector<float>* values,
                                            const std::vector<float>* values_before) {
  std::vector<std::uint32_t> changed;
  for (std::size_t k = 0; 3 * k < frame.positions.size(); ++k)
    if (!same(&frame.positions[3 * k], &before.positions[3 * k], 3) ||
        (values && !same(&(*values)[k], &(*values_before)[k], 1)))
      changed.push_back(static_cast<std::uint32_t>(k));
  return changed;
}

}  // namespace

std::optional<Field> field_named(std::string_view name) {
  constexpr std::array<std::string_view, kFields> names = {"none", "velocity", "stress",
                                                           "det",  "error",    "contact_force"};
  if (name == "body") return Field::none;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<Field>(found - names.begin());
}

std::string encode_frame(const Frame& frame, const FrameLabel& label, const Frame* before) {
  const std::size_t vertices = frame.positions.size() / 3;
  const std::vector<float>* values = frame.has(label.field) ? &frame.values(label.field) : nullptr;
  bool whole = !before || before->positions.size() != frame.positions.size() ||
               (values && !before->has(label.field));
  std::vector<std::uint32_t> changed;
  if (!whole) {
    changed =
        changed_vertices(frame, *before, values, values ? &before->values(label.field) : nullptr);
    // An index costs as much as a number: three of four vertices with one are a whole frame.
    const std::size_t numbers = values ? 4 : 3;
    whole = changed.size() * (numbers + 1) >= vertices * numbers;
  }
  const std::uint32_t flags =
      (whole ? kWhole : 0) | (values ? kWithField : 0) | (frame.grabbed ? kWithGrab : 0);
  const std::size_t count = whole ? vertices : changed.size();
  std::string out;
  out.reserve(56 + count * 20);
  for (const std::uint32_t word : {kMagic, kVersion, label.run, label.number}) append(out, word);
  append(out, frame.time);
  for (const std::size_t word : {vertices, count}) append(out, static_cast<std::uint32_t>(word));
  append(out, values ? static_cast<std::uint32_t>(label.field) : 0);
  append(out, flags);
  float smallest = 0, largest = 0;
  if (values && !values->empty()) {
    const auto [low, high] = std::minmax_element(values->begin(), values->end());
    smallest = *low, largest = *high;
  }
  append(out, smallest);
  append(out, largest);
  if (whole) {
    append_all(out, frame.positions);
    if (values) append_all(out, *values);
  } else {
    append_all(out, changed);
    for (const std::uint32_t k : changed)
      out.append(reinterpret_cast<const char*>(&frame.positions[3 * std::size_t{k}]), 12);
    if (values)
      for (const std::uint32_t k : changed) append(out, (*values)[k]);
  }
  if (frame.grabbed) append(out, *frame.grabbed);
  return out;
}

}  // namespace pliant
