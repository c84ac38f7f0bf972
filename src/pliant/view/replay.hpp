// Results read back, one run or several side by side. Frames are read when a page asks for them; of
// several runs each is compared with the first, where their surfaces have the same vertices.
#pragma once

#include <pliant/io/results.hpp>
#include <pliant/view/show.hpp>
#include <pliant/view/viewed_surface.hpp>

#include <nlohmann/json.hpp>

namespace pliant {

class Replay final : public Show {
 public:
  // InputError where a folder is missing, is none of ours or has no frame.
  explicit Replay(const std::vector<std::filesystem::path>& folders);

  Json hello() const override;
  std::uint64_t version() const override;
  Answer get(const Resource& resource) override;
  void refresh() override;

 private:
  struct Run {
    Results results;
    ViewedSurface surface;
    std::shared_ptr<const Frame> frame;  // the last one read, as others are measured by it
    std::size_t frame_number = 0;
    explicit Run(const std::filesystem::path& folder);
  };

  std::string frame(std::size_t run, std::size_t number, Field field);
  std::shared_ptr<const Frame> read(Run& run, std::size_t number);
  bool comparable(std::size_t run) const;
  Json describe(std::size_t run) const;
  Json describe_all() const;

  std::vector<Run> runs_;  // of the thread of `get`
  mutable std::mutex mutex_;
  Json hello_;                 // guarded
  std::uint64_t version_ = 0;  // guarded
};

}  // namespace pliant
