// A run that is watched and steered by a page.
#include <pliant/core/error.hpp>
#include <pliant/view/live_run.hpp>
#include <pliant/view/server.hpp>

#include "bar_scene.hpp"
#include "client.hpp"

#include <io/scratch_folder.hpp>

#include <gmock/gmock.h>

#include <thread>

namespace pliant {
namespace {

using fixtures::ScratchFolder;
using test::Socket;
using ::testing::HasSubstr;

// The run on a thread of its own until the test is over; it begins as the page finds it, paused.
class Session {
 public:
  explicit Session(double duration = 1e3, std::filesystem::path folder = {}, bool linger = true)
      : run_(std::make_shared<LiveRun>(
            test::bar_source(duration),
            LiveOptions{!folder.empty(), false, linger, [this] { return stop_ ? 2 : 0; }}, Log())),
        server_({.port = 0}, run_),
        page(server_.port(), "/socket?token=" + server_.token()) {
    page.send({{"type", "pause"}});
    request_.folder = std::move(folder);
    request_.scene_json = "{\"name\": \"bar\"}\n";
    request_.interrupted = [this] { return stop_ ? 2 : 0; };
    knock();
    thread_ = std::thread([this] { outcome = run_->run(request_, Log()); });
    hello = page_hello_;
  }
  ~Session() { end(); }
  void end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  // Until the server has taken in all that was sent.
  void knock() {
    page.send({{"type", "field"}, {"name", "nonsense"}});
    for (;;) {
      const test::Message message = page.read();
      if (message.binary) continue;
      const Json json = message.json();
      if (json.at("type") == "hello") page_hello_ = json;
      if (json.at("type") == "refused") return;
    }
  }
  Json status(const std::string& state) {
    for (;;) {
      const Json json = page.read_text("status").json();
      if (json.at("state") == state) return json;
    }
  }
  Json rows_until(std::int64_t step) {
    for (;;) {
      const Json rows = page.read_text("rows").json().at("rows");
      if (rows.back().at(0).get<std::int64_t>() >= step) return rows.back();
    }
  }
  std::string refusal() { return page.read_text("refused").json().at("text"); }
  void send(const char* type) { page.send({{"type", type}}); }
  void set(const char* path, const Json& value) {
    page.send({{"type", "set"}, {"path", path}, {"value", value}});
  }
  std::string get(const std::string& path) {
    const test::Reply reply = test::get(server_.port(), path + "?token=" + server_.token());
    return reply.status == 200 ? reply.body : "";
  }

 private:
  std::atomic<bool> stop_ = false;
  std::shared_ptr<LiveRun> run_;
  Server server_;
  RunRequest request_;
  std::thread thread_;
  Json page_hello_;

 public:
  Socket page;
  Json hello;
  RunOutcome outcome;
};

double column(const Session& session, const Json& row, const std::string& name) {
  const Json& columns = session.hello.at("runs").at(0).at("columns");
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] == name) return row.at(k).get<double>();
  return std::nan("");
}

TEST(LiveRun, PausesStepsAndResumes) {
  Session s;
  EXPECT_EQ(s.hello.at("mode"), "live");
  EXPECT_EQ(s.status("paused").at("step"), 0);
  for (int step = 1; step <= 3; ++step) {
    s.send("step");
    EXPECT_EQ(s.rows_until(step).at(0), step) << "one step and no more";
  }
  s.send("resume");
  s.rows_until(10);
  s.send("pause");
  const Json paused = s.status("paused");
  EXPECT_GE(paused.at("step"), 10);
  s.end();
  EXPECT_EQ(s.outcome.status, "interrupted");
}

// Whether they arrive during a step, between two or all at once.
TEST(LiveRun, MakesEveryStepThatIsAskedFor) {
  Session s;
  for (int k = 0; k < 3; ++k) s.send("step");
  EXPECT_EQ(s.rows_until(3).at(0), 3);
  s.set("gravity", {0, -1, 0});
  s.send("step");
  s.send("step");
  EXPECT_EQ(s.rows_until(5).at(0), 5);
  s.end();
  EXPECT_EQ(s.outcome.steps, 5);
}

TEST(LiveRun, SendsTheFieldThatIsAskedForAlsoWhileItStands) {
  Session s;
  s.send("step");
  s.rows_until(1);
  s.page.send({{"type", "ready"}, {"count", 8}});
  auto frame = test::decode_frame(s.page.read_frame().data);
  EXPECT_EQ(frame->field, 0u);
  EXPECT_EQ(frame->vertices, 20u);
  for (const auto& [name, number] : {std::pair{"velocity", 1u}, {"stress", 2u}, {"det", 3u}}) {
    s.page.send({{"type", "field"}, {"name", name}});
    do frame = test::decode_frame(s.page.read_frame().data);
    while (frame->field != number);
    EXPECT_GT(frame->largest, 0) << name;
    EXPECT_DOUBLE_EQ(frame->time, 0.01);
  }
}

