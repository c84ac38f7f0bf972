// A show whose frames a test makes by hand.
#pragma once

#include <pliant/view/show.hpp>

#include <nlohmann/json.hpp>

#include <atomic>

namespace pliant::test {

class StillShow final : public Show {
 public:
  Json hello() const override { return {{"mode", "live"}, {"title", "still"}}; }
  Answer get(const Resource& resource) override {
    if (resource.kind == Resource::Kind::history) return {200, "application/json", "{}"};
    if (resource.kind == Resource::Kind::thumbnail && !picture.empty())
      return {200, "image/png", picture};
    return not_found("no");
  }
  std::shared_ptr<const Frame> latest() const override {
    const std::lock_guard lock(mutex_);
    return latest_;
  }
  void wish(Wishes wishes) override { wishes_ = wishes; }
  std::string command(const Json& message, std::uint64_t) override {
    ++commands_;
    return message.at("type") == "refuse" ? "as you like" : "";
  }

  void publish(Frame frame) {
    {
      const std::lock_guard lock(mutex_);
      latest_ = std::make_shared<const Frame>(std::move(frame));
    }
    ring();
  }
  Wishes wishes() const { return wishes_; }
  std::string picture;  // of every scene; set before the server starts
  int commands() const { return commands_; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Frame> latest_;
  std::atomic<Wishes> wishes_ = 0;
  std::atomic<int> commands_ = 0;
};

inline Frame frame_at(double time, std::vector<float> positions) {
  Frame frame;
  frame.time = time;
  frame.positions = std::move(positions);
  return frame;
}

}  // namespace pliant::test
