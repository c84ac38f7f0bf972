#include <pliant/stage/known_forces.hpp>

#include <algorithm>

namespace pliant {

std::array<Vec3, 2> tangents(const Impact& row) {
  const Vec3 t = row.normal.unitOrthogonal();
  return {t, row.normal.cross(t)};
}

void grow(Vector& y, Eigen::Index size) {
  const Eigen::Index old = std::min(y.size(), size);
  y.conservativeResize(size);
  y.tail(size - old).setZero();
}

KnownForces::Known KnownForces::key_of(const Impact& row) {
  return {.kind = row.plane ? -1 : static_cast<Index>(row.kind),
          .first = row.pair.first,
          .second = row.pair.second};
}

void KnownForces::guess(const std::vector<Impact>& rows, ContactAnswer& answer) const {
  const auto m = static_cast<Eigen::Index>(rows.size());
  const Eigen::Index old = answer.normal.size();
  grow(answer.normal, m), grow(answer.friction, 2 * m);
  for (Eigen::Index k = old; k < m; ++k) {
    const Impact& row = rows[static_cast<std::size_t>(k)];
    const auto key = key_of(row).key();
    const auto at = std::lower_bound(known_.begin(), known_.end(), key,
                                     [](const Known& a, const auto& b) { return a.key() < b; });
    if (at == known_.end() || at->key() != key) continue;
    answer.normal[k] = at->normal;
    const auto t = tangents(row);
    for (int j = 0; j < 2; ++j)
      answer.friction[2 * k + j] = t[static_cast<std::size_t>(j)].dot(at->friction);
  }
}

void KnownForces::remember(const std::vector<Impact>& rows, const ContactAnswer& answer) {
  known_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    Known known = key_of(rows[k]);
    known.normal = answer.normal[i];
    const auto t = tangents(rows[k]);
    known.friction = answer.friction[2 * i] * t[0] + answer.friction[2 * i + 1] * t[1];
    known_.push_back(known);
  }
  // Of several rows of one pair the first is kept.
  std::stable_sort(known_.begin(), known_.end(),
                   [](const Known& a, const Known& b) { return a.key() < b.key(); });
  known_.erase(std::unique(known_.begin(), known_.end(),
                           [](const Known& a, const Known& b) { return a.key() == b.key(); }),
               known_.end());
}

std::vector<double> KnownForces::memory() const {
  std::vector<double> out;
  for (const Known& known : known_) {
    for (const Index part : known.key()) out.push_back(static_cast<double>(part));
    out.push_back(known.normal);
    out.insert(out.end(), known.friction.begin(), known.friction.end());
  }
  return out;
}

void KnownForces::restore(std::span<const double> memory) {
  known_.clear();
  for (std::size_t k = 0; k + 7 <= memory.size(); k += 7)
    known_.push_back({static_cast<Index>(memory[k]), static_cast<Index>(memory[k + 1]),
                      static_cast<Index>(memory[k + 2]), memory[k + 3],
                      Vec3(memory[k + 4], memory[k + 5], memory[k + 6])});
}

}  // namespace pliant
