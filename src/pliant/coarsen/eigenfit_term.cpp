#include <pliant/coarsen/eigenfit_term.hpp>

#include <pliant/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// ‖K u − λ M u‖ ≤ this λ in the norm of M⁻¹: the error of λ is less than the square of it.
constexpr double kModeTolerance = 0.05;
// `auto` computes new modes where UᵀKU differs from Λ by more than this part of it, and looks again
// after this many steps at the latest.
constexpr double kLargestChange = 0.1;
constexpr double kLongestWait = 10;
constexpr double kNearStiffness = 2;  // times that at rest

}  // namespace

struct EigenFitTerm::Memory final : TermMemory, std::enable_shared_from_this<Memory> {
  std::shared_ptr<const RestFit> fit;
  double age = 0;         // steps since the modes were found
  double look = 1;        // `auto`: the age at which to look again
  Vector values, ratios;  // λ; r before `strength`
  Matrix U, Z, start;
  Vector anchor;  // where K was factorised last, for modes to be found by; empty: nowhere
  Vector q, g;    // q_n of the body; Uᵀ f(q_n). Of linear bodies at rest, where g is zero
  EigenFitStatus status;

  // (r_i − 1)/λ_i, what a term of V is scaled by.
  Vector scales() const {
    Vector s(values.size());
    for (Eigen::Index i = 0; i < s.size(); ++i)
      s[i] = values[i] > 0 ? status.strength * (ratios[i] - 1) / values[i] : 0;
    return s;
  }
  std::vector<double> numbers() const override;
};

struct EigenFitTerm::Workspace {
  BlockMatrix system, K, K_anchor;
  EigenpairSolver eigen{EigenOptions{.tolerance = kModeTolerance, .semidefinite = true}};
  // What the factors in there are of.
  Vector anchor;
  const RestFit* fit = nullptr;
  bool assembled = false;  // K at the start of the step at hand

  void assemble(const BodyPart& part, const StepStart& step) {
    if (!assembled) part.assemble(step.now, system, K);
    assembled = true;
  }
};

// [pins, active…, age, look, strength, s, columns of start, the last test, length of anchor,
// values…, ratios…, g…, q…, anchor…, U…, Z…, start…]
std::vector<double> EigenFitTerm::Memory::numbers() const {
  std::vector<double> out = {static_cast<double>(fit->active.size())};
  for (const bool active : fit->active) out.push_back(active ? 1 : 0);
  out.insert(out.end(),
             {age, look, status.strength, static_cast<double>(values.size()),
              static_cast<double>(start.cols()), static_cast<double>(status.acceptance.known),
              static_cast<double>(status.acceptance.of), static_cast<double>(status.crossed),
              static_cast<double>(status.near), static_cast<double>(status.first_crossed),
              status.accepted ? 1.0 : 0.0, static_cast<double>(anchor.size())});
  for (const Vector* part : {&values, &ratios, &g, &q, &anchor})
    out.insert(out.end(), part->begin(), part->end());
  for (const Matrix* part : {&U, &Z, &start})
    out.insert(out.end(), part->data(), part->data() + part->size());
  return out;
}

