// summary.json and log.jsonl, parsed back with the JSON library.
#include <pliant/core/error.hpp>
#include <pliant/io/run_log.hpp>
#include <pliant/io/summary.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>

namespace pliant {
namespace {

using fixtures::read_text;
using fixtures::ScratchFolder;
using nlohmann::json;

TEST(Summary, HoldsEverythingTheContractNames) {
  Summary summary;
  summary.steps = 400;
  summary.frames = 51;
  summary.simulated_seconds = 2;
  summary.wall_seconds = 0.1 + 0.2;
  summary.newton_iterations = 1234;
  summary.linear_iterations = 56789;
  summary.first.external = 0.1;
  summary.last.total = -1.0 / 3.0;
  summary.smallest_gap = 1e-4;
  summary.state_hash = "00ff";
  summary.threads = 2;
  summary.versions = {{"pliant", "0.1.0"}};
  summary.counts = {{"nodes", 55}};
  const ScratchFolder scratch;
  write_summary(scratch.path() / "summary.json", summary);
  const json read = json::parse(read_text(scratch.path() / "summary.json"));
  EXPECT_EQ(read.at("status"), "done");
  EXPECT_EQ(read.at("steps"), 400);
  EXPECT_EQ(read.at("frames"), 51);
  EXPECT_EQ(read.at("simulated_seconds").get<double>(), 2.0);
  EXPECT_EQ(read.at("wall_seconds").get<double>(), 0.1 + 0.2);
  EXPECT_EQ(read.at("iterations").at("newton"), 1234);
  EXPECT_EQ(read.at("iterations").at("linear"), 56789);
  EXPECT_EQ(read.at("energies").at("first").at("external").get<double>(), 0.1);
  EXPECT_EQ(read.at("energies").at("last").at("total").get<double>(), -1.0 / 3.0);
  EXPECT_EQ(read.at("smallest_gap").get<double>(), 1e-4);
  EXPECT_EQ(read.at("state_hash"), "00ff");
  EXPECT_EQ(read.at("threads"), 2);
  EXPECT_EQ(read.at("versions").at("pliant"), "0.1.0");
  EXPECT_EQ(read.at("nodes"), 55);
  for (const char* count : {"steps", "frames", "retries", "threads", "nodes"})
    EXPECT_TRUE(read.at(count).is_number_integer()) << count;
  EXPECT_FALSE(read.contains("reason"));
}

TEST(Summary, IsValidJsonWhateverItHolds) {
  Summary summary;
  summary.status = "failed";
  summary.reason = "quote \" line \n bad \xff byte";
  summary.last.total = std::numeric_limits<double>::quiet_NaN();
  const json read = json::parse(make_summary_json(summary));
  EXPECT_TRUE(read.at("smallest_gap").is_null());
  EXPECT_TRUE(read.at("energies").at("last").at("total").is_null());
  EXPECT_EQ(read.at("reason"), "quote \" line \n bad \xef\xbf\xbd byte");
}

TEST(RunLog, WritesOneObjectALine) {
  const ScratchFolder scratch;
  RunLog log(scratch.path() / "log.jsonl");
  log.write({LogLevel::info, -1, "begins"});
  log.write({LogLevel::warning, 0.125, "two\nlines, a \"quote\" and a bad byte \xff"});
  std::stringstream in(read_text(scratch.path() / "log.jsonl"));
  std::vector<json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], (json{{"level", "info"}, {"time", nullptr}, {"text", "begins"}}));
  EXPECT_EQ(lines[1].at("level"), "warning");
  EXPECT_EQ(lines[1].at("time").get<double>(), 0.125);
  EXPECT_EQ(lines[1].at("text"), "two\nlines, a \"quote\" and a bad byte \xef\xbf\xbd");
}

TEST(RunLog, SaysOnceThatItCannotWrite) {
  RunLog log("/dev/full");
  EXPECT_THROW(log.write({LogLevel::info, -1, "a"}), WriteError);
  EXPECT_NO_THROW(log.write({LogLevel::error, -1, "the log could not be written"}));
}

}  // namespace
}  // namespace pliant
