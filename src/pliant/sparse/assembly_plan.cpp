#include <pliant/sparse/assembly_plan.hpp>

#include <bit>
#include <stdexcept>

namespace pliant {
namespace {

// Small enough that a few thousand elements feed two cores, large enough that a chunk's nodes stay
// in the cache and the colours stay few.
std::size_t chunk_size_for(std::size_t elements, std::size_t most_chunks) {
  const std::size_t size = std::clamp<std::size_t>(elements / 128, 16, 256);
  const std::size_t usual = std::max(size, (elements + most_chunks - 1) / most_chunks);
  // As for an eighth of them: small meshes, too, have several chunks of a colour where the thread
  // sanitizer looks, and only there is it less than usual.
  return items_per_block(elements / 8, usual);
}

}  // namespace

AssemblyPlan::AssemblyPlan(std::span<const Index> connectivity, int stencil, Index nodes)
    : stencil_(stencil), elements_(connectivity.size() / static_cast<std::size_t>(stencil)) {
  chunk_size_ = chunk_size_for(elements_, kMostChunks);
  const std::size_t chunk_count = (elements_ + chunk_size_ - 1) / chunk_size_;
  // Greedy colouring; a node remembers the colours of the chunks that touch it as bits. A chunk
  // that finds all 63 taken runs alone at the end.
  constexpr std::size_t kColours = 63;
  std::vector<std::uint64_t> taken(static_cast<std::size_t>(nodes), 0);
  std::vector<std::vector<std::size_t>> by_colour(kColours);
  std::vector<std::size_t> alone;
  const std::size_t stride = chunk_size_ * static_cast<std::size_t>(stencil);
  for (std::size_t c = 0; c < chunk_count; ++c) {
    const auto own =
        connectivity.subspan(c * stride, std::min(stride, connectivity.size() - c * stride));
    std::uint64_t forbidden = 0;
    for (const Index n : own) forbidden |= taken[static_cast<std::size_t>(n)];
    const auto colour = static_cast<std::size_t>(std::countr_one(forbidden));
    if (colour >= kColours) {
      alone.push_back(c);
      continue;
    }
    for (const Index n : own) taken[static_cast<std::size_t>(n)] |= std::uint64_t{1} << colour;
    by_colour[colour].push_back(c);
  }
  for (const std::size_t c : alone) by_colour.push_back({c});
  colour_start_.push_back(0);
  for (const auto& group : by_colour) {
    if (group.empty()) continue;
    chunks_.insert(chunks_.end(), group.begin(), group.end());
    colour_start_.push_back(chunks_.size());
  }
}

void AssemblyPlan::locate(std::span<const Index> connectivity, const BlockPattern& pattern) {
  const auto s = static_cast<std::size_t>(stencil_);
  blocks_.resize(elements_ * s * s);
  parallel_for_each(elements_, 256, [&](std::size_t e) {
    const Index* nodes = connectivity.data() + e * s;
    for (std::size_t a = 0; a < s; ++a)
      for (std::size_t b = 0; b < s; ++b) {
        const Index k = pattern.find(nodes[a], nodes[b]);
        if (k < 0) throw std::logic_error("an element couples nodes that the pattern does not");
        blocks_[(e * s + a) * s + b] = k;
      }
  });
}

}  // namespace pliant
