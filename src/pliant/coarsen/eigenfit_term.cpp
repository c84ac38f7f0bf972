#include <pliant/coarsen/eigenfit_memory.hpp>

#include <pliant/core/error.hpp>
#include <pliant/solve/low_rank_columns.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// ‖K u − λ M u‖ ≤ this λ in the norm of M⁻¹ where modes are looked for; the error of λ is less than
// the square of it. Where they are followed, what they turn by in the last round.
constexpr double kModeTolerance = 0.05;
constexpr double kModeAngle = 0.1;
// `auto` computes new modes where the correction by the old ones is off by more than this part of
// the elastic force.
constexpr double kLargestError = 0.05;
constexpr double kNearStiffness = 2;  // times that at rest

}  // namespace

struct EigenFitTerm::Workspace {
  BlockMatrix system, K, K_anchor;
  EigenpairSolver eigen{
      EigenOptions{.tolerance = kModeTolerance, .angle = kModeAngle, .semidefinite = true}};
  // What the factors in there are of.
  Vector anchor;
  const RestFit* fit = nullptr;
};

std::shared_ptr<const TermMemory> EigenFitTerm::recall(std::span<const double> numbers) const {
  auto memory = Memory::from(numbers, part_.dofs(), input_.fits);
  if (!memory)
    throw InputError("the checkpoint's modes of body \"" + input_.body + "\" do not fit the scene");
  auto modes = std::make_shared<FoundModes>(*memory->modes);
  set_back(*modes);
  memory->modes = std::move(modes);
  return memory;
}

EigenFitTerm::EigenFitTerm(EigenFitInput input, const NodeMatrix& system_mass, Vector rest)
    : input_(std::move(input)),
      part_(input_.nodes, system_mass),
      rest_(std::move(rest)),
      gradients_(input_.nodes, view(rest_)),
      work_(std::make_unique<Workspace>()) {}

EigenFitTerm::~EigenFitTerm() = default;

const EigenFitTerm::Memory* EigenFitTerm::own(const Configuration& c) const {
  return static_cast<const Memory*>(memory(c));
}

const EigenFitStatus* EigenFitTerm::status(const TermMemories& memories) const {
  const Memory* known = own({.q = {}, .v = {}, .memories = &memories});
  return known ? &known->status : nullptr;
}

const RestFit* EigenFitTerm::fit(const TermMemories& memories) const {
  const Memory* known = own({.q = {}, .v = {}, .memories = &memories});
  return known ? known->fit.get() : nullptr;
}

std::shared_ptr<const RestFit> EigenFitTerm::fit_for(const StepStart& step) const {
  for (const auto& fit : input_.fits)
    if (fit->are_of(step, input_.pins, part_)) return fit;
  throw CannotContinue("body \"" + input_.body +
                       "\" is held by a set of pins that no modes were computed for");
}

// (15c) corrects by M U (R − I) Uᵀ f. The body turns and stretches since its modes were found, by
// F F₀⁻¹ around each node, and they go along: what the old ones miss of that, in the norm of M,
// times |r − 1|, is how far the correction is off, as a part of the elastic force, twice: once in
// Uᵀ f and once in M U. The eigenvalues do not come into it, as f is that of the present.
double EigenFitTerm::error_of_old_modes(const StepStart& step, const Memory& memory) const {
  const FoundModes& modes = *memory.modes;
  const std::vector<Mat3> F = gradients_.at(part_.part_of(step.now.q));
  Vector missed = Vector::Zero(modes.values.size()), all = missed;
  for (std::size_t n = 0; n < F.size(); ++n) {
    const Mat3 moved = F[n] * modes.back[n] - Mat3::Identity();
    const double mass = part_.mass().diagonal(static_cast<Index>(n));
    const auto u = modes.U.middleRows<3>(3 * static_cast<Eigen::Index>(n));
    missed += mass * (moved * u).colwise().squaredNorm().transpose();
    all += mass * u.colwise().squaredNorm().transpose();
  }
  double error = 0;
  for (Eigen::Index i = 0; i < missed.size(); ++i) {
    const double part = 2 * std::abs(modes.ratios[i] - 1) * std::sqrt(missed[i] / all[i]);
    if (!(part <= error)) error = part;
  }
  return error;
}

