#include <pliant/coarsen/node_gradients.hpp>

#include <pliant/core/svd3.hpp>
#include <pliant/element/elastic_term.hpp>

namespace pliant {
namespace {

Mat3 edges(const std::array<Index, 4>& corners, std::span<const double> x) {
  Mat3 E;
  for (int k = 0; k < 3; ++k)
    E.col(k) = node(x, corners[static_cast<std::size_t>(k) + 1]) - node(x, corners[0]);
  return E;
}

}  // namespace

NodeGradients::NodeGradients(const PartNodes& nodes, std::span<const double> rest)
    : volumes_(rest.size() / 3, 0.0) {
  for (const Term* term : nodes.elastic) {
    const auto* batch = dynamic_cast<const ElasticTerm*>(term);
    if (!batch || batch->elements() == 0) continue;
    const std::span<const Index> all = batch->connectivity();
    const std::size_t count = all.size() / static_cast<std::size_t>(batch->elements());
    if (count < 4) continue;
    const std::array<std::size_t, 4> spanning = count == 8 ? std::array<std::size_t, 4>{0, 1, 3, 4}
                                                           : std::array<std::size_t, 4>{0, 1, 2, 3};
    for (std::size_t e = 0; e + count <= all.size(); e += count) {
      Element element{.corners = {}, .to_rest = {}, .first = nodes_.size(), .count = count};
      for (std::size_t k = 0; k < 4; ++k) element.corners[k] = all[e + spanning[k]] - nodes.first;
      const Mat3 E = edges(element.corners, rest);
      element.to_rest = E.inverse();
      element.volume = std::abs(E.determinant());
      if (!element.to_rest.allFinite()) continue;
      for (std::size_t a = 0; a < count; ++a) {
        nodes_.push_back(all[e + a] - nodes.first);
        volumes_[static_cast<std::size_t>(nodes_.back())] += element.volume;
      }
      elements_.push_back(element);
    }
  }
}

std::vector<Mat3> NodeGradients::at(std::span<const double> x) const {
  std::vector<Mat3> mean(volumes_.size(), Mat3::Zero());
  for (const Element& element : elements_) {
    const Mat3 weighted = element.volume * edges(element.corners, x) * element.to_rest;
    for (std::size_t a = 0; a < element.count; ++a)
      mean[static_cast<std::size_t>(nodes_[element.first + a])] += weighted;
  }
  for (std::size_t n = 0; n < mean.size(); ++n)
    mean[n] = volumes_[n] > 0 ? Mat3(mean[n] / volumes_[n]) : Mat3(Mat3::Identity());
  return mean;
}

std::vector<Mat3> NodeGradients::rotations_at(std::span<const double> x) const {
  std::vector<Mat3> F = at(x);
  for (Mat3& R : F) R = R.allFinite() && !R.isZero(0) ? polar(R).R : Mat3(Mat3::Identity());
  return F;
}

}  // namespace pliant
