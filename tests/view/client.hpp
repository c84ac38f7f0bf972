// A page as the server sees one: HTTP requests and a WebSocket on loopback, with any header that a
// test wants to lie in; and the protocol's binary frames read by its description alone.
#pragma once

#include <pliant/scene/json.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant::test {

using Headers = std::map<std::string, std::string>;

struct Reply {
  int status = 0;
  std::string body;
  Headers headers;
};
// Host is that of the server unless it is given.
Reply get(int port, const std::string& target, const Headers& headers = {},
          const std::string& method = "GET");

struct Message {
  bool closed = false, binary = false;
  int code = 0;  // of the close
  std::string data;
  Json json() const { return Json::parse(data); }
};

class Socket {
 public:
  Socket(int port, const std::string& target, const Headers& headers = {});
  ~Socket();
  bool is_open() const { return open_; }  // false: the server refused
  void send(const Json& message) { send_text(message.dump()); }
  void send_text(const std::string& text);
  Message read();
  Message read_text(const std::string& type);  // skips all else
  Message read_frame();                        // skips texts

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
  bool open_ = false;
};

struct DecodedFrame {
  std::uint32_t run = 0, number = 0, vertices = 0, count = 0, field = 0, flags = 0;
  double time = 0;
  float smallest = 0, largest = 0;
  std::vector<std::uint32_t> indices;
  std::vector<float> positions, values, grabbed;
};
std::optional<DecodedFrame> decode_frame(const std::string& bytes);  // none: not one

}  // namespace pliant::test