std::shared_ptr<const TermMemory> EigenFitTerm::recall(std::span<const double> numbers) const {
  const auto refuse = [&]() -> std::shared_ptr<const TermMemory> {
    throw InputError("the checkpoint's modes of body \"" + input_.body + "\" do not fit the scene");
  };
  const std::size_t pins = input_.pins.size();
  if (numbers.size() < 13 + pins || numbers[0] != static_cast<double>(pins)) return refuse();
  auto memory = std::make_shared<Memory>();
  std::vector<bool> active;
  for (std::size_t p = 0; p < pins; ++p) active.push_back(numbers[1 + p] != 0);
  for (const auto& fit : input_.fits)
    if (fit->active == active) memory->fit = fit;
  if (!memory->fit) return refuse();
  std::span<const double> rest = numbers.subspan(1 + pins);
  memory->age = rest[0], memory->look = rest[1], memory->status.strength = rest[2];
  const auto s = static_cast<Eigen::Index>(rest[3]), columns = static_cast<Eigen::Index>(rest[4]);
  memory->status.acceptance = {static_cast<Index>(rest[5]), static_cast<Index>(rest[6])};
  memory->status.crossed = static_cast<Index>(rest[7]);
  memory->status.near = static_cast<Index>(rest[8]);
  memory->status.first_crossed = static_cast<Index>(rest[9]);
  memory->status.accepted = rest[10] != 0;
  const auto anchored = static_cast<Eigen::Index>(rest[11]);
  rest = rest.subspan(12);
  const Eigen::Index n = part_.dofs();
  if ((anchored != 0 && anchored != n) ||
      static_cast<Eigen::Index>(rest.size()) != 3 * s + n + anchored + n * (2 * s + columns))
    return refuse();
  const auto take = [&rest](Eigen::Index rows, Eigen::Index cols) {
    const Matrix part = Eigen::Map<const Matrix>(rest.data(), rows, cols);
    rest = rest.subspan(static_cast<std::size_t>(rows * cols));
    return part;
  };
  memory->values = take(s, 1), memory->ratios = take(s, 1), memory->g = take(s, 1);
  memory->q = take(n, 1), memory->anchor = take(anchored, 1);
  memory->U = take(n, s), memory->Z = take(n, s), memory->start = take(n, columns);
  return memory;
}

EigenFitTerm::EigenFitTerm(EigenFitInput input, const NodeMatrix& system_mass, Vector rest)
    : input_(std::move(input)),
      part_(input_.nodes, system_mass),
      rest_(std::move(rest)),
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
  const double begin = step.now.t, end = step.now.t + step.h;
  for (const auto& fit : input_.fits) {
    bool same = true;
    for (std::size_t p = 0; p < input_.pins.size(); ++p)
      same = same && fit->active[p] == input_.pins[p].active_during(begin, end);
    if (same && fit->mask == part_.mask_of(step.mask)) return fit;
  }
  throw CannotContinue("body \"" + input_.body +
                       "\" is held by a set of pins that no modes were computed for");
}

// Whether it is time for new modes. `auto` compares UᵀKU with Λ: where the body has turned or bent,
// old modes move what is stiff, which shows there long before they are useless. It grows with the
// square of the age.
bool EigenFitTerm::due(const StepStart& step, const Memory& before, Memory& next) const {
  if (input_.linear || input_.options.refresh == kModesNever) return false;
  if (part_.part_of(step.now.q).size() == static_cast<std::size_t>(before.q.size()) &&
      before.age == 0 && as_vector(part_.part_of(step.now.q)) == before.q)
    return false;  // nothing has moved since
  if (input_.options.refresh > 0) return next.age >= input_.options.refresh;
  if (next.age < next.look) return false;
  work_->assemble(part_, step);
  const Eigen::Index s = next.values.size();
  Vector Ku(part_.dofs());
  double change = 0;
  for (Eigen::Index i = 0; i < s; ++i) {
    work_->K.multiply({next.U.col(i).data(), static_cast<std::size_t>(part_.dofs())}, view(Ku));
    for (Eigen::Index j = 0; j < s; ++j) {
      const double expected = i == j ? next.values[i] : 0;
      change = std::max(change, std::abs(next.U.col(j).dot(Ku) - expected) /
                                    std::sqrt(next.values[i] * next.values[j]));
    }
  }
  if (!(change <= kLargestChange)) return true;
  const double lasts = next.age * (std::sqrt(kLargestChange / std::max(change, 1e-12)) - 1);
  next.look = next.age + std::clamp(std::floor(0.5 * lasts), 1.0, kLongestWait);
  return false;
}

