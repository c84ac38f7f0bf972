// Summary to JSON, keys in the order a person would read them.
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/summary.hpp>

#include <nlohmann/json.hpp>

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const SummaryEnergies& energies) {
  return {{"kinetic", energies.kinetic},
          {"elastic", energies.elastic},
          {"external", energies.external},
          {"contact", energies.contact},
          {"total", energies.total}};
}

}  // namespace

std::string make_summary_json(const Summary& summary) {
  Json json;
  json["status"] = summary.status;
  if (!summary.reason.empty()) json["reason"] = summary.reason;
  json["steps"] = summary.steps;
  json["frames"] = summary.frames;
  json["simulated_seconds"] = summary.simulated_seconds;
  json["wall_seconds"] = summary.wall_seconds;
  json["iterations"] = {{"newton", summary.newton_iterations},
                        {"linear", summary.linear_iterations}};
  json["retries"] = summary.retries;
  json["energies"] = {{"first", to_json(summary.first)}, {"last", to_json(summary.last)}};
  json["energy_created"] = {{"total", summary.created.total},
                            {"worst_step", summary.created.worst_step},
                            {"time", summary.created.time}};
  json["smallest_gap"] = summary.smallest_gap ? Json(*summary.smallest_gap) : Json(nullptr);
  json["state_hash"] = summary.state_hash;
  json["threads"] = summary.threads;
  json["versions"] = summary.versions;
  if (!summary.notes.empty()) json["notes"] = summary.notes;
  if (!summary.changes.empty()) json["changes"] = summary.changes;
  for (const auto& [name, count] : summary.counts) json[name] = count;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_summary(const std::filesystem::path& path, const Summary& summary) {
  write_file_atomically(path, make_summary_json(summary));
}

}  // namespace pliant
