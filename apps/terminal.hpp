// What a person sees while a run goes on: on a terminal one line that is rewritten, elsewhere a
// plain line now and then; warnings above it.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/run/simulation.hpp>

namespace pliant::apps {

class Terminal {
 public:
  explicit Terminal(bool quiet);
  void show(const Progress& progress);
  void say(const LogEntry& entry);
  void close();  // leaves the last progress line standing

 private:
  bool quiet_, terminal_;
  bool line_open_ = false;
  double last_shown_ = -1;  // wall seconds
};

std::string counted(std::int64_t count, const char* one,
                    const char* many);  // "1 frame", "2 frames"
std::string in_words(double seconds);   // "1 h 02 min", "3.4 s"

}  // namespace pliant::apps