// The factors of K at the anchor, as they were before: after a checkpoint, or a step that was taken
// back, they are others.
void EigenFitTerm::restore_factors(const StepStart& step, const Memory& memory) const {
  if (work_->fit == memory.fit.get() && work_->anchor == memory.anchor) return;
  Vector q = as_vector(step.now.q);
  as_vector(part_.part_of(view(q))) = memory.anchor;
  part_.assemble({.t = step.now.t, .q = view(q), .v = step.now.v}, work_->system, work_->K_anchor);
  work_->anchor = memory.anchor;
  work_->fit = memory.fit.get();
  if (!work_->eigen.factorize({work_->K_anchor, part_.mass(), memory.fit->mask}))
    work_->fit = nullptr;
}

// With the factors at hand where they are of a place near enough, else with new ones.
void EigenFitTerm::find_modes(const StepStart& step, Memory& next) const {
  const DofMask& mask = next.fit->mask;
  work_->assemble(part_, step);
  const EigenProblem problem{work_->K, part_.mass(), mask};
  const auto x = part_.part_of(step.now.q);
  const auto count = static_cast<Index>(next.fit->values.size());
  ElasticModes found;
  found.ok = false;
  if (next.anchor.size() > 0) {
    restore_factors(step, next);
    if (work_->fit) found = find_elastic_modes({problem, x, count, true}, work_->eigen, next.start);
  }
  if (!found.ok) {
    found = find_elastic_modes({problem, x, count}, work_->eigen, next.start);
    next.anchor = as_vector(x);
    work_->anchor = next.anchor;
    work_->fit = next.fit.get();
  }
  if (!found.ok || found.values.size() == 0) {
    next.status.failure = found.reason;
    return;
  }
  next.values = std::move(found.values);
  next.U = std::move(found.vectors);
  next.start = std::move(found.start);
  next.age = 0, next.look = 1;
  next.status.refreshed = true;
  set_stiffness(mask, next);
}

void EigenFitTerm::take_rest_modes(const StepStart& step, Memory& next) const {
  work_->assemble(part_, step);
  next.values = next.fit->values;
  next.U = next.fit->vectors;
  next.start = next.fit->start;
  next.anchor.resize(0);
  next.age = 0, next.look = 1;
  set_stiffness(next.fit->mask, next);
}

