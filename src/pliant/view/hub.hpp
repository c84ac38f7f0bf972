// What the connections of one server share. All of it belongs to the server's thread; work that
// takes long (reading results, finding modes) goes to a second one and comes back. Private to the
// module: only files that include Boost.Beast see it.
#pragma once

#include <pliant/view/guard.hpp>
#include <pliant/view/show.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include <atomic>
#include <set>

namespace pliant {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::size_t kMostConnections = 64, kMostPages = 16;
constexpr std::size_t kMostHeaderBytes = 8 << 10, kMostMessageBytes = 64 << 10;
constexpr int kRequestSeconds = 15, kIdleSeconds = 60;

class Page;  // one WebSocket, page_beast.cpp

struct Hub : std::enable_shared_from_this<Hub> {
  Hub(net::io_context& io, net::thread_pool& worker) : io(io), worker(worker) {}

  net::io_context& io;  // these outlive the connections, whose handlers they hold
  net::thread_pool& worker;
  std::string token;
  HostRule hosts;
  bool control = false;
  std::uint64_t session = 0;
  std::shared_ptr<Show> show;
  std::shared_ptr<Show> first;  // a gallery's pictures may still be on their way when a run starts
  std::uint64_t shows = 0;      // how many there were so far
  std::size_t connections = 0;
  std::uint64_t pages_so_far = 0;
  std::set<Page*> pages;
  std::atomic<bool> rung = false;  // pages will be looked after soon

  Json hello() const;
  void change_show(std::shared_ptr<Show> next);
  void look_after_pages();  // sends what is new and gathers the wishes
  void close_pages();
};

using Request = http::request<http::empty_body>;

// Takes the stream over; the request was found to be allowed.
void start_page(const std::shared_ptr<Hub>& hub, beast::tcp_stream stream, Request request,
                std::shared_ptr<void> slot);

}  // namespace pliant
