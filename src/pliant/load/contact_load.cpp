#include <pliant/load/contact_load.hpp>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Of the average, what is kept from one step to the next: predictors answer a force by up to twice
// as much as the correction thinks.
constexpr double kKept = 0.5;

// Of the squared change that forces of contact make: a correction above it was no help.
constexpr double kTooMuch = 0.25;

constexpr double kMostMissed = 5;  // 2⁵ steps without load, at most

}  // namespace

ContactLoad::ContactLoad(std::vector<Index> body) : body_(std::move(body)) {
  for (const Index b : body_) bodies_ = std::max(bodies_, b + 1);
}

std::vector<double> ContactLoad::Memory::numbers() const {
  std::vector<double> out(load.begin(), load.end());
  for (const Vector* more : {&last, &average, &missed, &wait})
    out.insert(out.end(), more->begin(), more->end());
  return out;
}

const ContactLoad::Memory* ContactLoad::acting(const Configuration& c) const {
  return c.step ? static_cast<const Memory*>(memory(c)) : nullptr;
}

double ContactLoad::potential(const Configuration& c) const {
  const Memory* known = acting(c);
  return known ? -known->load.dot(as_vector(c.q)) : 0;
}

void ContactLoad::add_force(const Configuration& c, std::span<double> f) const {
  if (const Memory* known = acting(c)) as_vector(f) += known->load;
}

std::shared_ptr<const TermMemory> ContactLoad::remember(const StepStart&,
                                                        const TermMemory* before) const {
  return before ? static_cast<const Memory*>(before)->shared_from_this() : nullptr;
}

std::shared_ptr<const TermMemory> ContactLoad::recall(std::span<const double> numbers) const {
  const auto bodies = static_cast<std::size_t>(bodies_);
  if (numbers.size() < 2 * bodies || (numbers.size() - 2 * bodies) % 3 != 0) return nullptr;
  const std::size_t n = (numbers.size() - 2 * bodies) / 3;
  if (!body_.empty() && n != 3 * body_.size()) return nullptr;
  const auto part = [&](std::size_t from, std::size_t count) -> Vector {
    return as_vector(numbers.subspan(from, count));
  };
  return std::make_shared<const Memory>(part(0, n), part(n, n), part(2 * n, n), part(3 * n, bodies),
                                        part(3 * n + bodies, bodies));
}

std::optional<std::size_t> ContactLoad::place(std::span<const std::unique_ptr<Term>> terms) {
  for (std::size_t k = 0; k < terms.size(); ++k)
    if (dynamic_cast<const ContactLoad*>(terms[k].get())) return k;
  return std::nullopt;
}

ContactLoad::Known ContactLoad::known(const TermMemories& memories, std::size_t place) {
  if (place >= memories.size() || !memories[place]) return nullptr;
  return static_cast<const Memory&>(*memories[place]).shared_from_this();
}

Vector ContactLoad::products(const Vector& x, const Vector& y) const {
  Vector sum = Vector::Zero(bodies_);
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (const Index b = body(i); b != kNone) sum[b] += x[i] * y[i];
  return sum;
}

ContactLoad::Known ContactLoad::after_step(const Known& before, const Known& used,
                                           const Vector& force) const {
  if (force.isZero(0)) return nullptr;
  Vector average = Vector::Zero(force.size()), load = average;
  Vector missed = Vector::Zero(bodies_), wait = missed, part = missed;
  if (before) {
    const Vector both = products(force, before->last), once = products(force, force);
    const Vector loaded = products(before->load, before->load);
    const Vector right = used ? products(used->load, used->load) : Vector::Zero(bodies_);
    missed = before->missed;
    for (Index b = 0; b < bodies_; ++b) {
      wait[b] = std::max(before->wait[b] - 1, 0.0);
      if (right[b] > 0) missed[b] = std::max(missed[b] - 1, 0.0);
      if (loaded[b] > 0 && !(right[b] > 0)) {
        wait[b] = std::exp2(missed[b]);
        missed[b] = std::min(missed[b] + 1, kMostMissed);
      }
      if (both[b] > 0) part[b] = std::min(both[b] / once[b], 1.0);
    }
    for (Eigen::Index i = 0; i < force.size(); ++i) {
      const Index b = body(i);
      if (b == kNone || part[b] == 0) continue;
      average[i] = kKept * before->average[i] + (1 - kKept) * part[b] * force[i];
      if (wait[b] == 0) load[i] = average[i];
    }
  }
  return std::make_shared<const Memory>(std::move(load), force, std::move(average),
                                        std::move(missed), std::move(wait));
}

ContactLoad::Known ContactLoad::without_wrong(const Known& known, const Vector& x,
                                              const Vector& pushed) const {
  Vector load = known->load;
  const Vector moved = products(x, x), whole = products(pushed, pushed);
  for (Eigen::Index i = 0; i < load.size(); ++i)
    if (const Index b = body(i); b != kNone && moved[b] > kTooMuch * whole[b]) load[i] = 0;
  if (load == known->load) return known;
  return std::make_shared<const Memory>(std::move(load), known->last, known->average, known->missed,
                                        known->wait);
}

}  // namespace pliant
