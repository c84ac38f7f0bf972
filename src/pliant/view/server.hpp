// The viewer's server: HTTP and WebSocket on threads of its own, from its construction to its end.
// Pages see one show at a time. What it answers, and to whom, is in docs/viewer-protocol.md and
// guard.hpp; the simulation never waits for it.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/view/show.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace pliant {

bool viewer_available();  // false: built without PLIANT_VIEWER

constexpr int kUsualPort = 8123;

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::optional<int> port;  // none: the usual one, or a free one where that is taken
  bool control = false;     // pages may steer even where the server is not on loopback
  // Where the token of a port that was asked for is kept from one start to the next, so that pages
  // find the server again; empty: a new token every time.
  std::filesystem::path token_folder = {};
};

class Server {
 public:
  // Listens at once. InputError where the address cannot be had.
  Server(const ServerOptions& options, std::shared_ptr<Show> show, const Log& log = {});
  ~Server();  // closes every page within a moment
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const std::string& address() const { return address_; }  // with the token
  const std::string& token() const { return token_; }
  int port() const { return port_; }
  bool loopback() const { return loopback_; }

  void show(std::shared_ptr<Show> show);  // something else from now on, to all pages

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
  std::string address_, token_;
  int port_ = 0;
  bool loopback_ = true;
};

}  // namespace pliant
