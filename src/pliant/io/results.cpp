#include <pliant/io/results.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/formats/vtk_cells.hpp>
#include <pliant/io/formats/vtu_numbers.hpp>
#include <pliant/io/obstacle_series.hpp>
#include <pliant/io/pvd.hpp>
#include <pliant/io/thread_series.hpp>
#include <pliant/mesh/body_surfaces.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>

namespace pliant {

namespace fs = std::filesystem;

namespace {

using formats::VtuArray;
using formats::VtuNumbers;

// The times in animation.pvd, up to the first frame whose file is not there.
std::vector<double> frame_times(const fs::path& folder) {
  const std::string text = read_text(folder / animation_file);
  constexpr std::string_view mark = "timestep=\"";
  std::vector<double> times;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    double t = 0;
    if (std::from_chars(text.data() + at, text.data() + text.size(), t).ec != std::errc())
      throw InputError(fmt::format("{}: frame {} has no time", (folder / animation_file).string(),
                                   times.size()));
    if (!is_file(folder / frames_folder / frame_file_name(times.size()))) break;
    times.push_back(t);
  }
  return times;
}

const VtuArray& require(const VtuNumbers& file, std::string_view section, std::string_view name) {
  if (const VtuArray* array = file.find(section, name)) return *array;
  throw InputError(
      fmt::format("{}: has no array \"{}\"; is it a frame of a run?", file.name(), name));
}

std::vector<Vec3> vectors(VtuNumbers& file, const VtuArray& array, std::size_t count) {
  const std::vector<double> x = file.reals(array, "point", 3);
  if (x.size() != 3 * count)
    file.fail(array, fmt::format("has {} numbers for {} points", x.size(), count));
  std::vector<Vec3> result(count);
  for (std::size_t n = 0; n < count; ++n) result[n] = Vec3(x[3 * n], x[3 * n + 1], x[3 * n + 2]);
  return result;
}

// The array, or `standard` throughout where an older file has none.
std::vector<double> scalars(VtuNumbers& file, const VtuArray* array, std::size_t count,
                            double standard) {
  if (!array) return std::vector<double>(count, standard);
  std::vector<double> values = file.reals(*array);
  if (values.size() != count)
    file.fail(*array, fmt::format("has {} values, expected {}", values.size(), count));
  return values;
}

std::optional<ElementType> element_type(std::int64_t vtk) {
  for (const ElementType type : {ElementType::segment2, ElementType::tri3, ElementType::quad4,
                                 ElementType::tet4, ElementType::tet10, ElementType::hex8})
    if (formats::vtk_cell_type(type) == vtk) return type;
  return {};
}

// Cells sorted into blocks of one type, and for each cell of the blocks its place in the file.
class CellSorter {
 public:
  CellSorter(VtuNumbers& file, std::int64_t points)
      : file_(file),
        points_(points),
        nodes_(file.integers(require(file, "Cells", "connectivity"))),
        ends_(file.integers(require(file, "Cells", "offsets"))),
        types_(file.integers(require(file, "Cells", "types"))) {
    if (types_.size() != ends_.size())
      file.fail(fmt::format("{} cells have {} types", ends_.size(), types_.size()));
  }

  std::vector<std::size_t> sort_into(Mesh& mesh) {
    for (std::size_t e = 0; e < ends_.size(); ++e) add(e);
    std::vector<std::size_t> place;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      blocks_[b].region.assign(places_[b].size(), 0);
      place.insert(place.end(), places_[b].begin(), places_[b].end());
    }
    mesh.blocks = std::move(blocks_);
    return place;
  }