// Whether it is time for new modes.
bool EigenFitTerm::due(const StepStart& step, const Memory& before, const Memory& next) const {
  if (input_.linear || input_.options.refresh == kModesNever) return false;
  if (before.age == 0 && as_vector(part_.part_of(step.now.q)) == before.q)
    return false;  // nothing has moved since
  if (input_.options.refresh > 0) return next.age >= input_.options.refresh;
  return !(error_of_old_modes(step, before) <= kLargestError);
}

// The factors of K at the anchor, as they were before: after a checkpoint, or a step that was taken
// back, they are others.
bool EigenFitTerm::restore_factors(const StepStart& step, const Memory& memory) const {
  const Vector& anchor = memory.modes->anchor;
  if (anchor.size() == 0) return false;
  if (work_->fit == memory.fit.get() && work_->anchor == anchor) return true;
  Vector q = as_vector(step.now.q);
  as_vector(part_.part_of(view(q))) = anchor;
  part_.assemble({.t = step.now.t, .q = view(q), .v = step.now.v}, work_->system, work_->K_anchor);
  work_->anchor = anchor;
  work_->fit = memory.fit.get();
  if (!work_->eigen.factorize({work_->K_anchor, part_.mass(), memory.fit->mask}))
    work_->fit = nullptr;
  return work_->fit;
}

// With the factors at hand where they are of a place near enough, else with new ones, and else from
// the beginning.
ElasticModes EigenFitTerm::search(const StepStart& step, const Memory& memory,
                                  Vector& anchor) const {
  const auto x = part_.part_of(step.now.q);
  const EigenProblem problem{work_->K, part_.mass(), memory.fit->mask};
  const ElasticSearch near{problem, x, static_cast<Index>(memory.fit->values.size()), true};
  const Matrix& start = memory.modes->start;
  anchor = memory.modes->anchor;
  if (restore_factors(step, memory)) {
    part_.assemble(step.now, work_->system, work_->K);
    ElasticModes found = find_elastic_modes(near, work_->eigen, start);
    if (found.ok) return found;
  } else {
    part_.assemble(step.now, work_->system, work_->K);
  }
  anchor = work_->anchor = as_vector(x);
  work_->fit = memory.fit.get();
  if (work_->eigen.factorize(problem)) {
    ElasticModes found = find_elastic_modes(near, work_->eigen, start);
    if (found.ok) return found;
  }
  return find_elastic_modes({problem, x, near.count}, work_->eigen, start);
}

void EigenFitTerm::find_modes(const StepStart& step, Memory& next) const {
  FoundModes modes;
  ElasticModes found = search(step, next, modes.anchor);
  if (!found.ok || found.values.size() == 0) {
    next.status.failure = found.reason;
    return;
  }
  modes.values = std::move(found.values);
  modes.U = std::move(found.vectors);
  modes.start = std::move(found.start);
  // A round with old factors costs as much as new factors do, which save it for some time.
  if (found.rounds > 1) modes.anchor.resize(0);
  next.status.refreshed = true;
  keep(step, std::move(modes), next);
}

void EigenFitTerm::take_rest_modes(const StepStart& step, Memory& next) const {
  part_.assemble(step.now, work_->system, work_->K);
  FoundModes modes;
  modes.values = next.fit->values;
  modes.U = next.fit->vectors;
  modes.start = next.fit->start;
  keep(step, std::move(modes), next);
}

// Modes of K as it stands in the workspace, at the beginning of this step.
void EigenFitTerm::keep(const StepStart& step, FoundModes modes, Memory& next) const {
  modes.x = as_vector(part_.part_of(step.now.q));
  set_stiffness(next.fit->mask, modes);
  pair(step, modes, next);
  set_back(modes);
  next.modes = std::make_shared<const FoundModes>(std::move(modes));
  next.age = 0;
}

void EigenFitTerm::set_back(FoundModes& modes) const {
  if (input_.options.refresh != kModesAuto || input_.linear || modes.x.size() == 0) return;
  modes.back = gradients_.at(view(modes.x));
  for (Mat3& F : modes.back) F = F.inverse().eval();
}

