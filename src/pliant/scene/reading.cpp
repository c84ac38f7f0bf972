#include <pliant/scene/reading.hpp>

#include <fmt/format.h>

namespace pliant::reading {
namespace {

bool increasing(const std::vector<double>& times, const std::string& at, Reader& reader) {
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] <= times[i - 1]) {
      reader.problems.add(
          fmt::format("{}/{}/0", at, i),
          fmt::format("must be above the one before, {}, got {}", times[i - 1], times[i]));
      return false;
    }
  return true;
}

}  // namespace

Vec3 vec3(const Json& value) {
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

Mat3 mat3(const Json& value) {
  Mat3 matrix;
  for (int i = 0; i < 3; ++i) matrix.row(i) = vec3(value[static_cast<std::size_t>(i)]).transpose();
  return matrix;
}

void Reader::add_problem(const Json& record, const std::string& at, std::string_view what) {
  const std::string key(what.substr(0, what.find(": ")));
  if (record.contains(key))
    problems.add(pointer_to(at, key), what.substr(key.size() + 2));
  else
    problems.add(at, what);
}

FilePath file_path(const Json& value, const Reader& reader) {
  const auto& written = value.get_ref<const std::string&>();
  return {written, (reader.base_folder / written).lexically_normal()};
}

Curve curve(const Json& rows, const std::string& at, Reader& reader, Curve::Between between) {
  std::vector<double> times;
  std::vector<Vec3> values;
  for (const Json& row : rows) {
    times.push_back(row[0].get<double>());
    Vec3& value = values.emplace_back(Vec3::Zero());
    for (std::size_t i = 1; i < row.size(); ++i)
      value[static_cast<Eigen::Index>(i - 1)] = row[i].get<double>();
  }
  if (!increasing(times, at, reader)) return {};
  return {std::move(times), std::move(values), between};
}

Selection selection(const Json& record, const std::string& at, Reader& reader) {
  if (const auto nested = record.find("selection"); nested != record.end())
    return selection(*nested, at + "/selection", reader);
  if (const auto box = record.find("box"); box != record.end()) {
    const SelectBox chosen{vec3(box->at("min")), vec3(box->at("max"))};
    for (int i = 0; i < 3; ++i)
      if (chosen.min[i] > chosen.max[i])
        reader.problems.add(
            fmt::format("{}/box/max/{}", at, i),
            fmt::format("must be at least min, {}, got {}", chosen.min[i], chosen.max[i]));
    return chosen;
  }
  if (const auto sphere = record.find("sphere"); sphere != record.end())
    return SelectSphere{vec3(sphere->at("center")), sphere->at("radius").get<double>()};
  if (const auto plane = record.find("plane"); plane != record.end()) {
    const SelectPlane chosen{vec3(plane->at("point")), vec3(plane->at("normal"))};
    if (chosen.normal.isZero(0)) reader.problems.add(at + "/plane/normal", "must not be zero");
    return chosen;
  }
  if (record.contains("region")) return SelectRegion{record.at("region").get<std::string>()};
  if (record.contains("node_set")) return SelectNodeSet{record.at("node_set").get<std::string>()};
  if (record.contains("nodes")) return SelectNodes{record.at("nodes").get<std::vector<Index>>()};
  return SelectAll{};
}

}  // namespace pliant::reading
