#include <pliant/stage/admm_contact.hpp>
#include <pliant/stage/admm_turns.hpp>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kKept = 2;       // of the margin: rows that are no farther apart are kept
constexpr double kApart = 0.01;   // of the margin, by which a step may move apart what began nearer
constexpr double kPushes = 1e-9;  // of the largest force: what counts as pushing

// What is not geometry of an Impact, from its pair.
void complete(const ContactSurface& surface, Impact& pair) {
  if (pair.plane) {
    const ContactPlane& plane = at(surface.planes, pair.pair.second);
    pair.nodes = {at(surface.points, pair.pair.first), plane.node, plane.node, plane.node};
    pair.normal = plane.normal;
    pair.thickness = at(surface.patches, at(surface.point_patch, pair.pair.first)).radius;
  } else {
    pair.nodes = nodes_of(surface, pair.kind, pair.pair);
    pair.thickness = thickness_of(surface, pair.kind, pair.pair);
  }
}

PairPoints with_point(const Vec3& x, const std::array<Index, 4>& nodes, std::span<const double> q) {
  PairPoints points = gather(q, nodes);
  points.col(0) = x;
  return points;
}

// Balls and rods: points and edges of obstacles that no triangle has.
std::vector<Impact> round_obstacles(const ContactSurface& s) {
  std::vector<char> faced(s.patches.size(), 0), edged(s.patches.size(), 0);
  for (const Index patch : s.triangle_patch) faced[static_cast<std::size_t>(patch)] = 1;
  for (const Index patch : s.edge_patch) edged[static_cast<std::size_t>(patch)] = 1;
  std::vector<Impact> found;
  const auto add = [&](PairKind kind, std::size_t k) {
    Impact pair;
    pair.kind = kind;
    pair.pair = {0, static_cast<Index>(k)};
    found.push_back(pair);
  };
  for (std::size_t k = 0; k < s.points.size(); ++k) {
    const auto patch = static_cast<std::size_t>(s.point_patch[k]);
    if (s.patches[patch].obstacle && !faced[patch] && !edged[patch]) add(PairKind::point_point, k);
  }
  for (std::size_t k = 0; k < s.edges.size(); ++k) {
    const auto patch = static_cast<std::size_t>(s.edge_patch[k]);
    if (s.patches[patch].obstacle && !faced[patch]) add(PairKind::point_edge, k);
  }
  return found;
}

}  // namespace

AdmmContact::AdmmContact(std::shared_ptr<const ContactRules> rules)
    : rules_(std::move(rules)),
      finder_(rules_->surface, rules_->margin),
      thick_(round_obstacles(rules_->surface)) {}

AdmmContact::Side AdmmContact::side(const Row& row, const Vec3& x,
                                    std::span<const double> q) const {
  if (row.at.plane) return {{1, -1, 0, 0}, node(q, row.at.nodes[1]), row.at.normal};
  if (row.flat) return {row.at.w, x - with_point(x, row.at.nodes, q) * row.at.w, row.at.normal};
  const PairPoints points = with_point(x, row.at.nodes, q);
  const Nearest nearest = find_nearest(row.at.kind, points);
  const Vec3 r = nearest.connection(points);
  return {nearest.w, x - r, r.stableNormalized()};
}

double AdmmContact::gap(const Row& row, std::span<const double> q) const {
  const Vec3 x = node(q, row.at.nodes[0]);
  const Side s = side(row, x, q);
  return s.normal.dot(x - s.place) - row.at.thickness;
}

// What began nearer than the margin comes apart a little in every step, so slowly that it does not
// matter as a velocity. False where the row is far away.
bool AdmmContact::set_gap(Row& row, std::span<const double> q) const {
  const double margin = rules_->margin, now = gap(row, q);
  row.least = std::min(margin, now + kApart * margin);
  return now <= kKept * margin;
}

void AdmmContact::open(std::span<const double> q, const Vector& before) {
  before_ = &before;
  clear_ = true;
  forced_through_.clear();
  const std::size_t kept = rows_.size();
  std::erase_if(rows_, [&](Row& row) {
    row.flat = false;
    return !set_gap(row, q);
  });
  if (rows_.size() != kept) ++version_;
}

bool AdmmContact::is_body_point(const Impact& hit) const {
  if (hit.plane) return true;
  const ContactSurface& s = rules_->surface;
  return hit.kind == PairKind::point_triangle &&
         !at(s.patches, at(s.point_patch, hit.pair.first)).obstacle;
}

// Points against balls and rods, along the way dq_ from q.
void AdmmContact::find_round(std::span<const double> q) {
  const ContactSurface& s = rules_->surface;
  for (Impact pair : thick_)
    for (std::size_t p = 0; p < s.points.size(); ++p) {
      pair.pair.first = static_cast<Index>(p);
      if (at(s.patches, s.point_patch[p]).obstacle ||
          !s.may_touch(s.point_patch[p], patches_of(s, pair.kind, pair.pair)[1]))
        continue;
      complete(s, pair);
      const PairPoints x = gather(q, pair.nodes), dx = gather(view(dq_), pair.nodes);
      const double apart = distance(pair.kind, x) - pair.thickness;
      if (apart > rules_->margin + 2 * dx.colwise().norm().maxCoeff()) continue;
      if (finder_.meets(x, dx, pair)) hits_.push_back(pair);
    }
}