// z_i = λ_i M u_i on free coordinates, K u_i on the others.
void EigenFitTerm::set_stiffness(const DofMask& mask, FoundModes& modes) const {
  modes.Z = part_.times_mass(modes.U) * modes.values.asDiagonal();
  const Matrix held = part_.times_stiffness_on(mask, work_->K, modes.U);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) modes.Z.row(static_cast<Eigen::Index>(i)) = held.row(static_cast<Eigen::Index>(i));
}

// What the modes at rest have to be turned by before they are compared: what holds the body turns
// them, or, where nothing does, the body itself.
Mat3 EigenFitTerm::turned(const StepStart& step, const DofMask& mask) const {
  const auto nodes = static_cast<std::size_t>(part_.dofs()) / 3;
  std::vector<double> weights(nodes, 0.0);
  bool held = false;
  for (std::size_t n = 0; n < nodes; ++n) {
    const bool pinned = mask[3 * n] && mask[3 * n + 1] && mask[3 * n + 2];
    weights[n] = pinned ? 1 : 0;
    held = held || pinned;
  }
  if (!held)
    for (std::size_t n = 0; n < nodes; ++n)
      weights[n] = part_.mass().diagonal(static_cast<Index>(n));
  return best_rotation(view(rest_), part_.part_of(step.now.q), weights);
}

void EigenFitTerm::pair(const StepStart& step, FoundModes& modes, Memory& next) const {
  const RestFit& fit = *next.fit;
  const Eigen::Index s = modes.values.size();
  Matrix overlap = Matrix::Identity(s, fit.values.size());
  if (!input_.linear) {
    const Mat3 Q = turned(step, fit.mask);
    const std::vector<Mat3> R = gradients_.rotations_at(part_.part_of(step.now.q));
    Matrix turned_rest = fit.MU, carried_rest = fit.MU;
    for (Eigen::Index n = 0; n < turned_rest.rows(); n += 3) {
      turned_rest.middleRows<3>(n) = Q * fit.MU.middleRows<3>(n);
      carried_rest.middleRows<3>(n) = R[static_cast<std::size_t>(n / 3)] * fit.MU.middleRows<3>(n);
    }
    next.status.acceptance = accept_modes(modes.U.transpose() * turned_rest);
    overlap = modes.U.transpose() * carried_rest;
  } else {
    next.status.acceptance = accept_modes(overlap);
  }
  const Pairing pairing = pair_modes(overlap);
  next.status.crossed = pairing.crossed();
  next.status.permutation = pairing.in_words();
  next.status.near = next.status.first_crossed = 0;
  for (Eigen::Index i = s; i-- > 0;) {
    const Eigen::Index j = pairing.partner[static_cast<std::size_t>(i)];
    if (j != i) next.status.first_crossed = static_cast<Index>(i) + 1;
    const double stiffer = j < 0 ? 0 : modes.values[i] / fit.values[j];
    next.status.near += stiffer <= kNearStiffness && stiffer * kNearStiffness >= 1;
  }
  next.status.accepted = next.status.passes() && fit.acceptance.passed();
  set_ratios(fit, overlap, modes);
}

void EigenFitTerm::set_ratios(const RestFit& fit, const Matrix& overlap, FoundModes& modes) const {
  const auto corrected = [&](Eigen::Index j) {
    return j < input_.options.modes ? fit.ratios[j] : 1.0;
  };
  modes.ratios.setOnes(modes.values.size());
  for (Eigen::Index i = 0; i < modes.values.size(); ++i) {
    if (input_.options.pairing == ModePairing::index) {
      modes.ratios[i] = corrected(i);
      continue;
    }
    double shares = 0, sum = 0;
    for (Eigen::Index j = 0; j < fit.values.size(); ++j) {
      const double share = overlap(i, j) * overlap(i, j);
      shares += share;
      sum += share * (corrected(j) - 1);
    }
    // What is hardly any of the modes at rest has no ratio.
    const double known = std::min(1.0, shares / (kKnownOverlap * kKnownOverlap));
    if (shares > 0) modes.ratios[i] = 1 + known * sum / shares;
  }
}

// Off and back on within one period of the first mode.
void EigenFitTerm::set_strength(double h, Memory& next) const {
  if (input_.options.on_failure != FailurePolicy::off || next.fit->values.size() == 0) return;
  const double period = 2 * std::numbers::pi / std::sqrt(next.fit->values[0]);
  const double change = (next.status.accepted ? 1 : -1) * h / period;
  next.status.strength = std::clamp(next.status.strength + change, 0.0, 1.0);
}

