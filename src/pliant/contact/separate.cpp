#include <pliant/contact/separate.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

// The nodes that meet, of the first and of the second patch, and where triangles face.
struct Features {
  std::vector<Index> first, second;
  std::vector<Vec3> axes;

  Features(const Meeting& meeting, std::span<const double> q) {
    for (const Intersection* pair : meeting.pairs) {
      const bool same = pair->first_patch == meeting.first_patch;
      auto& mine = same ? first : second;
      auto& other = same ? second : first;
      mine.insert(mine.end(), pair->first_nodes.begin(), pair->first_nodes.end());
      other.insert(other.end(), pair->second_nodes.begin(), pair->second_nodes.end());
      const auto& t = pair->second_nodes;
      Vec3 axis = pair->away;
      if (t.size() == 3)
        axis = (node(q, t[1]) - node(q, t[0])).cross(node(q, t[2]) - node(q, t[0]));
      axis = axis.stableNormalized();
      if (axis.isZero(0)) continue;
      axes.push_back(axis);
      axes.push_back(-axis);
    }
    for (auto* nodes : {&first, &second}) {
      std::sort(nodes->begin(), nodes->end());
      nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
    }
  }

  // How far the first must go along the axis to leave the second behind.
  double overlap(const Vec3& axis, std::span<const double> q) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Index n : first) low = std::min(low, axis.dot(node(q, n)));
    for (const Index n : second) high = std::max(high, axis.dot(node(q, n)));
    return high - low;
  }
};

// Along the axis on which least has to be moved; planes, and what is thick and meets with its skin
// alone, know their own.
void find_way(const ContactSurface& surface, std::span<const double> q, Meeting& meeting) {
  const auto radius = [&](Index patch) {
    return patch < 0 ? 0 : at(surface.patches, patch).radius;
  };
  const bool known = std::none_of(meeting.pairs.begin(), meeting.pairs.end(),
                                  [](const Intersection* pair) { return pair->away.isZero(0); });
  const double thick = radius(meeting.first_patch) + radius(meeting.second_patch);
  if (meeting.first_patch < 0 || meeting.second_patch < 0 || (thick > 0 && known)) {
    const Intersection& deepest = **std::max_element(
        meeting.pairs.begin(), meeting.pairs.end(),
        [](const Intersection* a, const Intersection* b) { return a->depth < b->depth; });
    meeting.away = deepest.first_patch == meeting.first_patch ? deepest.away : Vec3(-deepest.away);
    meeting.depth = deepest.depth;
    return;
  }
  const Features features(meeting, q);
  meeting.depth = std::numeric_limits<double>::infinity();
  for (const Vec3& axis : features.axes)
    if (const double far = features.overlap(axis, q); far < meeting.depth)
      meeting.depth = far, meeting.away = axis;
  meeting.depth += thick;
}

class Separator {
 public:
  Separator(const ContactSurface& surface, std::span<const MovablePatch> patches,
            std::span<const char> held, const SeparationOptions& options)
      : surface_(surface), patches_(patches), held_(held), options_(options) {}

  Separation run(std::span<double> q) const {
    const Vector start = as_vector(q);
    Separation result;
    for (int round = 0; round <= options_.rounds; ++round) {
      result.left = find_intersections(surface_, q, options_.near);
      if (result.left.empty() || !went_on(result.left, q) || too_far(start, q)) break;
    }
    result.moved = ways(start, q);
    if (!result.ok()) as_vector(q) = start;
    return result;
  }

 private:
  bool went_on(const std::vector<Intersection>& found, std::span<double> q) const {
    bool moved = true;
    for (const Meeting& meeting : gather_meetings(surface_, found, q))
      moved = push_apart(meeting, q) && moved;
    return moved;
  }

  bool is_whole(Index patch) const {
    if (patch < 0) return false;
    const MovablePatch& movable = patches_[static_cast<std::size_t>(patch)];
    return movable.whole && movable.end_node > movable.first_node;
  }

  bool push_apart(const Meeting& meeting, std::span<double> q) const {
    if (meeting.first_patch == meeting.second_patch) return false;  // itself
    const bool first = is_whole(meeting.first_patch), second = is_whole(meeting.second_patch);
    if (!first && !second) return push_points(meeting, q);
    if (!std::isfinite(meeting.depth) || meeting.away.isZero(0)) return false;
    const double share = first && second ? 0.5 : 1;
    const Vec3 way = share * (std::max(0.0, meeting.depth) + options_.distance) * meeting.away;
    if (first) shift(meeting.first_patch, way, q);
    if (second) shift(meeting.second_patch, -way, q);
    return true;
  }

  void shift(Index patch, const Vec3& by, std::span<double> q) const {
    const MovablePatch& movable = patches_[static_cast<std::size_t>(patch)];
    for (Index n = movable.first_node; n < movable.end_node; ++n) node(q, n) += by;
  }

  // Single points of bodies that something holds.
  bool push_points(const Meeting& meeting, std::span<double> q) const {
    for (const Intersection* pair : meeting.pairs) {
      if (pair->away.isZero(0)) return false;
      const Vec3 way = (pair->depth + options_.distance) * pair->away;
      const bool first = movable(pair->first_nodes), second = movable(pair->second_nodes);
      if (!first && !second) return false;
      for (const Index n : first ? pair->first_nodes : pair->second_nodes)
        node(q, n) += first ? way : Vec3(-way);
    }
    return true;
  }
  bool movable(const std::vector<Index>& nodes) const {
    return !nodes.empty() && std::all_of(nodes.begin(), nodes.end(), [this](Index n) {
      return !held_[static_cast<std::size_t>(n)];
    });
  }

  std::vector<double> ways(const Vector& start, std::span<const double> q) const {
    std::vector<double> moved(patches_.size(), 0.0);
    for (std::size_t p = 0; p < patches_.size(); ++p)
      for (Index n = patches_[p].first_node; n < patches_[p].end_node; ++n)
        moved[p] = std::max(moved[p], (node(q, n) - node(view(start), n)).norm());
    return moved;
  }

  bool too_far(const Vector& start, std::span<const double> q) const {
    const std::vector<double> moved = ways(start, q);
    for (std::size_t p = 0; p < patches_.size(); ++p) {
      Eigen::AlignedBox3d box;
      for (Index n = patches_[p].first_node; n < patches_[p].end_node; ++n)
        box.extend(Vec3(node(view(start), n)));
      if (moved[p] > 0 && moved[p] > options_.farthest * box.diagonal().norm()) return true;
    }
    return false;
  }

  const ContactSurface& surface_;
  std::span<const MovablePatch> patches_;
  std::span<const char> held_;
  const SeparationOptions& options_;
};

}  // namespace

std::vector<Meeting> gather_meetings(const ContactSurface& surface,
                                     const std::vector<Intersection>& found,
                                     std::span<const double> q) {
  std::vector<Meeting> meetings;
  // By name, which planes have too.
  std::map<std::pair<std::string, std::string>, std::size_t> number;
  for (const Intersection& one : found) {
    const auto [place, fresh] =
        number.try_emplace(std::minmax(one.first, one.second), meetings.size());
    if (fresh) meetings.push_back({one.first, one.second, one.first_patch, one.second_patch});
    meetings[place->second].pairs.push_back(&one);
  }
  for (Meeting& meeting : meetings) find_way(surface, q, meeting);
  return meetings;
}

Separation separate(const ContactSurface& surface, std::span<const MovablePatch> patches,
                    std::span<const char> held, const SeparationOptions& options,
                    std::span<double> q) {
  return Separator(surface, patches, held, options).run(q);
}

}  // namespace pliant
