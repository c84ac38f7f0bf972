#include <pliant/view/live_feed.hpp>

#include <pliant/view/history_text.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr std::size_t kRecentRows = 4096, kRowsPerMessage = 1000;
constexpr std::size_t kLogLines = 200, kRefusals = 64;

std::string text_of(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const std::vector<double>& row) {
  Json numbers = Json::array();
  for (const double x : row) numbers.push_back(std::isfinite(x) ? Json(x) : Json());
  return numbers;
}

// How many of the newest of `held` a page lacks that has seen up to `seen` of `all`.
std::size_t lacking(std::uint64_t seen, std::uint64_t all, std::size_t held) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(all - seen, held));
}

}  // namespace

// In the order of history.csv.
void LiveFeed::add_row(const HistoryRow& row) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  Row numbers = {count(row.step),   row.time,           row.dt,    row.kinetic, row.elastic,
                 row.external,      row.contact,        row.total, row.p[0],    row.p[1],
                 row.p[2],          row.l[0],           row.l[1],  row.l[2],    count(row.newton),
                 count(row.linear), count(row.contacts)};
  numbers.push_back(row.min_gap.value_or(none));
  numbers.push_back(row.wall_ms);
  numbers.insert(numbers.end(), row.probes.begin(), row.probes.end());
  for (const auto& extra : row.extras) numbers.push_back(extra.value_or(none));

  const std::lock_guard lock(mutex_);
  if (since_kept_++ % stride_ == 0) thinned_.push_back(numbers);
  if (thinned_.size() >= kMostRows) {  // keep every second one from here on
    for (std::size_t k = 1; 2 * k < thinned_.size(); ++k) thinned_[k] = std::move(thinned_[2 * k]);
    thinned_.resize((thinned_.size() + 1) / 2);
    stride_ *= 2;
  }
  recent_.push_back(std::move(numbers));
  if (recent_.size() > kRecentRows) recent_.pop_front();
  ++rows_;
}

void LiveFeed::start_anew() {
  const std::lock_guard lock(mutex_);
  thinned_.clear();
  stride_ = 1;
  since_kept_ = 0;
}

void LiveFeed::add_log(const LogEntry& entry) {
  const std::lock_guard lock(mutex_);
  log_.push_back(entry);
  if (log_.size() > kLogLines) log_.pop_front();
  ++log_lines_;
}

void LiveFeed::refuse(std::uint64_t page, std::string words) {
  const std::lock_guard lock(mutex_);
  refusals_.push_back({page, std::move(words)});
  if (refusals_.size() > kRefusals) refusals_.pop_front();
  ++refused_;
}

void LiveFeed::set_parameters(Json list) {
  const std::lock_guard lock(mutex_);
  parameters_ = std::move(list);
  ++parameters_version_;
}

void LiveFeed::set_status(const LiveStatus& status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  ++status_version_;
}

Json LiveFeed::parameters() const {
  const std::lock_guard lock(mutex_);
  return parameters_;
}

Json LiveFeed::history_rows() const {
  const std::lock_guard lock(mutex_);
  Json rows = Json::array();
  for (const Row& row : thinned_) rows.push_back(to_json(row));
  const bool newest_kept =
      recent_.empty() || thinned_.empty() || thinned_.back()[0] == recent_.back()[0];
  if (!newest_kept) rows.push_back(to_json(recent_.back()));
  return rows;
}

void LiveFeed::add_rows_after(Seen& seen, std::vector<std::string>& out) const {
  Json rows = Json::array();
  const std::size_t missing = lacking(seen.rows, rows_, recent_.size());
  const std::size_t sent = std::min(missing, kRowsPerMessage);
  for (std::size_t k = recent_.size() - missing; k < recent_.size() - missing + sent; ++k)
    rows.push_back(to_json(recent_[k]));
  seen.rows = rows_ - (missing - sent);
  if (sent > 0) out.push_back(text_of({{"type", "rows"}, {"run", 0}, {"rows", std::move(rows)}}));
}

std::vector<std::string> LiveFeed::news(Seen& seen) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  if (seen.parameters == 0) {  // a page that has just said hello asks for the rows before itself
    seen.rows = rows_;
    seen.refusals = refused_;
    seen.parameters = parameters_version_;  // they came with hello
  }
  for (std::size_t k = log_.size() - lacking(seen.log, log_lines_, log_.size()); k < log_.size();
       ++k)
    out.push_back(text_of({{"type", "log"},
                           {"level", name_of(log_[k].level)},
                           {"time", log_[k].time < 0 ? Json() : Json(log_[k].time)},
                           {"text", log_[k].text}}));
  seen.log = log_lines_;
  for (std::size_t k = refusals_.size() - lacking(seen.refusals, refused_, refusals_.size());
       k < refusals_.size(); ++k)
    if (refusals_[k].page == seen.page)
      out.push_back(text_of({{"type", "refused"}, {"text", refusals_[k].words}}));
  seen.refusals = refused_;
  if (std::exchange(seen.parameters, parameters_version_) != parameters_version_)
    out.push_back(text_of({{"type", "parameters"}, {"parameters", parameters_}}));
  add_rows_after(seen, out);
  if (std::exchange(seen.status, status_version_) != status_version_)
    out.push_back(text_of({{"type", "status"},
                           {"state", status_.state},
                           {"step", status_.step},
                           {"time", status_.time},
                           {"duration", status_.duration},
                           {"speed", status_.speed},
                           {"wall_ms", status_.wall_ms},
                           {"reason", status_.reason}}));
  return out;
}

}  // namespace pliant
