// The library never prints. What happened goes to a Log, which hands it to whoever listens: the
// command line prints it, a run writes it to log.jsonl, a test collects it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace pliant {

enum class LogLevel { debug, info, warning, error };

constexpr std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
  }
  return "";
}

struct LogEntry {
  LogLevel level = LogLevel::info;
  double time = -1;  // simulated seconds; negative before and after the simulation
  std::string text;
};

class Log {
 public:
  using Listener = std::function<void(const LogEntry&)>;

  Log() = default;
  explicit Log(Listener listener) : listener_(std::move(listener)) {}

  void info(std::string text, double time = -1) const {
    say({LogLevel::info, time, std::move(text)});
  }
  void warn(std::string text, double time = -1) const {
    say({LogLevel::warning, time, std::move(text)});
  }
  void say(const LogEntry& entry) const {
    if (listener_) listener_(entry);
  }

 private:
  Listener listener_;
};

}  // namespace pliant