 private:
  void add(std::size_t e) {
    const std::optional<ElementType> type = element_type(types_[e]);
    if (!type) file_.fail(fmt::format("cell {} has VTK type {}, which no body has", e, types_[e]));
    const std::int64_t begin = e == 0 ? 0 : ends_[e - 1], end = ends_[e];
    if (begin < 0 || end - begin != nodes_per_element(*type) ||
        end > static_cast<std::int64_t>(nodes_.size()))
      file_.fail(fmt::format("cell {} has {} nodes", e, end - begin));
    std::size_t b = 0;
    while (b < blocks_.size() && blocks_[b].type != *type) ++b;
    if (b == blocks_.size()) {
      blocks_.push_back({*type, {}, {}});
      places_.emplace_back();
    }
    places_[b].push_back(e);
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t n = nodes_[static_cast<std::size_t>(k)];
      if (n < 0 || n >= points_) file_.fail(fmt::format("cell {} names point {}", e, n));
      blocks_[b].nodes.push_back(static_cast<Index>(n));
    }
  }

  VtuNumbers& file_;
  std::int64_t points_;
  std::vector<std::int64_t> nodes_, ends_, types_;
  std::vector<ElementBlock> blocks_;
  std::vector<std::vector<std::size_t>> places_;
};

std::vector<double> in_order(const std::vector<double>& values,
                             const std::vector<std::size_t>& place) {
  std::vector<double> sorted(place.size());
  for (std::size_t e = 0; e < place.size(); ++e) sorted[e] = values[place[e]];
  return sorted;
}

}  // namespace

Results::Results(fs::path folder) : folder_(std::move(folder)) {
  if (is_file(folder_) && folder_.extension() == ".json")
    throw InputError(fmt::format(
        "{0}: is a scene file, not a result folder; `pliant run {0}` comes first and makes one",
        folder_.string()));
  if (is_file(folder_))
    throw InputError(
        fmt::format("{}: is a file, not a result folder of `pliant run`", folder_.string()));
  if (!is_folder(folder_))
    throw InputError(
        fmt::format("{}: there is no such folder; `pliant run` makes one", folder_.string()));
  if (!is_file(folder_ / "scene.json") || !is_file(folder_ / animation_file))
    throw InputError(fmt::format("{}: holds no results of a run (scene.json, {})", folder_.string(),
                                 animation_file));
  scene_ = read_text(folder_ / "scene.json");
  refresh();
  if (times_.empty())
    throw InputError(fmt::format("{}: the run has not written a frame yet", folder_.string()));
  read_cells();
  name_bodies();
  surface_ = make_body_surfaces(mesh_, body_of_cell_);
  read_obstacles();
  read_threads();
}

void Results::refresh() { times_ = frame_times(folder_); }

void Results::read_cells() {
  const fs::path path = folder_ / frames_folder / frame_file_name(0);
  const std::string bytes = load_mesh_file(path);
  VtuNumbers file(path.string(), bytes);
  const std::int64_t points = file.document().pieces[0].points;
  mesh_.points = vectors(file, require(file, "Points", "Points"), static_cast<std::size_t>(points));
  place_ = CellSorter(file, points).sort_into(mesh_);
  const std::vector<std::int64_t> body = file.integers(require(file, "CellData", "body"));
  if (body.size() != place_.size())
    file.fail(fmt::format("{} cells have {} bodies", place_.size(), body.size()));
  for (const std::size_t e : place_) {
    if (body[e] < 0 || body[e] > points) file.fail(fmt::format("cell {} has body {}", e, body[e]));
    body_of_cell_.push_back(static_cast<Index>(body[e]));
  }
  has_contact_force_ = file.find("PointData", "contact_force") != nullptr;
}

