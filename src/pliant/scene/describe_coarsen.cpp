// Bodies that shall move like a finer mesh.
#include <pliant/scene/reading.hpp>
#include <pliant/scene/refine.hpp>

#include <fmt/format.h>

namespace pliant::reading {
std::optional<CoarsenDescription> coarsen(const Json& record, const MeshDescription& own,
                                          const std::string& at, Reader& reader) {
  CoarsenDescription out;
  out.where = reader.where(at);
  out.young_only = record.at("method") == "dac";
  if (record.contains("fine")) out.fine = mesh(record.at("fine"), at + "/fine", reader);
  if (record.contains("refine")) {
    out.fine = refined(own, record.at("refine").get<double>());
    if (!out.fine)
      reader.problems.add(at + "/refine",
                          "a mesh from a file has no size that could be made finer; give the fine "
                          "mesh as \"fine\"");
  }
  if (record.contains("ratios")) {
    out.ratios = record.at("ratios").get<std::vector<double>>();
    if (out.young_only)
      reader.problems.add(at + "/ratios",
                          "dac has one factor, which the material's young can have in it; ratios "
                          "of modes are eigenfit's");
  }
  if (record.at("modes").is_number()) out.modes = record.at("modes").get<int>();
  if (!out.modes && !out.fine)
    reader.problems.add(at + "/modes", "\"auto\" compares with a fine mesh; ratios have none");
  out.subspace = record.value("subspace", 0);
  if (out.subspace > 0 && out.modes && out.subspace < *out.modes)
    reader.problems.add(at + "/subspace", fmt::format("must be at least modes, {}, got {}",
                                                      *out.modes, out.subspace));
  if (record.at("refresh").is_string())
    out.refresh = record.at("refresh").get<std::string>();
  else
    out.refresh = record.at("refresh").get<int>();
  out.by_overlap = record.at("pairing") == "overlap";
  out.on_failure = record.at("on_failure").get<std::string>();
  out.show_fine = record.at("show_fine").get<bool>();
  return out;
}

}  // namespace pliant::reading
