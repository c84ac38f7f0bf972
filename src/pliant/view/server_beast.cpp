// Listening, and requests by HTTP. A connection is served for as long as its requests come in time;
// there is room for so many, further ones are closed at once.
#include <pliant/view/server.hpp>

#include <pliant/core/error.hpp>
#include <pliant/view/hub.hpp>
#include <pliant/view/kept_token.hpp>
#include <pliant/view/page_files.hpp>

#include <fmt/format.h>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <nlohmann/json.hpp>

#include <random>
#include <thread>

namespace pliant {
namespace {

using tcp = net::ip::tcp;
using namespace std::chrono_literals;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

Answer refusal(int status, std::string words) {
  return {status, "text/plain; charset=utf-8", std::move(words) + "\n"};
}

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Hub> hub, tcp::socket socket)
      : hub_(std::move(hub)), stream_(std::move(socket)) {
    ++hub_->connections;
    slot_ = std::shared_ptr<void>(nullptr, [hub = hub_](void*) { --hub->connections; });
  }

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(std::chrono::seconds(kRequestSeconds));
    http::async_read(stream_, in_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  std::string_view header(http::field name) const { return view_of(parser_->get()[name]); }

  // Why the request is not answered, or nothing.
  std::optional<Answer> objection(std::string_view path, std::string_view token) const {
    if (!host_allowed(header(http::field::host), hub_->hosts))
      return refusal(403, "this server does not go by that name");
    if (!origin_allowed(header(http::field::origin), header(http::field::host)))
      return refusal(403, "a page of another site may not ask here");
    const http::verb method = parser_->get().method();
    if (method != http::verb::get && method != http::verb::head)
      return refusal(405, "there is only GET here");
    if (!path.starts_with("/assets/") && !same_token(token, hub_->token))
      return refusal(403, "the token is missing or wrong; use the address that pliant printed");
    return {};
  }

  void answer() {
    const std::string target(view_of(parser_->get().target()));
    const std::string_view path = path_of(target);
    if (auto no = objection(path, query_value(target, "token"))) return send(std::move(*no));
    if (path == "/socket") return open_socket();
    if (path == "/session")
      return send({200, "application/json",
                   hub_->hello().dump(-1, ' ', false, Json::error_handler_t::replace)});
    for (const PageFile& file : page_files())
      if (file.path == (path == "/" ? "/index.html" : path))
        return send({200, std::string(file.type), std::string(file.bytes)});
    if (const auto resource = resource_at(path, query_value(target, "field")))
      return fetch(*resource);
    send(not_found("there is no such thing here\n"));
  }

  void open_socket() {
    if (!beast::websocket::is_upgrade(parser_->get()))
      return send(refusal(426, "this address is for WebSockets"));
    if (hub_->pages.size() >= kMostPages) return send(refusal(503, "too many pages are open"));
    start_page(hub_, std::move(stream_), parser_->release(), slot_);
  }

  void fetch(const Resource& resource) {
    stream_.expires_never();
    const bool picture = resource.kind == Resource::Kind::thumbnail;
    const std::shared_ptr<Show>& asked = picture ? hub_->first : hub_->show;
    net::post(hub_->worker, [self = shared_from_this(), show = asked, resource] {
      Answer answer;
      try {
        answer = show->get(resource);
      } catch (const std::exception& error) {
        answer = refusal(500, error.what());
      }
      net::post(self->hub_->io,
                [self, answer = std::move(answer)]() mutable { self->send(std::move(answer)); });
    });
  }

  void send(Answer answer) {
    response_ = {};
    response_.result(static_cast<unsigned>(answer.status));
    response_.version(parser_->get().version());
    response_.keep_alive(parser_->get().keep_alive() && answer.status < 500);
    response_.set(http::field::content_type, answer.type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set("X-Frame-Options", "DENY");
    const std::string_view host = header(http::field::host);
    response_.set("Content-Security-Policy",
                  content_security_policy(host_allowed(host, hub_->hosts) ? host : "none"));
    const std::size_t length = answer.body.size();
    if (parser_->get().method() != http::verb::head) response_.body() = std::move(answer.body);
    response_.content_length(length);
    stream_.expires_after(std::chrono::seconds(kIdleSeconds));
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (!error && self->response_.keep_alive()) return self->read();
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  std::shared_ptr<Hub> hub_;
  std::shared_ptr<void> slot_;
  beast::tcp_stream stream_;
  beast::flat_buffer in_{2 * kMostHeaderBytes};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
};

tcp::endpoint resolve(net::io_context& io, const std::string& host, int port) {
  beast::error_code error;
  const auto number = static_cast<unsigned short>(port);
  const auto address = net::ip::make_address(host, error);
  if (!error) return {address, number};
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(host, std::to_string(port), error);
  if (error || found.empty())
    throw InputError(
        fmt::format("--host {}: there is no such address on this machine ({}); 127.0.0.1 is the "
                    "usual one, 0.0.0.0 every one",
                    host, error.message()));
  return found.begin()->endpoint();
}

// The error where the address cannot be had.
beast::error_code listen(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  beast::error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(net::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
  if (error) acceptor.close();
  return error;
}

void listen_as_asked(tcp::acceptor& acceptor, net::io_context& io, const ServerOptions& options) {
  const tcp::endpoint wanted = resolve(io, options.host, options.port.value_or(kUsualPort));
  beast::error_code error = listen(acceptor, wanted);
  if (error == net::error::address_in_use && !options.port)
    error = listen(acceptor, {wanted.address(), 0});
  if (error == net::error::address_in_use)
    throw InputError(fmt::format(
        "--port {}: is taken on {} by another program; choose another, or leave --port out",
        *options.port, options.host));
  if (error)
    throw InputError(fmt::format("cannot listen on {}, port {}: {}", options.host, wanted.port(),
                                 error.message()));
}

// Only who listens there asks for it, so no two programs write the same file.
std::string token_for(const ServerOptions& options, const tcp::endpoint& at, const Log& log) {
  if (options.port.value_or(0) == 0 || options.token_folder.empty()) return make_token();
  return kept_token(options.token_folder, fmt::format("{}-{}", at.address().to_string(), at.port()),
                    log);
}

}  // namespace

struct Server::Threads {
  net::io_context io{1};
  net::thread_pool worker{1};
  std::shared_ptr<Hub> hub = std::make_shared<Hub>(io, worker);
  tcp::acceptor acceptor{io};
  net::steady_timer tick{io};
  int ticks = 0;
  std::thread thread;

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted) return;
      if (!error && hub->connections < kMostConnections) {
        beast::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Connection>(hub, std::move(socket))->read();
      }
      accept();
    });
  }

  // Rows and status reach pages that wait for no frame, too.
  void beat() {
    tick.expires_after(100ms);
    tick.async_wait([this](beast::error_code error) {
      if (error) return;
      hub->look_after_pages();
      if (++ticks % 10 == 0 && !hub->pages.empty())
        net::post(hub->worker, [hub = hub, show = hub->show] {
          show->refresh();
          show->ring();
        });
      beat();
    });
  }
};

