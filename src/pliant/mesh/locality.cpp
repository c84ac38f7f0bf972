// The curve by Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707 (2004): the coordinates
// are turned, bit by bit from the top, into the frame of the sub-cube that holds the point; what is
// left is a Gray code of the place along the curve.
#include <pliant/mesh/locality.hpp>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr int bits = 21;  // per axis: 63 bits in all

std::uint64_t interleave(const std::array<std::uint32_t, 3>& x) {
  std::uint64_t index = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (const std::uint32_t coordinate : x) index = (index << 1) | ((coordinate >> b) & 1u);
  return index;
}

std::vector<Index> hilbert_order(std::span<const Vec3> points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double extent = (high - low).maxCoeff();  // one scale for all axes keeps cells cubic
  const double scale = extent > 0 ? ((1u << bits) - 1) / extent : 0;
  std::vector<std::uint64_t> key;
  key.reserve(points.size());
  for (const Vec3& x : points) {
    const Vec3 cell = scale * (x - low);
    key.push_back(
        hilbert_index({static_cast<std::uint32_t>(cell.x()), static_cast<std::uint32_t>(cell.y()),
                       static_cast<std::uint32_t>(cell.z())}));
  }
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)];
  });
  return order;
}

// Sorts elements by their nodes in ascending order; their own node order stays.
std::vector<Index> sort_elements(ElementBlock& block) {
  const auto per = static_cast<std::size_t>(nodes_per_element(block.type));
  std::vector<std::array<Index, 10>> key(static_cast<std::size_t>(block.size()));
  for (Index e = 0; e < block.size(); ++e) {
    auto& k = key[static_cast<std::size_t>(e)];
    k.fill(0);
    std::ranges::copy(block.element(e), k.begin());
    std::sort(k.begin(), k.begin() + static_cast<std::ptrdiff_t>(per));
  }
  std::vector<Index> order(key.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)];
  });
  ElementBlock sorted;
  sorted.type = block.type;
  for (const Index e : order) {
    const auto nodes = block.element(e);
    sorted.nodes.insert(sorted.nodes.end(), nodes.begin(), nodes.end());
    if (!block.region.empty()) sorted.region.push_back(block.region[static_cast<std::size_t>(e)]);
  }
  block = std::move(sorted);
  return order;
}

}  // namespace

std::uint64_t hilbert_index(std::array<std::uint32_t, 3> x) {
  constexpr std::uint32_t top = 1u << (bits - 1);
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    const std::uint32_t lower = q - 1;
    for (std::uint32_t& coordinate : x) {
      if (coordinate & q) {
        x[0] ^= lower;  // mirror
      } else {
        const std::uint32_t swap = (x[0] ^ coordinate) & lower;  // exchange axes
        x[0] ^= swap;
        coordinate ^= swap;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t gray = 0;
  for (std::uint32_t q = top; q > 1; q >>= 1)
    if (x[2] & q) gray ^= q - 1;
  for (std::uint32_t& coordinate : x) coordinate ^= gray;
  return interleave(x);
}

Renumbering renumber_for_locality(Mesh& mesh) {
  Renumbering result;
  if (mesh.points.empty()) return result;
  const std::vector<Index> order = hilbert_order(mesh.points);
  result.point.resize(order.size());
  std::vector<Vec3> points(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    result.point[static_cast<std::size_t>(order[n])] = static_cast<Index>(n);
    points[n] = mesh.points[static_cast<std::size_t>(order[n])];
  }
  mesh.points = std::move(points);
  for (ElementBlock& block : mesh.blocks) {
    for (Index& n : block.nodes) n = result.point[static_cast<std::size_t>(n)];
    result.element.push_back(sort_elements(block));
  }
  for (auto& [name, set] : mesh.node_sets) {
    for (Index& n : set) n = result.point[static_cast<std::size_t>(n)];
    std::sort(set.begin(), set.end());
  }
  return result;
}

}  // namespace pliant
