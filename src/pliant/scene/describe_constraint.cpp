#include <pliant/scene/reading.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

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

void read_limits(const Json& record, const std::string& at, Reader& reader,
                 ConstraintDescription& out) {
  const auto limits = record.at("limits").get<std::array<double, 2>>();
  if (out.type != "hinge" && out.type != "slider" && out.type != "distance")
    reader.problems.add(at, fmt::format("are for hinge, slider and distance, not {}", out.type));
  else if (!(limits[0] <= limits[1]))
    reader.problems.add(
        at, fmt::format("the least, {}, must not be above the largest, {}", limits[0], limits[1]));
  else if (out.type == "hinge" && !(limits[1] - limits[0] < 2 * std::numbers::pi))
    reader.problems.add(at, "are less than a whole turn, 2π, apart");
  else if (out.type == "distance" && limits[0] < 0)
    reader.problems.add(at, fmt::format("a distance is not below 0, got {}", limits[0]));
  out.limits = limits;
}

Motor motor(const Json& record, const std::string& at, const std::string& type, Reader& reader) {
  Motor motor;
  if (type != "hinge" && type != "slider")
    reader.problems.add(at, fmt::format("is for hinge and slider, not {}", type));
  const auto read = [&record](const char* key, double& into) {
    if (record.contains(key)) into = record.at(key).get<double>();
  };
  if (record.contains(type == "hinge" ? "position" : "angle"))
    reader.problems.add(at, fmt::format("a {} is driven to {}", type,
                                        type == "hinge" ? "an \"angle\"" : "a \"position\""));
  read("speed", motor.target.rate);
  motor.by_speed = record.contains("speed");
  read("angle", motor.target.start);
  read("position", motor.target.start);
  if (record.contains("curve"))
    motor.target.curve = curve(record.at("curve"), at + "/curve", reader, Curve::Between::smooth);
  read("max", motor.most);
  read("compliance", motor.compliance);
  read("damping", motor.damping);
  return motor;
}

// What acts on a body as a whole.
void read_body(const Json& record, const std::string& at, Reader& reader,
               ConstraintDescription& out) {
  out.body = record.at("body").get<std::string>();
  if (out.type == "bind") {
    out.selection = selection(record, at, reader);
    out.other_body = record.at("to").get<std::string>();
    if (out.body == *out.other_body)
      reader.problems.add(at + "/to", "a body cannot be bound to itself");
  }
  if (out.type == "volume" && record.contains("rest"))
    out.volume = Target{.start = record.at("rest").get<double>(), .curve = {}};
  if (out.type == "volume" && record.contains("curve")) {
    if (out.volume) reader.problems.add(at + "/curve", "goes without rest, whose place it takes");
    out.volume =
        Target{.curve = curve(record.at("curve"), at + "/curve", reader, Curve::Between::smooth)};
  }
  if (out.type == "edges") out.diagonals = record.at("diagonals").get<bool>();
  if (out.type == "strain")
    out.measure = find_strain_measure(record.at("measure").get_ref<const std::string&>());
}

void read_joint(const Json& record, const std::string& at, Reader& reader,
                ConstraintDescription& out) {
  if (!read_ends(record.at("between"), out))
    reader.problems.add(at + "/between", "must be [body, [x, y, z], body or \"world\", [x, y, z]]");
  constexpr std::array with_axis = {"line", "plane", "hinge", "slider", "universal"};
  const bool has_axis = std::find(with_axis.begin(), with_axis.end(), out.type) != with_axis.end();
  if (record.contains("axis")) {
    const Vec3 axis = vec3(record.at("axis"));
    if (!has_axis)
      reader.problems.add(at + "/axis",
                          fmt::format("is for {}, not {}", fmt::join(with_axis, ", "), out.type));
    else if (axis.isZero(0))
      reader.problems.add(at + "/axis", "must not be zero");
    else
      out.axis = axis.stableNormalized();
  } else if (has_axis) {
    reader.problems.add(at, fmt::format("a {} needs an \"axis\"", out.type));
  }
  if (record.contains("limits")) read_limits(record, at + "/limits", reader, out);
  if (record.contains("motor"))
    out.motor = motor(record.at("motor"), at + "/motor", out.type, reader);
  if (record.contains("rest")) {
    out.rest = record.at("rest").get<double>();
    if (out.type != "distance")
      reader.problems.add(at + "/rest", fmt::format("is for distance, not {}", out.type));
    else if (out.limits)
      reader.problems.add(at + "/rest", "goes without limits, which leave the distance free");
  }
}

// What is hard does not move, and so nothing of it can be damped.
void require_compliance(double damping, double compliance, const std::string& at, Reader& reader) {
  if (damping > 0 && compliance == 0)
    reader.problems.add(at + "/damping", "is for what yields: give it a \"compliance\" above 0");
}

}  // namespace

ConstraintDescription constraint(const Json& record, std::size_t number, Reader& reader) {
  ConstraintDescription out;
  const std::string at = fmt::format("/constraints/{}", number);
  out.where = reader.where(at);
  out.type = record.at("type").get<std::string>();
  out.name = record.value("name", fmt::format("{} {}", out.type, number + 1));
  out.compliance = record.value("compliance", 0.0);
  out.damping = record.value("damping", 0.0);
  require_compliance(out.damping, out.compliance, at, reader);
  if (record.contains("between"))
    read_joint(record, at, reader, out);
  else
    read_body(record, at, reader, out);
  if (out.motor)
    require_compliance(out.motor->damping, out.motor->compliance, at + "/motor", reader);
  return out;
}

}  // namespace pliant::reading
