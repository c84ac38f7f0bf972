// The folder that a run writes: scene.json, frames/, animation.pvd, history.csv, summary.json,
// log.jsonl and checkpoints. It decides whether a run may start there, keeps a second run out, and
// puts everything back to the newest whole checkpoint when a run is resumed, so that the files then
// grow on as if nothing had happened. A folder is only ever cleared of files that we wrote, and
// only where it carries our mark.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/io/checkpoint.hpp>
#include <pliant/io/history.hpp>
#include <pliant/io/obstacle_series.hpp>
#include <pliant/io/pvd.hpp>
#include <pliant/io/run_log.hpp>
#include <pliant/io/summary.hpp>
#include <pliant/io/thread_series.hpp>
#include <pliant/io/vtu_writer.hpp>

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace pliant {

// What is wrong with a start: left where results would have been.
inline constexpr std::string_view intersections_file = "intersections.vtp";

enum class ExistingResults { refuse, replace, resume };  // replace: --force, resume: --resume

struct RunSetup {
  std::string scene_json;  // the scene as run, every default filled in
  std::string scene_hash;  // of what must not change for a resume
  History::Columns columns;
  bool resumable = true;  // false: there is no --resume to propose
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  // of the scene
  // By the name of what has one: a hash of its mesh, whose file may change beside the scene.
  std::map<std::string, std::string> meshes;
};

class ResultFolder {
 public:
  // Creates the folder or takes over the one there, locks it and opens its files. InputError, with
  // the folder unchanged, where it holds results and neither flag was given, where it holds
  // something that is not ours, where another run is writing to it, and where the scene is not that
  // of the checkpoint or ends before it.
  ResultFolder(const std::filesystem::path& folder, ExistingResults existing, const RunSetup& setup,
               const Log& log);

  // The state to go on from; nothing where the run starts at the beginning.
  const std::optional<Checkpoint>& resumed() const { return resumed_; }

  History& history() { return history_; }
  RunLog& log() { return log_; }
  const FrameSeries& frames() const { return frames_; }

  void add_frame(const VtuWriter& writer, const FrameData& frame) { frames_.add(writer, frame); }
  // Added before the frame that they belong to.
  ObstacleSeries& obstacles() { return obstacles_; }
  ThreadSeries& threads() { return threads_; }

  // Adds to the caller's state what the folder needs to resume: lengths of the files that grow,
  // times of the frames and the scene's hash, under names that begin with "io.".
  void write_checkpoint(std::int64_t step, Checkpoint state);

  void write_summary(const Summary& summary) const;

  // The scene is no longer the one of scene.json: checkpoints from now on are refused to a resume,
  // with these words.
  void set_changed(std::string words) { changed_ = std::move(words); }

  const std::filesystem::path& path() const { return folder_; }

 private:
  void take_lock();
  void require_unfinished() const;
  void start();
  void resume();

  std::filesystem::path folder_;
  RunSetup setup_;
  std::string changed_;  // empty: not changed
  FileDescriptor lock_;
  std::optional<Checkpoint> resumed_;
  History history_;
  RunLog log_;
  FrameSeries frames_;
  ObstacleSeries obstacles_;
  ThreadSeries threads_;
};

// Leaves the triangles that meet at a start that cannot be run in the folder of its results, and
// nothing else: the next run there begins as in an empty one. Returns the file's path. InputError
// where a run could not write there either.
std::filesystem::path write_intersections(const std::filesystem::path& folder,
                                          ExistingResults existing, const VtpSurface& triangles);

// XXH64 of the bytes of v, seeded with that of q, in hexadecimal: equal states, and hardly any
// others, have equal hashes.
std::string state_hash(std::span<const double> q, std::span<const double> v);

}  // namespace pliant
