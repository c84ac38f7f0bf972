#include "client.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <cstring>

namespace pliant::test {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using tcp = net::ip::tcp;

std::string own_host(int port) { return "127.0.0.1:" + std::to_string(port); }

tcp::endpoint loopback(int port) {
  return {net::ip::address_v4::loopback(), static_cast<unsigned short>(port)};
}

class Bytes {
 public:
  explicit Bytes(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (at_ + sizeof value > bytes_.size()) throw std::out_of_range("a frame that is too short");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  std::vector<T> take_many(std::size_t count) {
    std::vector<T> out;
    for (std::size_t k = 0; k < count; ++k) out.push_back(take<T>());
    return out;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

Reply get(int port, const std::string& target, const Headers& headers, const std::string& method) {
  net::io_context io;
  tcp::socket socket(io);
  socket.connect(loopback(port));
  http::request<http::empty_body> request{http::string_to_verb(method), target, 11};
  request.set(http::field::host, own_host(port));
  for (const auto& [name, value] : headers) request.set(name, value);
  request.keep_alive(false);
  http::write(socket, request);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(64 << 20);
  parser.skip(method == "HEAD");
  http::read(socket, buffer, parser);
  Reply reply{static_cast<int>(parser.get().result_int()), parser.get().body(), {}};
  for (const auto& field : parser.get())
    reply.headers[std::string(field.name_string())] = std::string(field.value());
  return reply;
}

struct Socket::Stream {
  net::io_context io;
  websocket::stream<tcp::socket> socket{io};
  beast::flat_buffer buffer;
};

Socket::Socket(int port, const std::string& target, const Headers& headers)
    : stream_(std::make_unique<Stream>()) {
  stream_->socket.next_layer().connect(loopback(port));
  stream_->socket.set_option(
      websocket::stream_base::decorator([headers](websocket::request_type& request) {
        for (const auto& [name, value] : headers) request.set(name, value);
      }));
  beast::error_code error;
  stream_->socket.handshake(own_host(port), target, error);
  open_ = !error;
  stream_->socket.read_message_max(64 << 20);
}

Socket::~Socket() = default;

void Socket::send_text(const std::string& text) {
  beast::error_code error;
  stream_->socket.text(true);
  stream_->socket.write(net::buffer(text), error);
}

Message Socket::read() {
  beast::error_code error;
  stream_->buffer.clear();
  stream_->socket.read(stream_->buffer, error);
  if (error) return {true, false, static_cast<int>(stream_->socket.reason().code), {}};
  return {false, stream_->socket.got_binary(), 0, beast::buffers_to_string(stream_->buffer.data())};
}

Message Socket::read_text(const std::string& type) {
  for (;;) {
    Message message = read();
    if (message.closed || (!message.binary && message.json().at("type") == type)) return message;
  }
}

Message Socket::read_frame() {
  for (;;) {
    Message message = read();
    if (message.closed || message.binary) return message;
  }
}

std::optional<DecodedFrame> decode_frame(const std::string& data) {
  Bytes bytes(data);
  try {
    DecodedFrame f;
    if (bytes.take<std::uint32_t>() != 0x46544c50 || bytes.take<std::uint32_t>() != 1) return {};
    f.run = bytes.take<std::uint32_t>();
    f.number = bytes.take<std::uint32_t>();
    f.time = bytes.take<double>();
    for (std::uint32_t* word : {&f.vertices, &f.count, &f.field, &f.flags})
      *word = bytes.take<std::uint32_t>();
    f.smallest = bytes.take<float>();
    f.largest = bytes.take<float>();
    if ((f.flags & 1) == 0) f.indices = bytes.take_many<std::uint32_t>(f.count);
    f.positions = bytes.take_many<float>(3 * std::size_t{f.count});
    if ((f.flags & 2) != 0) f.values = bytes.take_many<float>(f.count);
    if ((f.flags & 4) != 0) f.grabbed = bytes.take_many<float>(6);
    if (!bytes.at_end()) return {};
    return f;
  } catch (const std::out_of_range&) {
    return {};
  }
}

}  // namespace pliant::test
