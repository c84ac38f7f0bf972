// One page's socket. It has at most one message on its way, and what comes next is decided only
// when that has left: answers first, then rows, log and status, then the newest frame if the page
// has said that it can take one. So a page that stops reading holds one message and nothing grows.
#include <pliant/view/hub.hpp>

#include <pliant/core/error.hpp>

#include <boost/asio/post.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>

namespace pliant {

namespace websocket = boost::beast::websocket;

namespace {

constexpr std::uint32_t kMostCredit = 8;
constexpr std::size_t kMostAnswers = 64;  // that wait for a page to read

std::string refused(const std::string& words) {
  const Json message = {{"type", "refused"}, {"text", words}};
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

class Page : public std::enable_shared_from_this<Page> {
 public:
  Page(std::shared_ptr<Hub> hub, beast::tcp_stream stream, std::shared_ptr<void> slot)
      : hub_(std::move(hub)), slot_(std::move(slot)), socket_(std::move(stream)) {
    seen_.page = ++hub_->pages_so_far;
  }
  ~Page() { hub_->pages.erase(this); }

  void start(const Request& request) {
    beast::get_lowest_layer(socket_).expires_never();  // the socket has time limits of its own
    socket_.set_option(websocket::stream_base::timeout{std::chrono::seconds(kRequestSeconds),
                                                       std::chrono::seconds(kIdleSeconds), true});
    socket_.read_message_max(kMostMessageBytes);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (error) return;
      self->hub_->pages.insert(self.get());
      self->read();
      self->send_next();
    });
  }

  // What this page waits for; nothing while a message is on its way to it.
  Wishes wishes() const { return credit_ > 0 && !busy_ ? wish_for(field_) : 0; }

  void send_next() {
    if (busy_ || closed_) return;
    if (answers_.empty()) gather();
    if (!answers_.empty()) {
      out_ = std::move(answers_.front());
      answers_.pop_front();
      return send(true);
    }
    if (take_frame()) send(false);
  }

  void close() {
    closed_ = true;
    beast::error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

 private:
  void gather() {
    const bool other = show_ != hub_->shows;
    if (other) {
      seen_ = Seen{.page = seen_.page};
      last_ = nullptr;
    }
    if (other || version_ != hub_->show->version()) {
      show_ = hub_->shows;
      version_ = hub_->show->version();
      Json hello = hub_->hello();
      hello["type"] = "hello";
      answers_.push_back(hello.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    for (std::string& text : hub_->show->news(seen_)) answers_.push_back(std::move(text));
  }

  bool take_frame() {
    const std::shared_ptr<const Frame> frame = hub_->show->latest();
    if (credit_ == 0 || !frame) return false;
    const Field field = frame->has(field_) ? field_ : Field::none;
    if (frame == last_ && field == last_field_) return false;
    --credit_;
    out_ =
        encode_frame(*frame, {0, frames_++, field}, field == last_field_ ? last_.get() : nullptr);
    last_ = frame;
    last_field_ = field;
    return true;
  }

  void send(bool text) {
    busy_ = true;
    socket_.text(text);
    socket_.async_write(net::buffer(out_),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          if (error) return self->close();
                          self->busy_ = false;
                          self->send_next();
                          self->hub_->look_after_pages();
                        });
  }

  void read() {
    socket_.async_read(in_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || !self->socket_.got_text()) return self->leave();
      const std::string text = beast::buffers_to_string(self->in_.data());
      self->in_.consume(self->in_.size());
      self->receive(text);
      if (self->closed_) return;
      self->send_next();
      self->hub_->look_after_pages();
      self->read();
    });
  }

  // A socket that Beast has closed itself (a message too long) says why before it goes.
  void leave() {
    hub_->pages.erase(this);
    if (!socket_.is_open()) return close();
    closed_ = true;
    socket_.async_close(websocket::close_code::policy_error,
                        [self = shared_from_this()](beast::error_code) { self->close(); });
  }

  void receive(const std::string& text) {
    std::string refusal;
    try {
      refusal = obey(parse_json(text, "message"));
    } catch (const InputError& error) {
      refusal = error.what();
    } catch (const Json::exception&) {
      refusal = "a message must be an object with a type, and with what its type asks for";
    }
    if (refusal.empty()) return;
    answers_.push_back(refused(refusal));
    if (answers_.size() > kMostAnswers) close();  // it asks and asks and reads nothing
  }

  std::string obey(const Json& message) {
    const std::string type = message.at("type").get<std::string>();
    if (type == "ping") return {};
    if (type == "ready") {
      const auto count = message.at("count").get<std::int64_t>();
      credit_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
          credit_ + std::clamp<std::int64_t>(count, 0, kMostCredit), 0, kMostCredit));
      return {};
    }
    if (type == "field") {
      const auto field = field_named(message.at("name").get<std::string>());
      if (!field) return "there is no such field; there are body, velocity, stress, det and error";
      field_ = *field;
      return {};
    }
    if (!hub_->control) return "this page may watch only; the server was started without --control";
    return hub_->show->command(message, seen_.page);
  }

  std::shared_ptr<Hub> hub_;
  std::shared_ptr<void> slot_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer in_{2 * kMostMessageBytes};
  std::string out_;  // on its way while busy_
  bool busy_ = false, closed_ = false;
  std::deque<std::string> answers_;
  Seen seen_;
  std::uint64_t show_ = 0, version_ = 0;  // of the last hello
  std::uint32_t credit_ = 0, frames_ = 0;
  Field field_ = Field::none, last_field_ = Field::none;
  std::shared_ptr<const Frame> last_;  // what the page has
};

Json Hub::hello() const {
  Json hello = show->hello();
  hello["version"] = 1;
  hello["session"] = session;
  hello["control"] = control;
  return hello;
}

void Hub::change_show(std::shared_ptr<Show> next) {
  if (show) show->set_bell({});
  show = std::move(next);
  ++shows;
  show->set_bell([weak = weak_from_this()] {
    const std::shared_ptr<Hub> hub = weak.lock();
    if (!hub || hub->rung.exchange(true)) return;
    net::post(hub->io, [weak] {
      if (const std::shared_ptr<Hub> found = weak.lock()) {
        found->rung = false;
        found->look_after_pages();
      }
    });
  });
}

void Hub::look_after_pages() {
  Wishes wishes = 0;
  for (Page* page : std::vector<Page*>(pages.begin(), pages.end())) {
    page->send_next();
    wishes |= page->wishes();
  }
  show->wish(wishes);
}

void Hub::close_pages() {
  for (Page* page : std::vector<Page*>(pages.begin(), pages.end())) page->close();
}

void start_page(const std::shared_ptr<Hub>& hub, beast::tcp_stream stream, Request request,
                std::shared_ptr<void> slot) {
  const auto page = std::make_shared<Page>(hub, std::move(stream), std::move(slot));
  const auto held = std::make_shared<Request>(std::move(request));
  page->start(*held);
}

}  // namespace pliant
