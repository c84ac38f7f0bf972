// What bodies press on each other with, as a load on a step that is predicted without contact
// (stage/contact_correction.hpp): a prediction that falls freely and is pushed back by A⁻¹ Gᵀλ
// comes to rest where its own method would not, unless that is backward Euler, whose answer to a
// force is A⁻¹. A prediction that knows the force of the steps before needs no push at rest.
//
// An impact is over with its step, so a body is loaded with no more than acted in both of the last
// two steps; with the same part of it at all of its nodes, since a light body under a heavy one
// would be thrown about by what is missing to balance. A step that was loaded wrongly is predicted
// again, so a body that was is left without load for some steps, and for more each time: what is
// thrown about is not at rest. Rigid bodies need no load to lie still. Acts within steps alone and
// is no energy.
#pragma once

#include <pliant/term/term.hpp>

#include <optional>

namespace pliant {

class ContactLoad final : public Term {
 public:
  class Memory final : public TermMemory, public std::enable_shared_from_this<Memory> {
   public:
    Memory(Vector load, Vector last, Vector average, Vector missed, Vector wait)
        : load(std::move(load)),
          last(std::move(last)),
          average(std::move(average)),
          missed(std::move(missed)),
          wait(std::move(wait)) {}
    std::vector<double> numbers() const override;
    const Vector load, last, average;  // N: on the next step; in the last one; of late
    // Of each body, how often it was loaded wrongly of late, and steps to go without.
    const Vector missed, wait;
  };
  using Known = std::shared_ptr<const Memory>;  // null: nothing pressed

  // The body that each node belongs to, kNone for those that bear no load; empty: one body.
  static constexpr Index kNone = -1;
  explicit ContactLoad(std::vector<Index> body = {});

  std::string_view name() const override { return "contact load"; }
  TermKind kind() const override { return TermKind::external; }
  double potential(const Configuration& c) const override;
  void add_force(const Configuration& c, std::span<double> f) const override;
  bool remembers() const override { return true; }
  std::shared_ptr<const TermMemory> remember(const StepStart&, const TermMemory*) const override;
  std::shared_ptr<const TermMemory> recall(std::span<const double> numbers) const override;

  // Its place among terms and their memories; none where no term of them is one.
  static std::optional<std::size_t> place(std::span<const std::unique_ptr<Term>> terms);
  static Known known(const TermMemories& memories, std::size_t place);
  // After a step in which `force` acted, and which ended with the load `used` in place of `before`.
  Known after_step(const Known& before, const Known& used, const Vector& force) const;
  // The load without that of bodies it was no help to: they were moved by x, m/s, to correct the
  // prediction, by more than half of the `pushed` that forces of contact moved them by. The same
  // pointer where there are none.
  Known without_wrong(const Known& known, const Vector& x, const Vector& pushed) const;

 private:
  const Memory* acting(const Configuration& c) const;
  Index body(Eigen::Index coordinate) const {
    return body_.empty() ? 0 : body_[static_cast<std::size_t>(coordinate / 3)];
  }
  // x · y of each body.
  Vector products(const Vector& x, const Vector& y) const;

  std::vector<Index> body_;
  Index bodies_ = 1;
};

}  // namespace pliant
