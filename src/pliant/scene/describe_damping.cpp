// Damping: from the models of a scene to laws and what is laid over them. Ranges of single numbers
// are the schema's; what they must satisfy together is checked by the law itself, whose message
// gets its place in the file here.
#include <pliant/core/error.hpp>
#include <pliant/scene/reading.hpp>

namespace pliant::reading {
namespace {

// A number, or a formula whose values come later.
void read_strength(const Json& record, const char* key, std::vector<double>& value,
                   std::optional<Expression>& formula) {
  const Json& given = record.at(key);
  value = {given.is_number() ? given.get<double>() : 0.0};
  if (given.is_object())
    formula = Expression(given.at("field").get_ref<const std::string&>(), "xyz");
}

void read_base(const Json& record, DampingDescription& damping) {
  DampingLaw& law = *damping.law;
  const auto& model = record.at("model").get_ref<const std::string&>();
  if (model == "strain-rate") {
    law.base = DampingLaw::Base::strain_rate;
    read_strength(record, "psi", law.psi, damping.psi);
    read_strength(record, "phi", law.phi, damping.phi);
    return;
  }
  law.base = model == "rayleigh" ? DampingLaw::Base::rayleigh : DampingLaw::Base::principal_strain;
  read_strength(record, "beta", law.beta, damping.beta_field);
}

void read_spline(const Json& record, ViscousModifiers& over) {
  const auto knots = record.at("knots").get<std::vector<SplineCurve::Knot>>();
  const auto& what = record.at("over").get_ref<const std::string&>();
  if (what == "rate")
    over.over_rate = std::make_shared<const RateSpline>(knots, "knots");
  else
    over.over_strain = std::make_shared<const FactorCurve>(knots, "knots");
  over.each_strain = what == "each-strain";
}

StageTreatment treatment_of(const Json& record) {
  if (record.value("second_order", false)) return StageTreatment::second_order;
  return record.value("objective", false) ? StageTreatment::objective : StageTreatment::force;
}

void read_law(const Json& record, DampingDescription& damping) {
  DampingLaw& law = damping.law.emplace();
  const auto& model = record.at("model").get_ref<const std::string&>();
  if (model == "power-law")
    law.over.power = PowerLaw{record.at("p").get<double>(), record.at("strength").get<double>(),
                              record.at("epsilon").get<double>()};
  if (model == "spline") read_spline(record, law.over);
  if (record.contains("base")) damping.where += "/base";
  read_base(record.contains("base") ? record.at("base") : record, damping);
  if (record.value("conserve_momentum", false))
    law.over.nonrigid = record.at("momentum_form") == "projection"
                            ? NonrigidForm::projection
                            : NonrigidForm::velocity_gradient;
  law.treatment = treatment_of(record);
  check(law);
}

void read_modal(const Json& record, DampingDescription& damping) {
  ModalLaw& law = damping.modal.emplace();
  const Json& ratio = record.at("ratio");
  law.ratios = ratio.is_array() ? ratio.get<std::vector<double>>()
                                : std::vector<double>{ratio.get<double>()};
  if (ratio.is_array()) law.modes = static_cast<Index>(law.ratios.size());
  if (record.contains("modes")) law.modes = record.at("modes").get<Index>();
  if (record.contains("knots"))
    law.curve = std::make_shared<const FactorCurve>(
        record.at("knots").get<std::vector<SplineCurve::Knot>>(), "knots");
  law.treatment = treatment_of(record);
  check(law);
}

// Rayleigh damping with the stiffness of the step's start has an objective and no way to conserve
// momentum; whoever asks for more means the other kind.
void check_lagged(const Json& record, const std::string& at, Reader& reader) {
  for (const char* key : {"conserve_momentum", "objective", "second_order"})
    if (record.at(key).get<bool>())
      reader.problems.add(pointer_to(at, key), "needs \"implicit\": true beside it");
  if (record.at("beta").is_object())
    reader.problems.add(pointer_to(at, "beta"), "a field needs \"implicit\": true beside it");
}

}  // namespace

DampingDescription damping(const Json& record, const std::string& at, Reader& reader) {
  DampingDescription damping;
  damping.where = reader.where(at);
  const auto& model = record.at("model").get_ref<const std::string&>();
  if (model == "drag") damping.alpha = record.at("drag").get<double>();
  if (model == "rayleigh") {
    damping.alpha = record.at("alpha").get<double>();
    if (!record.at("implicit").get<bool>()) {
      check_lagged(record, at, reader);
      if (record.at("beta").is_number()) damping.beta = record.at("beta").get<double>();
      return damping;
    }
  }
  if (model == "drag") return damping;
  try {
    if (model == "modal")
      read_modal(record, damping);
    else
      read_law(record, damping);
  } catch (const InputError& error) {
    reader.add_problem(record, at, error.what());
  }
  return damping;
}

}  // namespace pliant::reading
