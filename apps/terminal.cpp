#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace pliant::apps {
namespace {

constexpr double kTerminalEvery = 0.1, kPlainEvery = 5.0;  // s

}  // namespace

std::string counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string in_words(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

Terminal::Terminal(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void Terminal::show(const Progress& p) {
  if (quiet_) return;
  const bool last = p.steps ? p.step == *p.steps : p.time >= p.duration;
  if (!last && p.wall - last_shown_ < (terminal_ ? kTerminalEvery : kPlainEvery)) return;
  last_shown_ = p.wall;
  const std::string line =
      fmt::format("step {}{}  t = {:.4g} s  newton {}  {:.3g} x real time  {}", p.step,
                  p.steps ? fmt::format("/{}", *p.steps) : "", p.time, p.newton, p.speed,
                  last ? "done" : "ETA " + in_words(p.remaining));
  if (terminal_) {
    fmt::print(stderr, "\r{}\x1b[K", line);
    line_open_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

void Terminal::say(const LogEntry& entry) {
  if (quiet_ && entry.level < LogLevel::warning) return;
  close();
  const std::string when = entry.time >= 0 ? fmt::format(" at {:.6g} s", entry.time) : "";
  if (entry.level >= LogLevel::warning)
    fmt::print(stderr, "{}{}: {}\n", name_of(entry.level), when, entry.text);
  else
    fmt::print(stderr, "{}{}\n", entry.text, when);
}

void Terminal::close() {
  if (line_open_) fmt::print(stderr, "\n");
  line_open_ = false;
}

}  // namespace pliant::apps