std::shared_ptr<const TermMemory> EigenFitTerm::remember(const StepStart& step,
                                                         const TermMemory* before_) const {
  const auto* before = static_cast<const Memory*>(before_);
  const std::shared_ptr<const RestFit> fit = fit_for(step);
  const bool other_pins = !before || before->fit != fit;
  const bool fades = input_.options.on_failure == FailurePolicy::off;
  if (!other_pins && (fit->values.size() == 0 || (input_.linear && !fades)))
    return before->shared_from_this();
  auto next = before ? std::make_shared<Memory>(*before) : std::make_shared<Memory>();
  next->fit = fit;
  next->status.refreshed = false;
  next->status.failure.clear();
  if (fit->values.size() == 0) {  // nothing of it can move
    FoundModes none;
    for (Matrix* part : {&none.U, &none.Z, &none.start}) part->resize(part_.dofs(), 0);
    next->modes = std::make_shared<const FoundModes>(std::move(none));
    next->g.resize(0);
    next->q = as_vector(part_.part_of(step.now.q));
    return next;
  }
  if (!other_pins) next->age += 1;
  if (other_pins) take_rest_modes(step, *next);
  if (other_pins ? !input_.linear : due(step, *before, *next)) find_modes(step, *next);
  if (!before && fades && !next->status.accepted) next->status.strength = 0;
  if (step.h > 0 && before) set_strength(step.h, *next);
  if (input_.linear) {  // then (15c) holds everywhere, with Uᵀ f(q) = −Zᵀ (q − rest)
    next->q = rest_;
    next->g.setZero(next->modes->values.size());
    return next;
  }
  next->q = as_vector(part_.part_of(step.now.q));
  next->g = next->modes->U.transpose() * part_.force(step.now);
  return next;
}

double EigenFitTerm::potential(const Configuration& c) const {
  const Memory* m = own(c);
  if (!m || m->none()) return 0;
  const Vector y = m->g - m->modes->Z.transpose() * (as_vector(part_.part_of(c.q)) - m->q);
  return 0.5 * m->scales().dot(y.cwiseAbs2());
}

double EigenFitTerm::dissipation(const Configuration& c) const {
  const Memory* m = own(c);
  if (!m || input_.beta == 0 || m->none()) return 0;
  const Vector y = m->modes->Z.transpose() * as_vector(part_.part_of(c.v));
  return 0.5 * input_.beta * m->scales().dot(y.cwiseAbs2());
}

void EigenFitTerm::add_force(const Configuration& c, std::span<double> f) const {
  const Memory* m = own(c);
  if (!m || m->none()) return;
  Vector y = m->g - m->modes->Z.transpose() * (as_vector(part_.part_of(c.q)) - m->q);
  if (input_.beta != 0)
    y -= input_.beta * (m->modes->Z.transpose() * as_vector(part_.part_of(c.v)));
  const Vector scaled = m->scales().cwiseProduct(y);
  if (scaled.isZero(0)) return;
  as_vector(part_.part_of(f)).noalias() += m->modes->Z * scaled;
}

void EigenFitTerm::add_low_rank(const Configuration& c, Tangent tangent, LowRank& out) const {
  const Memory* m = own(c);
  if (!m || m->none()) return;
  const Vector scales = (tangent.stiffness + input_.beta * tangent.damping) * m->scales();
  std::vector<Eigen::Index> columns;
  for (Eigen::Index i = 0; i < scales.size(); ++i)
    if (scales[i] > 0 || (scales[i] < 0 && tangent.projection == Projection::none))
      columns.push_back(i);
  const Eigen::Index first = append_columns(static_cast<Eigen::Index>(columns.size()), out);
  const Eigen::Index row = 3 * static_cast<Eigen::Index>(part_.nodes().first);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto to = first + static_cast<Eigen::Index>(k);
    out.Z.col(to).segment(row, part_.dofs()) = m->modes->Z.col(columns[k]);
    out.Y.col(to).segment(row, part_.dofs()) = scales[columns[k]] * m->modes->Z.col(columns[k]);
  }
}

}  // namespace pliant
