// A folder of scenes to choose from. A page names a scene by its number in the list and nothing
// else; pictures come from thumbnails/NAME.png beside the scenes.
#pragma once

#include <pliant/view/live_feed.hpp>

#include <condition_variable>
#include <filesystem>

namespace pliant {

class Gallery final : public Show {
 public:
  // A folder that holds scenes and is no result folder.
  static bool has_scenes(const std::filesystem::path& folder);

  explicit Gallery(const std::filesystem::path& folder);  // InputError where there are none

  // On the thread that runs scenes: the scene that a page opened; nothing after a short wait.
  std::optional<std::filesystem::path> wait_for_choice();
  void refuse(std::string words);  // to whoever opened it
  void close_choice();             // the scene was run; the next one may come

  Json hello() const override { return hello_; }
  Answer get(const Resource& resource) override;
  std::vector<std::string> news(Seen& seen) const override { return feed_.news(seen); }
  std::string command(const Json& message, std::uint64_t page) override;

 private:
  std::filesystem::path thumbnail(std::size_t number) const;

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> scenes_;
  Json hello_;
  LiveFeed feed_;
  std::mutex mutex_;
  std::condition_variable chosen_;
  std::optional<std::size_t> choice_;  // guarded
  bool taken_ = false;                 // guarded: a scene is being opened or runs
  std::uint64_t chooser_ = 0;          // guarded: the page
};

}  // namespace pliant
