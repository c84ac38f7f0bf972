// The order of the steps is what makes an interruption harmless: lock before looking, refuse before
// changing, and everything that resume() does may be done twice.
#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/encoding.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/io/result_folder.hpp>
#include <pliant/io/scene_difference.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark_file = ".pliant";  // our mark, and what flock locks
constexpr std::string_view mark_text = "Pliant result folder\n";
const std::string kMeshOf = "io.mesh of ";  // in checkpoints
constexpr std::array<std::string_view, 9> plain_files = {
    "scene.json",  "summary.json", "history.csv", "log.jsonl",       animation_file,
    "report.html", obstacles_file, threads_file,  intersections_file};

[[noreturn]] void refuse_changed_scene(const fs::path& folder, const std::string& now) {
  const std::string difference = first_difference(read_text(folder / "scene.json"), now);
  throw InputError(fmt::format(
      "{}: the scene is not the one that was run there{}; resume with that one, or start anew with "
      "--force",
      folder.string(), difference.empty() ? "" : ": " + difference));
}

bool is_our_file_name(std::string_view name) {
  if (is_partial_file_name(name)) {  // .NAME.PID.partial
    const std::string_view inner = name.substr(1, name.rfind(".partial") - 1);
    const std::size_t dot = inner.rfind('.');
    return dot != std::string_view::npos && is_our_file_name(inner.substr(0, dot));
  }
  return std::find(plain_files.begin(), plain_files.end(), name) != plain_files.end() ||
         checkpoint_step(name) || frame_number(name) || obstacle_number(name) ||
         thread_number(name);
}

enum class Content { nothing, results, foreign };

Content content_of(const fs::path& folder) {
  const std::vector<fs::path> files = list_folder(folder);
  const bool empty = std::all_of(files.begin(), files.end(), [](const fs::path& file) {
    return file.filename() == mark_file || file.filename() == intersections_file;
  });
  if (empty) return Content::nothing;
  // A copy made without hidden files is still ours if its scene and history are.
  const bool ours =
      file_starts_with(folder / mark_file, mark_text) ||
      (is_file(folder / "scene.json") &&
       file_starts_with(folder / "history.csv", "step,time,dt,kinetic,elastic,external,"));
  return ours ? Content::results : Content::foreign;
}

void require_allowed(const fs::path& folder, ExistingResults existing, bool resumable) {
  switch (content_of(folder)) {
    case Content::nothing:
      return;
    case Content::foreign:
      throw InputError(fmt::format(
          "{}: is not empty and not a result folder of Pliant; choose another one with --out",
          folder.string()));
    case Content::results:
      if (existing == ExistingResults::refuse)
        throw InputError(fmt::format("{}: holds results already; {}--force replaces them",
                                     folder.string(),
                                     resumable ? "--resume goes on with them, " : ""));
  }
}

// Removes the files we write that `chosen` picks, in the folder and in those within it.
template <class Choice>
void remove_our_files(const fs::path& folder, const Choice& chosen) {
  for (const fs::path& place :
       {folder, folder / frames_folder, folder / obstacles_folder, folder / threads_folder}) {
    if (!is_folder(place)) continue;
    for (const fs::path& file : list_folder(place)) {
      const std::string name = file.filename().string();
      if (is_our_file_name(name) && chosen(name)) remove_file(file);
    }
  }
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& folder, ExistingResults existing, const RunSetup& setup,
                           const Log& log)
    : folder_(folder), setup_(setup) {
  std::vector<LogEntry> said;  // goes into log.jsonl once it is open
  const Log both([&](const LogEntry& entry) {
    said.push_back(entry);
    log.say(entry);
  });
  make_folder(folder_);
  require_allowed(folder_, existing, setup_.resumable);
  take_lock();
  require_allowed(folder_, existing,
                  setup_.resumable);  // another run may have come and gone in between
  if (existing == ExistingResults::resume) resumed_ = read_newest(folder_, both);
  if (resumed_) {
    resume();
    both.info(fmt::format("resumed from the checkpoint of step {}", resumed_->integer("step")));
  } else {
    if (existing == ExistingResults::resume) {
      require_unfinished();
      both.info(fmt::format("{}: has no checkpoint yet, the run starts at the beginning",
                            folder_.string()));
    }
    start();
  }
  for (const LogEntry& entry : said) log_.write(entry);
}

fs::path write_intersections(const fs::path& folder, ExistingResults existing,
                             const VtpSurface& triangles) {
  make_folder(folder);
  require_allowed(folder, existing, true);
  write_vtp(folder / intersections_file, triangles);
  return folder / intersections_file;
}