bool viewer_available() { return true; }

Server::Server(const ServerOptions& options, std::shared_ptr<Show> show, const Log& log)
    : threads_(std::make_unique<Threads>()) {
  Hub& hub = *threads_->hub;
  listen_as_asked(threads_->acceptor, hub.io, options);
  const tcp::endpoint at = threads_->acceptor.local_endpoint();
  port_ = at.port();
  loopback_ = at.address().is_loopback();
  token_ = token_for(options, at, log);
  hub.token = token_;
  hub.hosts = {options.host, loopback_, port_};
  hub.control = loopback_ || options.control;
  hub.session = std::random_device()();
  hub.first = show;
  hub.change_show(std::move(show));
  const std::string host = at.address().is_unspecified() ? "127.0.0.1" : options.host;
  address_ =
      fmt::format("http://{}:{}/?token={}",
                  host.find(':') == std::string::npos ? host : "[" + host + "]", port_, token_);
  threads_->accept();
  threads_->beat();
  threads_->thread = std::thread([this] { threads_->io.run(); });
}

Server::~Server() {
  Hub& hub = *threads_->hub;
  net::post(hub.io, [this, &hub] {
    hub.show->set_bell({});
    threads_->acceptor.close();
    threads_->tick.cancel();
    hub.close_pages();
    hub.io.stop();
  });
  threads_->thread.join();
  threads_->worker.stop();
  threads_->worker.join();
}

void Server::show(std::shared_ptr<Show> show) {
  net::post(threads_->hub->io, [hub = threads_->hub, show = std::move(show)]() mutable {
    hub->change_show(std::move(show));
    hub->look_after_pages();
  });
}

}  // namespace pliant