void Results::name_bodies() {
  Index count = 0;
  for (const Index b : body_of_cell_) count = std::max(count, b + 1);
  bodies_.resize(static_cast<std::size_t>(count));
  std::size_t e = 0;
  std::vector<std::array<Index, 2>> range(bodies_.size(), {mesh_.point_count(), -1});
  for (const ElementBlock& block : mesh_.blocks)
    for (Index k = 0; k < block.size(); ++k, ++e)
      for (const Index n : block.element(k)) {
        auto& [first, last] = range[static_cast<std::size_t>(body_of_cell_[e])];
        first = std::min(first, n), last = std::max(last, n);
      }
  const auto scene = nlohmann::json::parse(scene_, nullptr, false, true);
  if (scene.is_discarded() || !scene.is_object())
    throw InputError(fmt::format("{}: is damaged", (folder_ / "scene.json").string()));
  name_ = scene.value("name", folder_.filename().string());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto pointer = nlohmann::json::json_pointer(fmt::format("/bodies/{}/name", b));
    bodies_[b].name = scene.value(pointer, fmt::format("body {}", b));
    if (range[b][1] < 0) continue;
    bodies_[b].first_node = range[b][0];
    bodies_[b].nodes = range[b][1] - range[b][0] + 1;
  }
}

// Names and kinds come from the scene, triangles from the file.
void Results::read_obstacles() {
  const auto file = ObstacleSeries::file_of(folder_, 0);
  if (!file) return;
  const VtpSurface drawn = read_vtp(*file, obstacle_label);
  obstacles_move_ = is_file(folder_ / obstacles_folder / obstacle_file_name(1));
  obstacle_mesh_.points = drawn.points;
  ElementBlock block{ElementType::tri3, {}, std::vector<Index>(drawn.triangles.size(), 0)};
  for (const auto& triangle : drawn.triangles)
    block.nodes.insert(block.nodes.end(), triangle.begin(), triangle.end());
  obstacle_mesh_.blocks.push_back(std::move(block));
  const auto scene = nlohmann::json::parse(scene_, nullptr, false, true);
  const auto described = scene.value("obstacles", nlohmann::json::array());
  obstacles_.resize(described.size());
  std::vector<std::array<Index, 2>> range(obstacles_.size(), {obstacle_mesh_.point_count(), -1});
  for (std::size_t t = 0; t < drawn.triangles.size(); ++t) {
    const std::int32_t k = drawn.labels[0].values[t];
    if (k < 0 || static_cast<std::size_t>(k) >= obstacles_.size())
      throw InputError(fmt::format("{}: the scene has no obstacle {}", file->string(), k));
    for (const Index n : drawn.triangles[t]) {
      auto& [first, last] = range[static_cast<std::size_t>(k)];
      first = std::min(first, n), last = std::max(last, n);
    }
  }
  for (std::size_t k = 0; k < obstacles_.size(); ++k)
    obstacles_[k] = {described[k].value("name", fmt::format("obstacle {}", k)), range[k][0],
                     std::max(0, range[k][1] - range[k][0] + 1), described[k].contains("plane")};
}

// Cables are segments of bodies whose radius the scene has; all else is in a file of its own.
void Results::read_threads() {
  std::vector<Thread> threads;
  const auto scene = nlohmann::json::parse(scene_, nullptr, false, true);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    std::vector<std::array<Index, 2>> segments;
    std::size_t e = 0;
    for (const ElementBlock& block : mesh_.blocks)
      for (Index k = 0; k < block.size(); ++k, ++e)
        if (block.type == ElementType::segment2 && body_of_cell_[e] == static_cast<Index>(b))
          segments.push_back({block.element(k)[0], block.element(k)[1]});
    const auto radius = nlohmann::json::json_pointer(fmt::format("/bodies/{}/radius", b));
    for (std::vector<Index>& chain : chains_of(segments))
      threads.push_back(
          {ThreadKind::cable, std::move(chain), scene.value(radius, 0.0), static_cast<Index>(b)});
  }
  Eigen::AlignedBox3d box;
  for (const Vec3& x : mesh_.points) box.extend(x);
  if (const auto file = ThreadSeries::file_of(folder_, 0)) {
    const VtpLines drawn = read_vtp_lines(*file);
    thread_points_ = drawn.points.size();
    for (const Vec3& x : drawn.points) box.extend(x);
    for (std::size_t k = 0; k < drawn.lines.size(); ++k) {
      if (drawn.kind[k] < 0 || drawn.kind[k] >= static_cast<std::int32_t>(kThreadKinds))
        throw InputError(
            fmt::format("{}: line {} is of kind {}", file->string(), k, drawn.kind[k]));
      threads.push_back({static_cast<ThreadKind>(drawn.kind[k]), drawn.lines[k], 0, -1});
      for (Index& n : threads.back().points) n += mesh_.point_count();
    }
  }
  tubes_ = Tubes(std::move(threads), box.isEmpty() ? 1 : box.diagonal().norm());
}

