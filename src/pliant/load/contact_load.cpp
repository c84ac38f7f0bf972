#include <pliant/load/contact_load.hpp>

#include <algorithm>

namespace pliant {
namespace {

// Of the load, what is kept from one step to the next: predictors answer a force by up to twice as
// much as the correction thinks.
constexpr double kKept = 0.5;

// Of the squared change that forces of contact make: a correction above it was no help.
constexpr double kTooMuch = 0.25;

}  // namespace

ContactLoad::ContactLoad(std::vector<Index> body) : body_(std::move(body)) {
  for (const Index b : body_) bodies_ = std::max(bodies_, b + 1);
}

std::vector<double> ContactLoad::Memory::numbers() const {
  std::vector<double> out(load.begin(), load.end());
  out.insert(out.end(), last.begin(), last.end());
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
  const std::size_t half = numbers.size() / 2;
  return std::make_shared<const Memory>(as_vector(numbers.first(half)),
                                        as_vector(numbers.subspan(half)));
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

ContactLoad::Known ContactLoad::after_step(const Known& before, const Vector& force) const {
  if (force.isZero(0)) return nullptr;
  Vector load = Vector::Zero(force.size());
  if (before) {
    const Vector both = products(force, before->last), once = products(force, force);
    for (Eigen::Index i = 0; i < force.size(); ++i) {
      const Index b = body(i);
      if (b == kNone) continue;
      const double part = once[b] > 0 ? std::clamp(both[b] / once[b], 0.0, 1.0) : 0;
      load[i] = kKept * before->load[i] + (1 - kKept) * part * force[i];
    }
  }
  return std::make_shared<const Memory>(std::move(load), force);
}

ContactLoad::Known ContactLoad::without_wrong(const Known& known, const Vector& x,
                                              const Vector& pushed) const {
  Vector load = known->load;
  const Vector moved = products(x, x), whole = products(pushed, pushed);
  for (Eigen::Index i = 0; i < load.size(); ++i)
    if (const Index b = body(i); b != kNone && moved[b] > kTooMuch * whole[b]) load[i] = 0;
  if (load == known->load) return known;
  return std::make_shared<const Memory>(std::move(load), known->last);
}

}  // namespace pliant
