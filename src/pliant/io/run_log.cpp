// Log entries to lines of JSON.
#include <pliant/core/error.hpp>
#include <pliant/io/run_log.hpp>

#include <nlohmann/json.hpp>

namespace pliant {

std::string make_log_line(const LogEntry& entry) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["level"] = std::string(name_of(entry.level));
  json["time"] = entry.time < 0 ? Json(nullptr) : Json(entry.time);
  json["text"] = entry.text;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

void RunLog::write(const LogEntry& entry) {
  if (failed_) return;
  try {
    file_.append(make_log_line(entry));
  } catch (const WriteError&) {
    failed_ = true;
    throw;
  }
}

}  // namespace pliant