std::vector<Vec3> Results::tube_vertices(const ResultFrame& frame) const {
  if (tubes_.empty()) return {};
  std::vector<Vec3> centres = frame.points;
  centres.insert(centres.end(), frame.threads.begin(), frame.threads.end());
  return tubes_.vertices(centres);
}

ResultFrame Results::read(std::size_t frame) const {
  if (frame >= times_.size())
    throw InputError(fmt::format("{}: there is no frame {}, only {} (from 0)", folder_.string(),
                                 frame, times_.size()));
  const fs::path path = folder_ / frames_folder / frame_file_name(frame);
  const std::string bytes = load_mesh_file(path);
  VtuNumbers file(path.string(), bytes);
  const auto& [points, cells] = file.document().pieces[0];
  if (points != static_cast<std::int64_t>(mesh_.points.size()) ||
      cells != static_cast<std::int64_t>(place_.size()))
    throw InputError(fmt::format("{}: has {} points and {} cells, the first frame {} and {}",
                                 path.string(), points, cells, mesh_.points.size(), place_.size()));
  ResultFrame result;
  result.time = times_[frame];
  if (const VtuArray* step = file.find("FieldData", "step")) {
    const std::vector<std::int64_t> value = file.integers(*step);
    if (!value.empty()) result.step = value[0];
  }
  const std::size_t n = mesh_.points.size(), m = place_.size();
  result.points = vectors(file, require(file, "Points", "Points"), n);
  result.velocities = vectors(file, require(file, "PointData", "velocity"), n);
  result.von_mises = in_order(scalars(file, file.find("CellData", "von_mises"), m, 0), place_);
  result.det = in_order(scalars(file, file.find("CellData", "det_F"), m, 1), place_);
  for (const double held : scalars(file, file.find("PointData", "pinned"), n, 0))
    result.pinned.push_back(held != 0);
  if (const VtuArray* force = file.find("PointData", "contact_force"))
    result.contact_force = vectors(file, *force, n);
  if (thread_points_ > 0)
    if (const auto drawn = ThreadSeries::file_of(folder_, frame)) {
      result.threads = read_vtp_lines(*drawn).points;
      if (result.threads.size() != thread_points_)
        throw InputError(fmt::format("{}: has {} points, the first one {}", drawn->string(),
                                     result.threads.size(), thread_points_));
    }
  result.obstacles = obstacle_mesh_.points;
  if (obstacles_move_)
    if (const auto drawn = ObstacleSeries::file_of(folder_, frame)) {
      result.obstacles = read_vtp(*drawn, obstacle_label).points;
      if (result.obstacles.size() != obstacle_mesh_.points.size())
        throw InputError(fmt::format("{}: has {} points, the first one {}", drawn->string(),
                                     result.obstacles.size(), obstacle_mesh_.points.size()));
    }
  return result;
}

std::vector<double> cells_to_points(const Mesh& mesh, const std::vector<double>& values) {
  std::vector<double> sum(mesh.points.size(), 0.0), count(mesh.points.size(), 0.0);
  std::size_t e = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (Index k = 0; k < block.size(); ++k, ++e)
      for (const Index n : block.element(k)) {
        sum[static_cast<std::size_t>(n)] += values[e];
        count[static_cast<std::size_t>(n)] += 1;
      }
  for (std::size_t n = 0; n < sum.size(); ++n)
    if (count[n] > 0) sum[n] /= count[n];
  return sum;
}

}  // namespace pliant