bool AdmmContact::find(const StepContext& context, const Vector& q) {
  const std::span<const double> start = view(context.start.q);
  dq_ = q - context.start.q;
  finder_.find_points(start, view(dq_), hits_);
  std::erase_if(hits_, [&](const Impact& hit) { return !is_body_point(hit); });
  find_round(start);
  clear_ = true;
  forced_through_.clear();
  bool changed = false;
  for (const Impact& hit : hits_) {
    Row row{hit};
    complete(rules_->surface, row.at);
    const std::size_t dof = 3 * static_cast<std::size_t>(row.at.nodes[0]);
    if (context.mask[dof] && context.mask[dof + 1] && context.mask[dof + 2]) {
      if (hit.through) forced_through_ = names_of(rules_->surface, hit);
      continue;
    }
    const bool through = hit.plane ? gap(row, view(q)) <= 0 : hit.time < 1;
    clear_ = clear_ && !through;
    const auto known = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const Row& other) { return other.at.same_pair(hit); });
    if (known == rows_.end()) {
      set_gap(row, start);
      rows_.push_back(row);
      ++version_, changed = true;
    } else if (through && !hit.plane && !known->flat) {
      known->at = row.at;
      known->flat = changed = true;
    }
  }
  return changed;
}

int AdmmContact::pushing() const {
  double most = 0;
  for (const Row& row : rows_) most = std::max(most, row.force.norm());
  return static_cast<int>(std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.force.norm() > kPushes * most;
  }));
}

void AdmmContact::measure(const NodeMatrix& A, const AdmmTurns& bodies,
                          std::span<const double> rest, double scale) {
  stiffness_.clear();
  for (const Row& row : rows_) {
    const Index n = row.at.nodes[0];
    stiffness_.push_back(1 / (scale * (1 / A.diagonal(n) + bodies.mobility(n, rest))));
  }
}

void AdmmContact::set_forces(std::span<const double> gradient) {
  for (std::size_t k = 0; k < rows_.size() && 3 * k < gradient.size(); ++k)
    rows_[k].force = -ConstMap3(gradient.data() + 3 * k);
}

void AdmmContact::place(std::span<const double> start, std::span<const double> q,
                        std::span<double> z) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::array<Index, 4>& nodes = rows_[k].at.nodes;
    const Vec3 x = node(start, nodes[0]);
    const Side s = side(rows_[k], x, start);
    Vec3 carried = Vec3::Zero();
    for (int i = 1; i < rows_[k].at.points(); ++i) {
      const Index n = nodes[static_cast<std::size_t>(i)];
      carried -= s.w[i] * (node(q, n) - node(start, n));
    }
    Map3(z.data() + 3 * k) = x + carried;
  }
}

LocalMaps AdmmContact::local_maps() const {
  LocalMaps maps{1, 1, {}, std::vector<double>(rows_.size(), 1.0)};
  for (const Row& row : rows_) maps.connectivity.push_back(row.at.nodes[0]);
  return maps;
}

void AdmmContact::local_gradient(const Configuration&, LocalRange range, std::span<const double>,
                                 std::span<double> gradient) const {
  for (std::size_t k = range.begin; k < range.end; ++k)
    Map3(gradient.data() + 3 * k) = -rows_[k].force;
}

// The obstacle as it is nearest to the last z, which is on the right side; round ones have no
// other.
bool AdmmContact::local_minimise(const Configuration& c, LocalRange range, std::span<const double>,
                                 std::span<const double> target, std::span<double> z) const {
  for (std::size_t k = range.begin; k < range.end; ++k) {
    const Row& row = rows_[k];
    const Vec3 t = ConstMap3(target.data() + 3 * k), last = ConstMap3(z.data() + 3 * k);
    const Side s = side(row, round(row.at) ? t : last, c.q);
    const double pushed =
        std::max(0.0, row.least + row.at.thickness - s.normal.dot(t - s.place));  // f_n/w
    Vec3 moved = t - ConstMap3(range.stage.before.data() + 3 * k);
    for (int i = 1; i < row.at.points(); ++i) {
      const Index n = row.at.nodes[static_cast<std::size_t>(i)];
      moved += s.w[i] * (node(c.q, n) - node(view(*before_), n));
    }
    const Vec3 slides = moved - s.normal.dot(moved) * s.normal;
    const double way = slides.norm(), held = rules_->friction_of(row.at) * pushed;  // μ f_n/w
    Vec3 out = t + pushed * s.normal;
    if (way > 0) out -= std::min(1.0, held / way) * slides;
    Map3(z.data() + 3 * k) = out;
  }
  return true;
}

std::vector<double> AdmmContact::memory() const {
  std::vector<double> out;
  for (const Row& row : rows_)
    for (const double x :
         {static_cast<double>(row.at.kind), static_cast<double>(row.at.plane),
          static_cast<double>(row.at.pair.first), static_cast<double>(row.at.pair.second),
          row.force[0], row.force[1], row.force[2]})
      out.push_back(x);
  return out;
}

void AdmmContact::restore(std::span<const double> memory) {
  rows_.clear();
  for (; memory.size() >= 7; memory = memory.subspan(7)) {
    Row row;
    row.at.kind = static_cast<PairKind>(memory[0]);
    row.at.plane = memory[1] != 0;
    row.at.pair = {static_cast<Index>(memory[2]), static_cast<Index>(memory[3])};
    complete(rules_->surface, row.at);
    row.force = ConstMap3(memory.data() + 4);
    rows_.push_back(row);
  }
  ++version_;
}

}  // namespace pliant
