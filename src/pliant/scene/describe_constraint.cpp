#include <pliant/scene/reading.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::reading {
namespace {

// [body, point, body or "world", point]; false where it is something else.
bool read_ends(const Json& between, ConstraintDescription& out) {
  if (!between[0].is_string() || !between[1].is_array() || !between[2].is_string() ||
      !between[3].is_array())
    return false;
  out.body = between[0].get<std::string>();
  out.point = vec3(between[1]);
  if (const std::string other = between[2].get<std::string>(); other != "world")
    out.other_body = other;
  out.other_point = vec3(between[3]);
  return true;
}

}  // namespace

ConstraintDescription constraint(const Json& record, std::size_t number, Reader& reader) {
  ConstraintDescription out;
  const std::string at = fmt::format("/constraints/{}", number);
  out.where = reader.where(at);
  out.type = record.at("type").get<std::string>();
  out.name = record.value("name", fmt::format("{} {}", out.type, number + 1));
  out.compliance = record.at("compliance").get<double>();
  if (!read_ends(record.at("between"), out))
    reader.problems.add(at + "/between", "must be [body, [x, y, z], body or \"world\", [x, y, z]]");
  const bool has_axis = out.type == "line" || out.type == "plane";
  if (record.contains("axis")) {
    const Vec3 axis = vec3(record.at("axis"));
    if (!has_axis)
      reader.problems.add(at + "/axis", fmt::format("is for line and plane, not {}", out.type));
    else if (!(axis.norm() > 0))
      reader.problems.add(at + "/axis", "must not be zero");
    else
      out.axis = axis.normalized();
  } else if (has_axis) {
    reader.problems.add(at, fmt::format("a {} needs an \"axis\"", out.type));
  }
  if (record.contains("rest")) {
    out.rest = record.at("rest").get<double>();
    if (out.type != "distance")
      reader.problems.add(at + "/rest", fmt::format("is for distance, not {}", out.type));
  }
  return out;
}

}  // namespace pliant::reading
