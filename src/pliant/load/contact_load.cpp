#include <pliant/load/contact_load.hpp>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kFarLess = 0.5;  // of the load
// Of the load, what is kept from one step to the next: predictors answer a force by up to twice as
// much as the correction thinks.
constexpr double kKept = 0.5;

}  // namespace

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

ContactLoad::Known after_step(const ContactLoad::Known& before, const Vector& force) {
  if (force.isZero(0)) return nullptr;
  Vector load = Vector::Zero(force.size());
  for (Eigen::Index i = 0; before && i < force.size(); i += 3) {
    const Vec3 f = force.segment<3>(i);
    const double both = f.dot(before->last.segment<3>(i)) / f.squaredNorm();
    if (both > 0) load.segment<3>(i) = std::min(both, 1.0) * f;
    load.segment<3>(i) += kKept * (before->load.segment<3>(i) - load.segment<3>(i));
  }
  return std::make_shared<const ContactLoad::Memory>(std::move(load), force);
}

ContactLoad::Known without_wrong(const ContactLoad::Known& known, const Vector& force) {
  Vector load = known->load;
  for (Eigen::Index i = 0; i < load.size(); i += 3) {
    const Vec3 f = load.segment<3>(i);
    if (f.dot(force.segment<3>(i)) < kFarLess * f.squaredNorm()) load.segment<3>(i).setZero();
  }
  if (load == known->load) return known;
  return std::make_shared<const ContactLoad::Memory>(std::move(load), known->last);
}

}  // namespace pliant