void ResultFolder::take_lock() {
  const fs::path path = folder_ / mark_file;
  lock_ = FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock_)
    throw WriteError(fmt::format("{}: cannot be written: {}", path.string(),
                                 std::generic_category().message(errno)));
  // File systems without locks answer otherwise; a run there goes on without one.
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw InputError(fmt::format("{}: another run is writing to it", folder_.string()));
  if (!file_starts_with(path, mark_text)) {
    AppendFile mark(path);
    mark.truncate_to(0);
    mark.append(mark_text);
  }
}

// A run without a checkpoint may be begun again only where nothing is lost by it: the same scene,
// killed before its first checkpoint.
void ResultFolder::require_unfinished() const {
  const fs::path scene = folder_ / "scene.json";
  if (is_file(folder_ / "summary.json"))
    throw InputError(fmt::format(
        "{}: has no checkpoint to resume from; --force runs the scene anew", folder_.string()));
  if (is_file(scene) && !first_difference(read_text(scene), setup_.scene_json).empty())
    refuse_changed_scene(folder_, setup_.scene_json);
}

void ResultFolder::start() {
  remove_our_files(folder_, [](std::string_view) { return true; });
  log_ = RunLog(folder_ / "log.jsonl");
  write_file_atomically(folder_ / "scene.json", setup_.scene_json);
  history_ = History(folder_ / "history.csv", setup_.columns);
  frames_ = FrameSeries(folder_);
  obstacles_ = ObstacleSeries(folder_);
  threads_ = ThreadSeries(folder_);
}

void ResultFolder::resume() {
  if (const auto changed = resumed_->texts.find("io.changed"); changed != resumed_->texts.end())
    throw InputError(
        fmt::format("{}: the scene was changed while it ran ({}), so the run cannot be resumed; "
                    "--force runs the scene anew",
                    folder_.string(), changed->second));
  if (resumed_->text("io.scene_hash") != setup_.scene_hash)
    refuse_changed_scene(folder_, setup_.scene_json);
  for (const auto& [name, hash] : setup_.meshes)
    if (const auto then = resumed_->texts.find(kMeshOf + name);
        then != resumed_->texts.end() && then->second != hash)
      throw InputError(
          fmt::format("{}: the mesh of {} is not the one that was run there; bring it "
                      "back, or start anew with --force",
                      folder_.string(), name));
  if (!is_file(folder_ / "history.csv"))
    throw InputError(
        fmt::format("{}: history.csv is missing, so the run cannot be resumed; "
                    "--force runs the scene anew",
                    folder_.string()));
  if (resumed_->integer("step") > setup_.last_step)
    throw InputError(
        fmt::format("{}: the results are at step {} already, the scene ends at step {}",
                    folder_.string(), resumed_->integer("step"), setup_.last_step));
  history_ = History(folder_ / "history.csv", setup_.columns);
  history_.file().truncate_to(resumed_->integer("io.history_bytes"));
  log_ = RunLog(folder_ / "log.jsonl");
  if (const auto bytes = resumed_->integer("io.log_bytes"); bytes <= log_.file().size())
    log_.file().truncate_to(bytes);
  log_.file().cut_torn_line();
  frames_ = FrameSeries(folder_, resumed_->array("io.frame_times"));
  obstacles_ = ObstacleSeries(folder_, frames_.times());
  threads_ = ThreadSeries(folder_, frames_.times());
  const std::int64_t step = resumed_->integer("step");
  remove_our_files(folder_, [&](std::string_view name) {
    const auto written = checkpoint_step(name);
    return is_partial_file_name(name) || name == "summary.json" || (written && *written > step);
  });
  write_file_atomically(folder_ / "scene.json", setup_.scene_json);
}

void ResultFolder::write_checkpoint(std::int64_t step, Checkpoint state) {
  history_.file().sync();
  log_.file().sync();
  state.integers["io.history_bytes"] = history_.file().size();
  state.integers["io.log_bytes"] = log_.file().size();
  state.arrays["io.frame_times"].assign(frames_.times().begin(), frames_.times().end());
  state.texts["io.scene_hash"] = setup_.scene_hash;
  for (const auto& [name, hash] : setup_.meshes) state.texts[kMeshOf + name] = hash;
  if (!changed_.empty()) state.texts["io.changed"] = changed_;
  pliant::write_checkpoint(folder_, step, std::move(state));
}

void ResultFolder::write_summary(const Summary& summary) const {
  pliant::write_summary(folder_ / "summary.json", summary);
}

std::string state_hash(std::span<const double> q, std::span<const double> v) {
  return hex(xxh64(bytes_of(v), xxh64(bytes_of(q))));
}

}  // namespace pliant
