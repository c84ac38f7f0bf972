// Who is let in and what is sent, with a real server on loopback.
#include <pliant/core/error.hpp>
#include <pliant/view/server.hpp>

#include "client.hpp"
#include "still_show.hpp"

#include <gmock/gmock.h>

namespace pliant {
namespace {

using test::frame_at;
using test::Socket;
using test::StillShow;
using ::testing::HasSubstr;

struct ServerTest : ::testing::Test {
  std::shared_ptr<StillShow> show = std::make_shared<StillShow>();
  Server server{{.port = 0}, show};
  int port = server.port();
  std::string with_token(const std::string& path) const {
    return path + (path.find('?') == std::string::npos ? "?" : "&") + "token=" + server.token();
  }
  // A message with a sure answer: what comes before that answer was sent before it.
  static void knock(Socket& page) { page.send({{"type", "field"}, {"name", "nonsense"}}); }
};

TEST_F(ServerTest, GivesItsPageOnlyToWhoKnowsTheToken) {
  EXPECT_EQ(test::get(port, with_token("/")).status, 200);
  EXPECT_EQ(test::get(port, "/").status, 403);
  EXPECT_EQ(test::get(port, "/?token=").status, 403);
  std::string wrong = server.token();
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const char* path : {"/", "/session", "/runs/0/history", "/thumbnails/0", "/nothing"})
    EXPECT_EQ(test::get(port, path + ("?token=" + wrong)).status, 403) << path;
  EXPECT_EQ(test::get(port, "/?token=" + server.token() + "0").status, 403);
  EXPECT_GE(server.token().size() * 4, 128u);  // bits, at four a digit
}

TEST_F(ServerTest, GoesByTheNamesOfLoopbackOnly) {
  const std::string target = with_token("/session"), at = ":" + std::to_string(port);
  for (const std::string& host : {"127.0.0.1" + at, "localhost" + at, "[::1]" + at})
    EXPECT_EQ(test::get(port, target, {{"Host", host}}).status, 200) << host;
  for (const std::string& host :
       {"evil.example" + at, "127.0.0.1.evil.example" + at, std::string("127.0.0.1:1"),
        std::string("127.0.0.1"), "10.0.0.1" + at, std::string()})
    EXPECT_EQ(test::get(port, target, {{"Host", host}}).status, 403) << host;
}

TEST_F(ServerTest, RefusesPagesOfOtherSites) {
  const std::string own = "http://127.0.0.1:" + std::to_string(port);
  EXPECT_EQ(test::get(port, with_token("/session"), {{"Origin", own}}).status, 200);
  for (const char* origin :
       {"http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"}) {
    EXPECT_EQ(test::get(port, with_token("/session"), {{"Origin", origin}}).status, 403) << origin;
    EXPECT_FALSE(Socket(port, with_token("/socket"), {{"Origin", origin}}).is_open()) << origin;
  }
  EXPECT_TRUE(Socket(port, with_token("/socket"), {{"Origin", own}}).is_open());
  EXPECT_FALSE(Socket(port, "/socket?token=guess").is_open());
  EXPECT_EQ(test::get(port, "/socket?token=guess").status, 403);
  EXPECT_EQ(test::get(port, with_token("/socket")).status, 426);
}

TEST_F(ServerTest, ServesNothingFromDisk) {
  for (const char* path :
       {"/../CMakeLists.txt", "/assets/../../etc/passwd", "/assets/%2e%2e/x",
        "/runs/0/frames/../../x", "/runs/0/frames/-1", "/runs/00/surface",
        "/runs/0/frames/99999999999999999999", "/thumbnails/..", "//etc/passwd", "/index.html/x"})
    EXPECT_EQ(test::get(port, with_token(path)).status, 404) << path;
  EXPECT_EQ(test::get(port, with_token("/runs/0/history")).status, 200);
}

TEST_F(ServerTest, TellsTheBrowserToTrustNothingElse) {
  const test::Reply reply = test::get(port, with_token("/"));
  EXPECT_THAT(reply.headers.at("Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(reply.headers.at("Content-Security-Policy"), HasSubstr("frame-ancestors 'none'"));
  EXPECT_THAT(reply.headers.at("Content-Security-Policy"), ::testing::Not(HasSubstr("unsafe")));
  EXPECT_EQ(reply.headers.at("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(reply.headers.at("Referrer-Policy"), "no-referrer");  // the token is in the address
  EXPECT_EQ(test::get(port, with_token("/"), {}, "POST").status, 405);
  const test::Reply head = test::get(port, with_token("/"), {}, "HEAD");
  EXPECT_EQ(head.headers.at("Content-Length"), std::to_string(reply.body.size()));
}

TEST_F(ServerTest, ClosesASocketThatSendsTooMuch) {
  Socket page(port, with_token("/socket"));
  ASSERT_TRUE(page.is_open());
  page.read_text("hello");
  page.send_text(R"({"type":"ping","pad":")" + std::string(70 << 10, 'x') + "\"}");
  test::Message last;
  while (!(last = page.read()).closed) {
  }
  EXPECT_EQ(last.code, 1009);  // RFC 6455: message too big
  EXPECT_TRUE(Socket(port, with_token("/socket")).is_open()) << "others are served on";
}

TEST_F(ServerTest, AnswersMessagesThatMakeNoSense) {
  Socket page(port, with_token("/socket"));
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("{}"), std::string(R"({"type":3})"),
        std::string(R"({"type":"ready"})"), std::string(R"({"type":"ready","count":"x"})"),
        std::string(1000, '['), std::string(R"({"type":"refuse"})")}) {
    page.send_text(text);
    EXPECT_FALSE(page.read_text("refused").closed) << text;
  }
}

TEST_F(ServerTest, SaysHelloWithTheRightToSteer) {
  Socket page(port, with_token("/socket"));
  const Json hello = page.read_text("hello").json();
  EXPECT_EQ(hello.at("version"), 1);
  EXPECT_EQ(hello.at("control"), true);
  EXPECT_EQ(hello.at("title"), "still");
  const Json session = Json::parse(test::get(port, with_token("/session")).body);
  EXPECT_EQ(session.at("session"), hello.at("session"));
}

TEST_F(ServerTest, SendsFramesOnlyForCredit) {
  Socket page(port, with_token("/socket"));
  page.read_text("hello");
  show->publish(frame_at(1, {0, 0, 0}));
  knock(page);
  EXPECT_FALSE(page.read().binary);
  EXPECT_EQ(show->wishes(), 0u);
  page.send({{"type", "ready"}, {"count", 2}});
  EXPECT_EQ(test::decode_frame(page.read_frame().data)->time, 1);
  show->publish(frame_at(2, {1, 0, 0}));
  EXPECT_EQ(test::decode_frame(page.read_frame().data)->time, 2);
  show->publish(frame_at(3, {2, 0, 0}));
  knock(page);
  EXPECT_FALSE(page.read().binary) << "two were asked for";
  page.send({{"type", "ready"}, {"count", 1}});
  const auto frame = test::decode_frame(page.read_frame().data);
  EXPECT_EQ(frame->time, 3);
  EXPECT_EQ(frame->number, 2u) << "counts what was sent to this page";
}

TEST_F(ServerTest, TwoPagesEachFollowAtTheirOwnPace) {
  Socket quick(port, with_token("/socket")), slow(port, with_token("/socket"));
  quick.send({{"type", "ready"}, {"count", 8}});
  slow.send({{"type", "ready"}, {"count", 1}});
  // Four vertices of which one moves: a partial frame against what each page has.
  std::vector<float> x(12, 0.5f);
  show->publish(frame_at(0, x));
  std::vector<float> of_quick = test::decode_frame(quick.read_frame().data)->positions;
  std::vector<float> of_slow = test::decode_frame(slow.read_frame().data)->positions;
  const auto apply = [](const test::DecodedFrame& frame, std::vector<float>& to) {
    if ((frame.flags & 1) != 0) to = frame.positions;
    for (std::size_t k = 0; k < frame.indices.size(); ++k)
      for (std::size_t i = 0; i < 3; ++i) to[3 * frame.indices[k] + i] = frame.positions[3 * k + i];
  };
  for (std::size_t step = 1; step <= 3; ++step) {
    x[3 * step + 1] += 1;
    show->publish(frame_at(static_cast<double>(step), x));
    const auto frame = test::decode_frame(quick.read_frame().data);
    EXPECT_EQ(frame->count, 1u);
    apply(*frame, of_quick);
    EXPECT_EQ(of_quick, x);
  }
  slow.send({{"type", "ready"}, {"count", 1}});
  const auto late = test::decode_frame(slow.read_frame().data);
  EXPECT_EQ(late->time, 3) << "the newest, not the next";
  apply(*late, of_slow);
  EXPECT_EQ(of_slow, x);
}

TEST_F(ServerTest, AnotherShowIsSaidToAllPages) {
  Socket page(port, with_token("/socket"));
  page.send({{"type", "ready"}, {"count", 8}});
  show->publish(frame_at(0, std::vector<float>(12, 0.5f)));
  page.read_frame();
  const auto next = std::make_shared<StillShow>();
  next->publish(frame_at(0, std::vector<float>(12, 0.5f)));
  server.show(next);
  EXPECT_EQ(page.read_text("hello").json().at("title"), "still");
  EXPECT_EQ(test::decode_frame(page.read_frame().data)->flags & 1, 1u) << "nothing of the old one";
}

// A browser asks for a gallery's pictures a few at a time; a scene may be started meanwhile.
TEST(ServerOfAGallery, GivesItsPicturesWhileASceneRuns) {
  const auto gallery = std::make_shared<StillShow>();
  gallery->picture = "a picture";
  Server server({.port = 0}, gallery);
  const std::string token = "?token=" + server.token();
  Socket page(server.port(), "/socket" + token);
  page.read_text("hello");
  server.show(std::make_shared<StillShow>());
  page.read_text("hello");
  const test::Reply reply = test::get(server.port(), "/thumbnails/0" + token);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "a picture");
}

TEST_F(ServerTest, PortsThatAreTakenAreSaidOrAvoided) {
  EXPECT_THAT([&] { Server second({.port = port}, show); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("--port " + std::to_string(port))));
  const Server first({}, show), second({}, show);
  EXPECT_NE(first.port(), second.port());
  EXPECT_EQ(test::get(second.port(), "/?token=" + second.token()).status, 200);
  EXPECT_THROW(Server({.host = "192.0.2.1", .port = 0}, show), InputError);
}

// 0.0.0.0 is not loopback: whoever comes may look and not touch.
TEST(ServerAbroad, LetsPagesSteerOnlyWhereItWasAllowed) {
  for (const bool control : {false, true}) {
    const auto show = std::make_shared<StillShow>();
    const Server server({.host = "0.0.0.0", .port = 0, .control = control}, show);
    EXPECT_FALSE(server.loopback());
    Socket page(server.port(), "/socket?token=" + server.token());
    EXPECT_EQ(page.read_text("hello").json().at("control"), control);
    page.send({{"type", "pause"}});
    page.send({{"type", "field"}, {"name", "nonsense"}});
    const std::string words = page.read_text("refused").json().at("text");
    EXPECT_EQ(words.find("--control") != std::string::npos, !control) << words;
    EXPECT_EQ(show->commands(), control ? 1 : 0);
  }
}

}  // namespace
}  // namespace pliant