// z_i = λ_i M u_i on free coordinates, K u_i on the others.
void EigenFitTerm::set_stiffness(const DofMask& mask, Memory& next) const {
  next.Z = part_.times_mass(next.U) * next.values.asDiagonal();
  if (std::none_of(mask.begin(), mask.end(), [](auto held) { return held != 0; })) return;
  Vector Ku(part_.dofs());
  for (Eigen::Index i = 0; i < next.U.cols(); ++i) {
    work_->K.multiply({next.U.col(i).data(), static_cast<std::size_t>(part_.dofs())}, view(Ku));
    for (std::size_t k = 0; k < mask.size(); ++k)
      if (mask[k]) next.Z(static_cast<Eigen::Index>(k), i) = Ku[static_cast<Eigen::Index>(k)];
  }
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

void EigenFitTerm::pair(const StepStart& step, Memory& next) const {
  const RestFit& fit = *next.fit;
  const Eigen::Index s = next.values.size();
  Matrix overlap = Matrix::Identity(s, fit.values.size());
  if (!input_.linear) {
    const Mat3 Q = turned(step, fit.mask);
    const std::vector<Mat3> R =
        node_rotations(part_.nodes(), view(rest_), part_.part_of(step.now.q));
    Matrix turned_rest = fit.MU, carried_rest = fit.MU;
    for (Eigen::Index n = 0; n < turned_rest.rows(); n += 3) {
      turned_rest.middleRows<3>(n) = Q * fit.MU.middleRows<3>(n);
      carried_rest.middleRows<3>(n) = R[static_cast<std::size_t>(n / 3)] * fit.MU.middleRows<3>(n);
    }
    next.status.acceptance = accept_modes(next.U.transpose() * turned_rest);
    overlap = next.U.transpose() * carried_rest;
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
    const double stiffer = j < 0 ? 0 : next.values[i] / fit.values[j];
    next.status.near += stiffer <= kNearStiffness && stiffer * kNearStiffness >= 1;
  }
  next.status.accepted = next.status.passes() && fit.acceptance.passed();
  const auto corrected = [&](Eigen::Index j) {
    return j < input_.options.modes ? fit.ratios[j] : 1.0;
  };
  next.ratios.setOnes(s);
  for (Eigen::Index i = 0; i < s; ++i) {
    if (input_.options.pairing == ModePairing::index) {
      next.ratios[i] = corrected(i);
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
    if (shares > 0) next.ratios[i] = 1 + known * sum / shares;
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
  work_->assembled = false;
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
    for (Vector* part : {&next->values, &next->ratios, &next->g}) part->resize(0);
    for (Matrix* part : {&next->U, &next->Z, &next->start}) part->resize(part_.dofs(), 0);
    next->q = as_vector(part_.part_of(step.now.q));
    return next;
  }
  if (!other_pins) next->age += 1;
  if (other_pins) take_rest_modes(step, *next);
  if (other_pins ? !input_.linear : due(step, *before, *next)) find_modes(step, *next);
  if (other_pins || next->status.refreshed) pair(step, *next);
  if (!before && fades && !next->status.accepted) next->status.strength = 0;
  if (step.h > 0 && before) set_strength(step.h, *next);
  if (input_.linear) {  // then (15c) holds everywhere, with Uᵀ f(q) = −Zᵀ (q − rest)
    next->q = rest_;
    next->g.setZero(next->values.size());
    return next;
  }
  next->q = as_vector(part_.part_of(step.now.q));
  next->g = next->U.transpose() * part_.force(step.now);
  return next;
}

double EigenFitTerm::potential(const Configuration& c) const {
  const Memory* m = own(c);
  if (!m || m->values.size() == 0) return 0;
  const Vector y = m->g - m->Z.transpose() * (as_vector(part_.part_of(c.q)) - m->q);
  return 0.5 * m->scales().dot(y.cwiseAbs2());
}

double EigenFitTerm::dissipation(const Configuration& c) const {
  const Memory* m = own(c);
  if (!m || input_.beta == 0 || m->values.size() == 0) return 0;
  const Vector y = m->Z.transpose() * as_vector(part_.part_of(c.v));
  return 0.5 * input_.beta * m->scales().dot(y.cwiseAbs2());
}

void EigenFitTerm::add_force(const Configuration& c, std::span<double> f) const {
  const Memory* m = own(c);
  if (!m || m->values.size() == 0) return;
  Vector y = m->g - m->Z.transpose() * (as_vector(part_.part_of(c.q)) - m->q);
  if (input_.beta != 0) y -= input_.beta * (m->Z.transpose() * as_vector(part_.part_of(c.v)));
  const Vector scaled = m->scales().cwiseProduct(y);
  if (scaled.isZero(0)) return;
  as_vector(part_.part_of(f)).noalias() += m->Z * scaled;
}

void EigenFitTerm::add_low_rank(const Configuration& c, Tangent tangent, LowRank& out) const {
  const Memory* m = own(c);
  if (!m || m->values.size() == 0) return;
  const Vector scales = (tangent.stiffness + input_.beta * tangent.damping) * m->scales();
  std::vector<Eigen::Index> columns;
  for (Eigen::Index i = 0; i < scales.size(); ++i)
    if (scales[i] > 0 || (scales[i] < 0 && tangent.projection == Projection::none))
      columns.push_back(i);
  const Eigen::Index n = out.Y.rows(), first = out.Y.cols(),
                     all = first + static_cast<Eigen::Index>(columns.size());
  out.Y.conservativeResize(n, all);
  out.Z.conservativeResize(n, all);
  out.Y.rightCols(all - first).setZero();
  out.Z.rightCols(all - first).setZero();
  const Eigen::Index row = 3 * static_cast<Eigen::Index>(part_.nodes().first);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto to = first + static_cast<Eigen::Index>(k);
    out.Z.col(to).segment(row, part_.dofs()) = m->Z.col(columns[k]);
    out.Y.col(to).segment(row, part_.dofs()) = scales[columns[k]] * m->Z.col(columns[k]);
  }
}

}  // namespace pliant