TEST(LiveRun, RestartsFromTheBeginning) {
  Session s;
  s.send("resume");
  s.rows_until(5);
  s.send("pause");
  s.status("paused");
  s.send("restart");
  s.send("step");
  for (;;) {
    const Json rows = s.page.read_text("rows").json().at("rows");
    if (rows.front().at(0) == 0 || rows.back().at(0) == 1) break;
  }
  const Json history = Json::parse(s.get("/runs/0/history"));
  EXPECT_EQ(history.at("rows").front().at(0), 0);
  EXPECT_LE(history.at("rows").size(), 2u);
}

TEST(LiveRun, ChangesParametersBetweenStepsAndKeepsItsState) {
  Session s;
  s.send("step");
  const Json before = s.rows_until(1);
  s.set("gravity", {0, 0, 0});
  EXPECT_EQ(s.page.read_text("parameters").json().at("parameters").at(0).at("value"),
            Json({0, 0, 0}));
  s.set("integrator", "sdirk2");
  s.set("materials.m.young", 2e5);
  s.set("bodies.0.damping.0.beta", 1e-3);
  s.set("bodies.0.damping.0.alpha", 0.5);
  s.set("time.dt", 0.005);
  s.send("step");
  const Json after = s.rows_until(2);
  EXPECT_NEAR(column(s, after, "time"), 0.015, 1e-15);
  EXPECT_EQ(column(s, after, "external"), 0) << "no gravity any more";
  // One step of 5 ms at the speed that the tip had: it goes on where it was.
  EXPECT_LT(std::abs(column(s, after, "tip.y") - column(s, before, "tip.y")), 2e-3);
  EXPECT_NE(column(s, after, "tip.y"), column(s, before, "tip.y"));
  const Json session = Json::parse(s.get("/session"));
  EXPECT_EQ(session.at("runs").at(0).at("integrator"), "sdirk2");
  Json values;
  for (const Json& p : session.at("parameters"))
    values[p.at("path").get<std::string>()] = p.at("value");
  EXPECT_EQ(values.at("bodies.0.damping.0.beta"), 1e-3);
  EXPECT_EQ(values.at("bodies.0.damping.0.alpha"), 0.5);
}

TEST(LiveRun, RefusesBadValuesInTheSchemasWordsAndChangesNothing) {
  Session s;
  const Json before = Json::parse(s.get("/session")).at("parameters");
  s.set("materials.m.poisson", 0.7);
  EXPECT_THAT(s.refusal(), HasSubstr("materials.m.poisson=0.7"));
  s.set("time.dt", -1);
  EXPECT_THAT(s.refusal(), HasSubstr("time.dt"));
  s.set("gravity", "down");
  EXPECT_THAT(s.refusal(), HasSubstr("three numbers"));
  s.set("integrator", "sdirk22");
  EXPECT_THAT(s.refusal(), HasSubstr("sdirk2"));
  s.set("bodies.0.mesh.file", "/etc/passwd");
  EXPECT_THAT(s.refusal(), HasSubstr("not one of the parameters"));
  s.set("materials.m.density", 1e308);
  EXPECT_FALSE(s.refusal().empty());
  EXPECT_EQ(Json::parse(s.get("/session")).at("parameters"), before);
  s.send("step");
  EXPECT_EQ(s.rows_until(1).at(0), 1);
}

TEST(LiveRun, ADraggedBodyFollowsAndTheWorkIsCounted) {
  Session s;
  s.set("gravity", {0, 0, 0});
  s.page.read_text("parameters");
  s.page.send({{"type", "grab"},
               {"run", 0},
               {"triangle", 100000},
               {"weights", {1, 0, 0}},
               {"target", {0, 0, 0}}});
  EXPECT_THAT(s.refusal(), HasSubstr("no triangle"));
  s.send("release");
  s.page.send({{"type", "drag"}, {"target", {0, 1, 0}}});
  EXPECT_THAT(s.refusal(), HasSubstr("nothing is held"));
  // The last triangle is on top (y = 0.5) of the last cell, 1 < x < 2.
  const int last = s.hello.at("runs").at(0).at("bodies").at(0).at("triangles").get<int>() - 1;
  s.page.send({{"type", "grab"},
               {"run", 0},
               {"triangle", last},
               {"weights", {0.4, 0.3, 0.3}},
               {"target", {1.5, 0.5, 0}}});
  s.page.send({{"type", "drag"}, {"target", {1.5, 1, 0}}});
  s.send("step");
  const Json first = s.rows_until(1);
  EXPECT_GT(column(s, first, "work"), 0) << "moving the hand loads its spring";
  Json later;
  for (int step = 2; step <= 15; ++step) {
    s.send("step");
    later = s.rows_until(step);
  }
  // Half a metre at one hertz: at least ½ ω² d t² = 0.2 m for the whole body, and this is its end.
  EXPECT_GT(column(s, later, "tip.y"), 0.1);
  // Backward Euler takes energy and gives none: what is there came from the hand.
  EXPECT_GT(column(s, later, "total"), 0);
  EXPECT_LE(column(s, later, "total"), column(s, later, "work") * (1 + 1e-9));
  s.send("pause");
  s.page.send({{"type", "ready"}, {"count", 8}});
  std::optional<test::DecodedFrame> frame;
  do frame = test::decode_frame(s.page.read_frame().data);
  while (frame->grabbed.empty());
  EXPECT_EQ(frame->grabbed.at(4), 1.0f);
}

