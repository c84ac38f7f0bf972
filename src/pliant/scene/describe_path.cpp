// Springs, tendons and muscles.
#include <pliant/scene/reading.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::reading {
namespace {

// {body: share, …}, scaled to 1 in all.
std::vector<BodyShare> read_shares(const Json& shares, const std::string& at, Reader& reader) {
  std::vector<BodyShare> carriers;
  double sum = 0;
  for (const auto& [body, share] : shares.items()) {
    if (body == "world") reader.problems.add(at, "\"world\" cannot share a point with bodies");
    carriers.push_back({body, share.get<double>()});
    sum += carriers.back().share;
  }
  if (!(sum > 0)) reader.problems.add(at, "at least one body must have a share above 0");
  for (BodyShare& carrier : carriers) carrier.share /= sum;
  return carriers;
}

// Items k and k + 1 of a list: a name, or shares of several bodies, and a point.
bool read_point(const Json& items, std::size_t k, const std::string& at, Reader& reader,
                PathDescription& out) {
  if (items[k].is_array() || !items[k + 1].is_array()) return false;
  PathPointDescription& point = out.points.emplace_back();
  if (items[k].is_object())
    point.carried_by = read_shares(items[k], fmt::format("{}/{}", at, k), reader);
  else if (const auto name = items[k].get<std::string>(); name != "world")
    point.carried_by = {{name, 1}};
  point.point = vec3(items[k + 1]);
  point.at = fmt::format("{}/{}", at, k);
  point.where = reader.where(fmt::format("{}/{}", at, k + 1));
  return true;
}

void require_a_body(const PathDescription& path, const std::string& at, Reader& reader) {
  if (!path.points.empty() &&
      std::none_of(path.points.begin(), path.points.end(),
                   [](const PathPointDescription& point) { return !point.carried_by.empty(); }))
    reader.problems.add(at, "all its points are in the world: at least one must be on a body");
}

// [body, point, body or "world", point]
void read_between(const Json& between, const std::string& at, Reader& reader,
                  PathDescription& out) {
  if (read_point(between, 0, at, reader, out) && read_point(between, 2, at, reader, out))
    require_a_body(out, at, reader);
  else
    reader.problems.add(at, "must be [body or \"world\", [x, y, z], body or \"world\", [x, y, z]]");
}

// [[body or "world", point], …]
void read_path(const Json& path, const std::string& at, Reader& reader, PathDescription& out) {
  for (std::size_t k = 0; k < path.size(); ++k) {
    const std::string place = fmt::format("{}/{}", at, k);
    if (!read_point(path[k], 0, place, reader, out))
      reader.problems.add(place, "must be [body or \"world\", [x, y, z]]");
  }
  require_a_body(out, at, reader);
}

struct Bounds {
  double least = 0, most = std::numeric_limits<double>::infinity();
};

// Rows [t, value] whose values have bounds.
Curve bounded_curve(const Json& rows, const std::string& at, Reader& reader, Curve::Between between,
                    Bounds bounds) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (const double value = rows[k][1].get<double>(); value < bounds.least || value > bounds.most)
      reader.problems.add(
          fmt::format("{}/{}/1", at, k),
          fmt::format("must be at {} {}, got {}", value < bounds.least ? "least" : "most",
                      value < bounds.least ? bounds.least : bounds.most, value));
  return curve(rows, at, reader, between);
}

Curve constant(double value) { return Curve(Vec3(value, 0, 0)); }

void read_spring(const Json& record, const std::string& at, Reader& reader, PathDescription& out) {
  read_between(record.at("between"), at + "/between", reader, out);
  out.law.stiffness = record.at("stiffness").get<double>();
  out.law.damping = record.at("damping").get<double>();
  out.length_given = record.contains("rest");
  if (out.length_given) out.law.drive = constant(record.at("rest").get<double>());
}

void read_tendon(const Json& record, const std::string& at, Reader& reader, PathDescription& out) {
  read_path(record.at("path"), at + "/path", reader, out);
  out.law.damping = record.at("damping").get<double>();
  out.law.kind = PathKind::tension;
  if (record.contains("tension")) {
    out.law.drive = constant(record.at("tension").get<double>());
  } else if (record.contains("curve")) {
    out.law.drive =
        bounded_curve(record.at("curve"), at + "/curve", reader, Curve::Between::straight, {});
  } else {
    out.law.kind = PathKind::elastic_tendon;
    out.law.stiffness = record.at("stiffness").get<double>();
    const bool length = record.contains("rest_length"), moving = record.contains("rest_curve");
    out.length_given = length || moving;
    if (length && moving)
      reader.problems.add(at + "/rest_curve",
                          "and \"rest_length\" exclude each other: give one of them");
    if (length) out.law.drive = constant(record.at("rest_length").get<double>());
    if (moving)
      out.law.drive = bounded_curve(record.at("rest_curve"), at + "/rest_curve", reader,
                                    Curve::Between::smooth, {});
  }
}

void read_muscle(const Json& record, const std::string& at, Reader& reader, PathDescription& out) {
  read_path(record.at("path"), at + "/path", reader, out);
  out.law.kind = PathKind::muscle;
  out.law.strength = record.at("strength").get<double>();
  out.law.width = record.at("width").get<double>();
  out.law.passive = record.at("passive").get<double>();
  out.law.drive = record.contains("curve") ? bounded_curve(record.at("curve"), at + "/curve",
                                                           reader, Curve::Between::straight, {0, 1})
                                           : constant(record.at("activation").get<double>());
  out.length_given = record.contains("optimal_length");
  if (out.length_given) out.law.optimal = record.at("optimal_length").get<double>();
}

}  // namespace

std::optional<ForceDescription> path_force(const Json& record, std::size_t number,
                                           const std::string& at, Reader& reader) {
  using Read = void (*)(const Json&, const std::string&, Reader&, PathDescription&);
  for (const auto& [key, read] : {std::pair<const char*, Read>{"spring", read_spring},
                                  {"tendon", read_tendon},
                                  {"muscle", read_muscle}})
    if (const auto found = record.find(key); found != record.end()) {
      const std::string place = fmt::format("{}/{}", at, key);
      PathDescription path;
      read(*found, place, reader, path);
      path.name = found->value("name", fmt::format("{} {}", key, number + 1));
      return ForceDescription{std::move(path), reader.where(place)};
    }
  return std::nullopt;
}

}  // namespace pliant::reading
