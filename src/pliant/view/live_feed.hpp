// What a run says as it goes, kept for pages that follow at their own pace: rows of the history,
// log, status, refusals. Everything is bounded, however long the run and however slow the page. The
// simulation writes, the server's thread reads.
#pragma once

#include <pliant/core/log.hpp>
#include <pliant/core/timer.hpp>
#include <pliant/io/history.hpp>
#include <pliant/view/show.hpp>

#include <nlohmann/json.hpp>

#include <deque>

namespace pliant {

struct LiveStatus {
  std::string state = "starting";  // running, paused, done, failed, starting
  std::string reason;
  std::int64_t step = 0;
  double time = 0, duration = 0;  // s
  double speed = 0;               // simulated over wall time
  double wall_ms = 0;             // of the last step
};

class LiveFeed {
 public:
  void add_row(const HistoryRow& row);
  void start_anew();  // the rows that follow are of a new run
  void add_log(const LogEntry& entry);
  void refuse(std::uint64_t page, std::string words);
  void set_parameters(Json list);
  void set_status(const LiveStatus& status);

  Json parameters() const;
  Json history_rows() const;  // all of the run, thinned
  std::vector<std::string> news(Seen& seen) const;

 private:
  using Row = std::vector<double>;  // not a number where there is none
  struct Refusal {
    std::uint64_t page;
    std::string words;
  };
  void add_rows_after(Seen& seen, std::vector<std::string>& out) const;

  mutable std::mutex mutex_;
  std::deque<Row> recent_;  // the newest ones
  std::uint64_t rows_ = 0;  // so far; recent_ ends with this number
  std::vector<Row> thinned_;
  std::size_t stride_ = 1, since_kept_ = 0;
  std::deque<LogEntry> log_;
  std::uint64_t log_lines_ = 0;
  std::deque<Refusal> refusals_;
  std::uint64_t refused_ = 0;
  Json parameters_ = Json::array();
  std::uint64_t parameters_version_ = 1;
  LiveStatus status_;
  std::uint64_t status_version_ = 1;
};

}  // namespace pliant