TEST(LiveRun, HasModesOnRequest) {
  Session s;
  EXPECT_TRUE(s.hello.at("runs").at(0).at("modes").at(0).at("frequency").is_null());
  const auto mode = test::decode_frame(s.get("/runs/0/modes/0"));
  ASSERT_TRUE(mode);
  double longest = 0;
  for (std::size_t k = 0; k < mode->positions.size(); k += 3)
    longest = std::max<double>(
        longest, std::hypot(mode->positions[k], mode->positions[k + 1], mode->positions[k + 2]));
  EXPECT_NEAR(longest, 1, 1e-6);
  const Json modes = Json::parse(s.get("/session")).at("runs").at(0).at("modes");
  EXPECT_GT(modes.at(0).at("frequency"), 0);
  EXPECT_EQ(s.get("/runs/0/modes/10"), "");
}

// With a result folder: the same files as without a viewer, bit for bit, and a change is said.
std::string summary_of(const std::filesystem::path& folder, const char* key) {
  return Json::parse(fixtures::read_text(folder / "summary.json")).value(key, Json()).dump();
}

TEST(LiveRun, LeavesTheResultsAsTheyAreWithoutIt) {
  const ScratchFolder scratch;
  LiveScene scene(test::bar_source(0.2), Log());
  RunRequest plain;
  plain.folder = scratch.path() / "plain";
  plain.scene_json = "{\"name\": \"bar\"}\n";
  run_simulation(scene.scene(), build_scene(scene.scene(), Log()), plain, Log());
  {
    Session s(0.2, scratch.path() / "viewed");
    s.page.send({{"type", "ready"}, {"count", 8}});
    s.send("restart");
    EXPECT_THAT(s.refusal(), HasSubstr("--force"));
    s.send("resume");
    s.status("done");
  }
  EXPECT_EQ(summary_of(scratch.path() / "viewed", "state_hash"),
            summary_of(scratch.path() / "plain", "state_hash"));
  EXPECT_EQ(summary_of(scratch.path() / "viewed", "changes"), "null");
}

TEST(LiveRun, SaysThatItsSceneWasChangedAndIsNotResumed) {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "changed";
  {
    Session s(0.2, folder);
    s.send("step");
    s.set("gravity", {0, -1, 0});
    s.page.read_text("parameters");
    s.send("step");
    s.rows_until(2);
  }
  EXPECT_THAT(summary_of(folder, "changes"), HasSubstr("gravity changed from [0,-9.81,0] to"));
  EXPECT_THAT(fixtures::read_text(folder / "log.jsonl"), HasSubstr("gravity changed"));
  LiveScene scene(test::bar_source(0.2), Log());
  RunRequest again;
  again.folder = folder;
  again.existing = ExistingResults::resume;
  again.scene_json = "{\"name\": \"bar\"}\n";
  EXPECT_THAT(
      [&] { run_simulation(scene.scene(), build_scene(scene.scene(), Log()), again, Log()); },
      ::testing::ThrowsMessage<InputError>(HasSubstr("changed while it ran")));
}

TEST(LiveRun, ForPagesBeginsWhenOneLooksOn) {
  std::atomic<bool> stop = false;
  const auto interrupted = [&stop] { return stop ? 2 : 0; };
  LiveOptions options{false, false, true, interrupted};
  options.wait_for_page = true;
  options.speed = 1;
  const auto run = std::make_shared<LiveRun>(test::bar_source(1e3), options, Log());
  const Server server({.port = 0}, run);
  RunRequest request;
  request.interrupted = interrupted;
  std::thread thread([&] { run->run(request, Log()); });
  Socket page(server.port(), "/socket?token=" + server.token());
  EXPECT_EQ(page.read_text("hello").json().at("speed"), 1);
  Json status = page.read_text("status").json();
  EXPECT_EQ(status.at("state"), "starting");
  EXPECT_EQ(status.at("step"), 0);
  page.send({{"type", "ready"}, {"count", 2}});
  while (status.at("state") != "running") status = page.read_text("status").json();
  while (status.at("step") < 5) status = page.read_text("status").json();
  stop = true;
  thread.join();
}

}  // namespace
}  // namespace pliant
