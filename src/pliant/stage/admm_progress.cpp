// What AdmmStage knows of how far it has come (round_errors.hpp).
#include <pliant/stage/admm_stage.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// More than this, of residuals, and of what the stage does to velocities, is no answer, however
// many iterations were asked for, nor is it of what parts bear: a body that is bent for no reason
// flies on as if it had been. Of contact alone a hit leaves as large residuals and is none the
// worse: there its rows decide (below), and velocities.
constexpr double kUsable = 0.1, kNear = 0.3;

// Velocities are as exact as this part of what is seen anyhow, as Newton's method has it; and
// positions as rounding and the local steps, which end at 1e-12 of a strain, have them.
constexpr double kSeen = 1e-4, kRounded = 1e-12;

double norm_by(const Vector& masses, const Vector& v) {
  return std::sqrt(v.cwiseAbs2().dot(masses));
}

}  // namespace

void AdmmStage::measure_start(const StepContext& context, const Configuration& c) {
  parts_.start(c, stage_view(), Dq_before_, target_);
  begun_ = parts_.norms(target_);
  masses_.setZero(static_cast<Eigen::Index>(context.mask.size()));
  for (Index n = 0; n < context.system.mass().pattern().rows; ++n)
    for (Eigen::Index i = 3 * n; i < 3 * n + 3; ++i)
      if (!context.mask[static_cast<std::size_t>(i)])
        masses_[i] = std::max(turns_.mass(n), context.system.mass().diagonal(n));
}

// Of v, which was `before` until now.
void AdmmStage::measure_velocities(const StepContext& context, const Stage& stage,
                                   const Vector& before, const Vector& v, Progress& progress) {
  double pulled = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (masses_[i] > 0) pulled += load_[i] * load_[i] / masses_[i];
  const double size = context.system.size() / stage.gamma_q * std::sqrt(masses_.sum() / 3);
  progress.reach = std::max(norm_by(masses_, v - stage.v_p), stage.gamma_v * std::sqrt(pulled));
  progress.speed = std::max({progress.reach, norm_by(masses_, v), kSeen * size});
  const double change = norm_by(masses_, v - before);
  errors_.note(change > kRounded * size ? change : 0);
  ways_of_v_.note(v, masses_);
  progress.left = errors_.left();
  progress.stays = ways_of_v_.bound();
}

bool AdmmStage::has_converged(const Progress& now) const {
  return now.worst() <= options_.tolerance && now.left <= options_.tolerance * now.speed;
}

bool AdmmStage::is_usable(const Progress& now, bool hit) const {
  const double worst = (hit ? now.lasting : now.all()).worst();
  if (walls_) return worst <= kUsable;  // what hangs at a limit creeps for hundreds of rounds
  return worst <= kNear && now.borne <= kUsable &&
         std::min(now.left, now.stays) <= kNear * now.reach + options_.tolerance * now.speed;
}

void AdmmStage::finish(StageReport& report, const Progress& progress, bool done) const {
  const Residuals residuals = progress.all();
  report.contacts = contact_ ? contact_->pushing() : 0;
  report.primal = residuals.primal, report.dual = residuals.dual;
  report.ok = done && std::isfinite(residuals.worst());
  if (contact_ && !contact_->forced_through().empty())
    report.reason = fmt::format(
        "contact: {} are forced through each other, since pins or motions "
        "prescribe where both are",
        contact_->forced_through());
  else if (!report.ok)
    report.reason = fmt::format(
        "admm did not converge: residuals {:.2g} and {:.2g} after {} iterations; solver newton may",
        residuals.primal, residuals.dual, report.linear);
}

}  // namespace pliant
