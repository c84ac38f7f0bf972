// Materials. Ranges of single constants are the schema's; what they must satisfy together is the
// law's own check, whose message gets its place in the file here.
#include <pliant/core/error.hpp>
#include <pliant/material/law_names.hpp>
#include <pliant/scene/reading.hpp>

namespace pliant::reading {
namespace {

std::optional<double> number_if_there(const Json& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::array<double, 3> triple(const Json& value) {
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

void read_axial(const Json& record, MaterialConstants& constants) {
  constants.axial_young = triple(record.at("young"));
  constants.axial_poisson = triple(record.at("poisson"));
  constants.axial_shear = triple(record.at("shear"));
  // The scene lists axes as rows, of any length; the law wants unit columns.
  const Mat3 columns = mat3(record.at("axes")).transpose();
  constants.axes = columns * columns.colwise().norm().cwiseInverse().asDiagonal();
}

std::optional<SplineCurve> read_knots(const Json& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end()) return std::nullopt;
  return SplineCurve(found->get<std::vector<SplineCurve::Knot>>(), key);
}

void read_constants(const Json& record, MaterialDescription& material) {
  MaterialConstants& constants = material.constants;
  constants.density = record.at("density").get<double>();
  constants.young = number_if_there(record, "young").value_or(1);
  constants.poisson = number_if_there(record, "poisson").value_or(0);
  constants.c10 = number_if_there(record, "c10");
  constants.c01 = number_if_there(record, "c01");
  constants.bulk = number_if_there(record, "bulk");
  if (const auto limits = record.find("limits"); limits != record.end())
    constants.stretch_limits = limits->get<std::array<double, 2>>();
  const auto young = record.find("young");
  if (young != record.end() && young->is_array()) read_axial(record, constants);
  if (young != record.end() && young->is_object())
    material.young_field = Expression(young->at("field").get_ref<const std::string&>(), "xyz");
  if (record.contains("f") || record.contains("g") || record.contains("h"))
    constants.curves = std::make_shared<const SplineCurves>(
        SplineCurves{read_knots(record, "f"), read_knots(record, "g"), read_knots(record, "h")});
}

MaterialDescription material(const Json& record, const std::string& at, Reader& reader) {
  MaterialDescription material;
  material.model = record.at("model").get<std::string>();
  material.where = reader.where(at);
  try {
    read_constants(record, material);
    require_sensible_constants(material.model, material.constants);
  } catch (const InputError& error) {
    reader.add_problem(record, at, error.what());
  }
  return material;
}

}  // namespace

std::map<std::string, MaterialDescription> materials(const Json& map, Reader& reader) {
  std::map<std::string, MaterialDescription> described;
  for (const auto& [name, record] : map.items())
    described.emplace(name, material(record, pointer_to("/materials", name), reader));
  return described;
}

}  // namespace pliant::reading
