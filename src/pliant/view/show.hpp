// What a viewer's server shows: a run as it goes, results read back, or a gallery of scenes. The
// server knows pages, sockets and rights; a show knows what there is to see. Except where it says
// otherwise its functions are called from the server's thread and must return at once.
#pragma once

#include <pliant/scene/json.hpp>
#include <pliant/view/frame.hpp>

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace pliant {

// What a page may ask for by HTTP beside its own files.
struct Resource {
  enum class Kind { surface, frame, history, mode, thumbnail };
  Kind kind = Kind::surface;
  std::size_t run = 0, number = 0;
  Field field = Field::none;
};

struct Answer {
  int status = 200;
  std::string type, body;
};
Answer not_found(std::string words);

// How far a page has followed a show.
struct Seen {
  std::uint64_t page = 0;  // its number
  std::uint64_t rows = 0, log = 0, parameters = 0, status = 0, refusals = 0;
};

// Which frames pages wait for: bit 0 any, bit 1 + f the field f as well.
using Wishes = std::uint32_t;
constexpr Wishes wish_for(Field field) { return 1u | (2u << static_cast<std::uint32_t>(field)); }

class Show {
 public:
  virtual ~Show() = default;
  // The protocol's `hello` but for what the server adds: version, session, control.
  virtual Json hello() const = 0;
  // Grows when `hello` must be said anew.
  virtual std::uint64_t version() const { return 0; }
  // On another thread than the rest, one call at a time; may take its time.
  virtual Answer get(const Resource& resource) = 0;
  // About once a second, on the thread of `get`.
  virtual void refresh() {}

  // Text messages that a page has not seen yet.
  virtual std::vector<std::string> news(Seen&) const { return {}; }
  virtual std::shared_ptr<const Frame> latest() const { return nullptr; }
  virtual void wish(Wishes) {}
  // Does what a page that may steer asks for, now or soon; the refusal in words, or nothing.
  virtual std::string command(const Json& message, std::uint64_t page);

  // The server has itself rung for when there is something new to send; from any thread.
  void set_bell(std::function<void()> bell);
  void ring() const;

 private:
  mutable std::mutex bell_mutex_;
  std::function<void()> bell_;
};

// "/runs/0/frames/3" and its kin; nothing for any other path.
std::optional<Resource> resource_at(std::string_view path, std::string_view field);

}  // namespace pliant
