#include <pliant/stage/admm_stage.hpp>

#include <pliant/core/error.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace pliant {
namespace {

// Residuals are relative to what parts bear, W u, or to what bears as much as this strain of
// everything; and not to how far they have come, which for what is stiff is how far they turned.
constexpr double kLeastStrain = 1e-6;
constexpr double kLocal = 5e-12;  // of a strain: what local steps leave

// Weights are changed for the rest of the run where residuals do not fall to kFalls over so many
// iterations. Where D q and z agree and still creep along together, all weights fall, unless they
// had to rise before: parts that soften have several minima if their weight is below what they
// soften by, and go to and fro between them; then residuals do not fall at all, and all weights
// rise.
constexpr double kFalls = 0.5, kStuck = 0.9;
constexpr int kPatience = 10;
constexpr double kChange = 2, kAgree = 0.3;
constexpr double kMost = 1024;
constexpr int kAccelerated = 300;

}  // namespace

AdmmStage::AdmmStage(const SolverOptions& options)
    : options_(options), anderson_(options.admm.anderson) {
  if (options.admm.contact) contact_.emplace(options.admm.contact);
}

std::vector<double> AdmmStage::memory() const {
  std::vector<double> out = {level_, least_, contact_level_, static_cast<double>(wall_z_.size())};
  for (const Vector* x : {&wall_z_, &wall_force_}) out.insert(out.end(), x->begin(), x->end());
  if (contact_) {
    const std::vector<double> rows = contact_->memory();
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

void AdmmStage::restore(std::span<const double> memory) {
  if (memory.size() < 4) return;
  level_ = memory[0], least_ = memory[1], contact_level_ = memory[2];
  scale_ = 0;
  const auto n = static_cast<std::size_t>(memory[3]);
  memory = memory.subspan(4);
  if (memory.size() < 2 * n) return;
  walls_ = n > 0;
  wall_z_ = as_vector(memory.first(n));
  wall_force_ = as_vector(memory.subspan(n, n));
  if (contact_) contact_->restore(memory.subspan(2 * n));
}

void AdmmStage::gather(const System& system) {
  system_ = &system;
  parts_.gather(system, options_.admm.weight);
  scale_ = 0;
  rows_version_ = -1;
  resize();
}

void AdmmStage::resize() {
  for (Vector* x :
       {&z_, &u_, &target_, &Dq_, &Dq_before_, &z_before_, &u_before_, &Dq_p_, &Dv_hat_})
    x->conservativeResize(static_cast<Eigen::Index>(parts_.numbers()));
}

// M + γv α M + γq γv Dᵀ W D, for each axis without the nodes that are held along it.
void AdmmStage::factorize(const StepContext& context, const Stage& stage) {
  const double scale = stage.gamma_q * stage.gamma_v;
  if (scale == scale_ && stage.gamma_q == gamma_q_ && context.mask == mask_ &&
      rows_version_ == factored_version_)
    return;
  scale_ = scale, gamma_q_ = stage.gamma_q, factored_version_ = rows_version_;
  mask_ = context.mask;
  parts_.set_weights(gamma_q_, level_);
  A_ = context.system.mass();
  add_drag(stage.gamma_v, A_);
  parts_.add_matrix(scale, A_);
  turns_.find(A_, context.system.mass(), mask_, scale, view(context.system.rest()));
  parts_.set_bodies(turns_.bodies());
  if (contact_) {
    contact_->measure(A_, turns_, view(context.system.rest()), scale / contact_level_);
    parts_.set_contact_weights(*contact_);
    parts_.add_contact_matrix(scale, A_);
  }
  factorizations_ += factors_.factorize(A_, mask_);
  parts_.map(context.system.rest(), Dq_);
  turns_.judge(parts_, factors_, Dq_, context.system.rest());
}

void AdmmStage::add_drag(double scale, NodeMatrix& A) const {
  const NodeMatrix& M = system_->mass();
  const BlockPattern& pattern = M.pattern();
  for (const RayleighPart& part : parts_.drag())
    for (Index k = pattern.row_start[static_cast<std::size_t>(part.first)];
         k < pattern.row_start[static_cast<std::size_t>(part.end)]; ++k)
      A.values()[static_cast<std::size_t>(k)] +=
          scale * part.alpha * M.values()[static_cast<std::size_t>(k)];
}

// What (16a) has on its right side beside z and u: M (q_p + γq v_p) on free coordinates, with drag
// γv α M q_p; prescribed ones load them with their known acceleration and velocity and with the
// stiffness that couples them.
void AdmmStage::set_constant_part(const StepContext& context, const Stage& stage) {
  const System& system = context.system;
  const Eigen::Index n = system.dofs();
  inertia_.resize(n), pulled_.resize(n), constant_.resize(n), rhs_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool held = context.mask[static_cast<std::size_t>(i)];
    inertia_[i] = held ? -scale_ * a_fixed_[i] : stage.q_p[i] + stage.gamma_q * stage.v_p[i];
    pulled_[i] = held ? -stage.gamma_q * v_fixed_[i] : stage.q_p[i];
  }
  system.mass().multiply(view(inertia_), view(constant_));
  if (!parts_.drag().empty()) {
    drag_ = system.mass();
    std::fill(drag_.values().begin(), drag_.values().end(), 0.0);
    add_drag(stage.gamma_v, drag_);
    drag_.multiply(view(pulled_), view(rhs_));
    constant_ += rhs_;
  }
  parts_.map(q_fixed_, Dq_);
  rhs_.setZero();
  parts_.add_transposed(Dq_, rhs_);
  constant_ -= scale_ * rhs_;
}

// Prescribed coordinates at the end of the stage, and what rates are measured against: q_p is
// such that (q − q_p)/γq is the velocity that is prescribed.
void AdmmStage::prescribe(const StepContext& context, const Stage& stage) {
  const Eigen::Index n = context.system.dofs();
  for (Vector* x : {&q_fixed_, &v_fixed_, &a_fixed_}) x->setZero(n);
  context.system.prescribe(context.start, stage.t, view(q_fixed_), view(v_fixed_), view(a_fixed_));
  if (!parts_.dissipates() && !contact_) return;
  before_ = stage.q_p, v_hat_ = stage.v_p;
  for (Eigen::Index i = 0; i < n; ++i)
    if (context.mask[static_cast<std::size_t>(i)]) {
      before_[i] = q_fixed_[i] - stage.gamma_q * v_fixed_[i];
      v_hat_[i] = v_fixed_[i];
    }
  parts_.map(before_, Dq_p_);
  parts_.map(v_hat_, Dv_hat_);
  parts_.freeze_damping(Dq_before_);
}

void AdmmStage::global_step(const StepContext& context, Vector& q) {
  target_ = z_ - u_;
  rhs_ = load_;
  parts_.add_transposed(target_, rhs_);
  rhs_ = constant_ + scale_ * rhs_;
  factors_.solve(rhs_, q);
  for (Eigen::Index i = 0; i < q.size(); ++i)
    if (context.mask[static_cast<std::size_t>(i)]) q[i] = q_fixed_[i];
}

double AdmmStage::wanted_level(const Residuals& now, const Residuals& earlier) const {
  const bool agree = now.primal < kAgree * now.dual;
  // Lighter parts would meet their walls later.
  if (agree) return std::max(level_ / kChange, walls_ ? std::max(least_, 1.0) : least_);
  return now.worst() < kStuck * earlier.worst() ? level_ : std::min(level_ * kChange, kMost);
}

// What is hard has no stiffness to be measured by: its two residuals are kept alike.
double AdmmStage::wanted_contact_level(const Residuals& now) const {
  if (now.primal < kAgree * now.dual) return std::max(contact_level_ / kChange, 1 / kMost);
  return now.dual < kAgree * now.primal ? std::min(contact_level_ * kChange, kMost)
                                        : contact_level_;
}

void AdmmStage::adapt_weights(const StepContext& context, const Stage& stage, const Progress& now,
                              const Progress& earlier) {
  if (now.worst() <= std::max(kFalls * earlier.worst(), options_.tolerance)) return;
  const bool parts = now.lasting.worst() > kFalls * earlier.lasting.worst();
  const double level = parts ? wanted_level(now.lasting, earlier.lasting) : level_;
  const double contact = contact_ ? wanted_contact_level(now.contact) : contact_level_;
  if (level == level_ && contact == contact_level_) return;
  if (level > level_) least_ = level;
  if (contact_) contact_->set_forces(parts_.contact_gradient(u_));
  u_ *= level_ / level;
  level_ = level, contact_level_ = contact;
  scale_ = 0;
  renew(context, stage);
  restart_acceleration();
}

void AdmmStage::renew(const StepContext& context, const Stage& stage) {
  factorize(context, stage);
  set_constant_part(context, stage);
  parts_.start_contact(u_);
}

void AdmmStage::take_back(const Levels& levels) {
  level_ = levels.all, least_ = levels.least, contact_level_ = levels.contact;
  scale_ = 0;
}

void AdmmStage::restart_acceleration() {
  errors_.start(), changes_of_u_.start(), ways_of_v_.start(), ways_of_u_.start();
  if (!accelerates_) return;
  target_ = z_ + u_;
  anderson_.start(target_, parts_.weights_of_numbers());
}

void AdmmStage::take_rows(const System& system) {
  if (contact_->version() == rows_version_) return;
  parts_.set_contact(*contact_, system);
  rows_version_ = contact_->version();
  resize();
}

bool AdmmStage::add_contacts(const StepContext& context, const Stage& stage, const Vector& q) {
  contact_->set_forces(parts_.contact_gradient(u_));
  if (!contact_->find(context, q)) return false;
  take_rows(context.system);
  parts_.map(context.start.q, Dq_before_);
  parts_.map(before_, Dq_p_);
  parts_.map(v_hat_, Dv_hat_);
  renew(context, stage);
  parts_.map(q, Dq_);
  place_contacts(context, q);
  restart_acceleration();
  return true;
}

AdmmStage::Progress AdmmStage::iterate(const StepContext& context, const Configuration& c,
                                       Vector& q) {
  global_step(context, q);
  turns_.advance(parts_, factors_, z_, u_, q);
  parts_.map(q, Dq_);
  z_before_ = z_, u_before_ = u_;
  target_ = Dq_ + u_;
  if (accelerates_) anderson_.advance(target_);
  if (!parts_.minimise(c, stage_view(), target_, z_)) return {};
  u_ = target_ - z_;
  target_ = Dq_ - z_;
  AdmmParts::Norms primal = parts_.norms(target_);
  if (accelerates_) {  // else the change of u is this difference
    u_before_ = u_ - u_before_;
    const AdmmParts::Norms change = parts_.norms(u_before_);
    primal = {std::max(primal.lasting, change.lasting), std::max(primal.contact, change.contact)};
  }
  z_before_ = z_ - z_before_;
  const AdmmParts::Norms dual = parts_.norms(z_before_);
  const AdmmParts::Norms borne = parts_.norms(u_);
  double size = std::max({borne.lasting, begun_.lasting, kLeastStrain * parts_.norm_of_ones()});
  if (walls_) {
    target_ = Dq_ - Dq_before_;
    size = std::max(size, parts_.norms(target_).lasting);
  }
  const double of_contact = std::max(size, borne.contact);
  Progress progress;
  const double noise = kLocal * parts_.norm_of_ones();
  const auto relative = [&](double residual) { return std::max(0.0, residual - noise) / size; };
  progress.lasting = {relative(primal.lasting), relative(dual.lasting)};
  // What parts bear is still to change by as much as its changes so far promise.
  changes_of_u_.note(primal.lasting > noise ? primal.lasting : 0);
  ways_of_u_.note(u_, ways_of_u_.is_due() ? parts_.weights_of_numbers() : Vector());
  progress.borne = std::min(changes_of_u_.left(), ways_of_u_.bound()) / size;
  progress.contact = {primal.contact / of_contact, dual.contact / of_contact};
  return progress;
}

void AdmmStage::place_contacts(const StepContext& context, const Vector& q) {
  const Eigen::Index rows = parts_.contact_numbers();
  if (rows > 0)
    contact_->place(view(context.start.q), view(q), view(z_).last(static_cast<std::size_t>(rows)));
}

void AdmmStage::prepare(const StepContext& context, const Stage& stage) {
  if (stage.held)
    throw InputError(
        "solver admm cannot keep the modes that an exponential method moves; solver newton can");
  if (system_ != &context.system) gather(context.system);
  if (contact_) {
    contact_->open(view(context.start.q), before_);
    take_rows(context.system);
  }
  parts_.map(context.start.q, Dq_before_);
  prescribe(context, stage);
  if (walls_ && level_ < 1) level_ = 1, scale_ = 0;
  factorize(context, stage);
  set_constant_part(context, stage);
}

AdmmStage::Progress AdmmStage::advance(const StepContext& context, const Stage& stage,
                                       Configuration& c, Vector& q, Vector& v) {
  load_.setZero(q.size());
  for (const auto& term : context.system.terms())
    if (term->kind() == TermKind::external && !dynamic_cast<const LocalPotential*>(term.get()))
      term->add_force(c, view(load_));
  Progress progress = iterate(context, c, q);
  v_before_ = v;
  v = (q - stage.q_p) / stage.gamma_q;
  measure_velocities(context, stage, v_before_, v, progress);
  return progress;
}

// From the guess, with the multipliers that balance the forces there.
void AdmmStage::start(const StepContext& context, const Stage& stage, const Configuration& c,
                      Vector& q) {
  q = stage.q_p + stage.gamma_q * as_vector(c.v);
  for (Eigen::Index i = 0; i < q.size(); ++i)
    if (context.mask[static_cast<std::size_t>(i)]) q[i] = q_fixed_[i];
  parts_.map(q, Dq_);
  z_ = Dq_;
  place_contacts(context, q);
  parts_.start(c, stage_view(), z_, u_);
  keep_off_walls(c);
  measure_start(context, c);
  restart_acceleration();
}

void AdmmStage::keep_off_walls(const Configuration& c) {
  wall_u_.resize(u_.size());
  if (!walls_ || wall_z_.size() == 0) {  // none before this stage
    parts_.start(c, stage_view(), Dq_before_, wall_u_);
    walls_ = parts_.keep_off_walls({Dq_before_, wall_u_}, z_, u_);
    return;
  }
  const Eigen::Index n = wall_z_.size();
  wall_u_.head(n) = wall_force_.cwiseQuotient(parts_.weights_of_numbers().head(n));
  parts_.keep_off_walls({wall_z_, wall_u_}, z_, u_);
}

void AdmmStage::remember_walls() {
  if (!walls_) return;
  const Eigen::Index n = u_.size() - parts_.contact_numbers();
  wall_z_ = z_.head(n);
  wall_force_ = parts_.weights_of_numbers().head(n).cwiseProduct(u_.head(n));
}

// Forces that grow much faster than the weights stand for (power laws of p > 1 after a jolt) may
// throw the first iterate out of bounds; then the stage starts again without any multipliers.
//
// Accelerated ones may stay where nothing is solved; what has not ended after so many starts again
// with plain ones.
//
// Contacts are looked for after the first iteration, which is a fair guess, and wherever all seems
// done. So many iterations as were asked for end a stage only where nothing is hit and where what
// is left is small beside how far the stage went.
StageReport AdmmStage::solve(const StepContext& context, const Stage& stage, Vector& v, Vector& q) {
  StageReport report;
  const int before = factorizations_, budget = options_.admm.iterations;
  const Levels levels = {level_, least_, contact_level_};
  accelerates_ = options_.admm.anderson > 0;
  prepare(context, stage);
  const Vector guess = v;
  q.resize(v.size());
  Configuration c{.t = stage.t, .q = view(q), .v = view(v), .step = &context.data};
  start(context, stage, c, q);
  const int most = std::max(budget, 20 * options_.max_iterations);
  Progress now, earlier;
  bool converged = false, done = false, cold = false, hit = false;
  for (int k = 0; k < most && !done; ++k) {
    if (options_.interrupted && options_.interrupted()) break;
    now = advance(context, stage, c, q, v);
    ++report.linear;
    const bool lost = !std::isfinite(now.worst());
    if ((lost && !cold) || (accelerates_ && k + 1 == kAccelerated)) {
      v = guess;
      accelerates_ = accelerates_ && lost;
      if (!lost) take_back({}), renew(context, stage);
      start(context, stage, c, q);
      if (lost) u_.setZero();
      restart_acceleration();
      cold = cold || lost, earlier = {};
      continue;
    }
    if (lost) break;
    converged = has_converged(now);
    done = converged || (budget > 0 && k + 1 >= budget && is_usable(now, hit));
    if (contact_ && (done || k == 0) && add_contacts(context, stage, q)) {
      earlier = {}, done = false, hit = true;
      continue;
    }
    if (contact_ && !contact_->forced_through().empty()) {
      done = false;
      break;
    }
    if (contact_ && done) done = contact_->clear();
    if ((k + 1) % kPatience != 0 || done) continue;
    adapt_weights(context, stage, now, earlier);
    earlier = now;
  }
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (context.mask[static_cast<std::size_t>(i)]) v[i] = v_fixed_[i];
  if (contact_) contact_->set_forces(parts_.contact_gradient(u_));
  remember_walls();
  finish(report, now, done && v.allFinite());
  if (!report.ok) take_back(levels);  // what did not help is no guess for the next one
  report.factorizations = factorizations_ - before;
  report.unconverged = !converged;
  return report;
}

}  // namespace pliant
