// The forces of contact at the end of a step, by the pairs they act at: the next step's begin
// there.
#pragma once

#include <pliant/stage/contact_forces.hpp>

namespace pliant {

// Two directions across the normal of a row, in which its friction is written.
std::array<Vec3, 2> tangents(const Impact& row);

// Longer by zeros, or shorter.
void grow(Vector& y, Eigen::Index size);

class KnownForces {
 public:
  void clear() { known_.clear(); }
  void remember(const std::vector<Impact>& rows, const ContactAnswer& answer);
  // Rows that the answer does not have yet begin with what the same pair bore in the last step.
  void guess(const std::vector<Impact>& rows, ContactAnswer& answer) const;

  std::vector<double> memory() const;
  void restore(std::span<const double> memory);

 private:
  struct Known {  // a pair and the forces at it
    Index kind = 0, first = 0, second = 0;
    double normal = 0;  // N
    Vec3 friction = Vec3::Zero();
    auto key() const { return std::array{kind, first, second}; }
  };
  static Known key_of(const Impact& row);

  std::vector<Known> known_;  // sorted by their keys
};

}  // namespace pliant
