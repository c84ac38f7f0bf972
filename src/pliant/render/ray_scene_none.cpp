// The rays of builds without PLIANT_EMBREE: says so.
#include <pliant/render/ray_scene.hpp>

#include <pliant/core/error.hpp>

namespace pliant {

struct RayScene::Scene {};

bool renderer_built() { return false; }

void require_renderer() {
  throw InputError("this build cannot draw pictures; configure it with -DPLIANT_EMBREE=ON");
}

RayScene::RayScene(std::span<const Eigen::Vector3f>, std::span<const std::array<Index, 3>>) {
  require_renderer();
}
RayScene::~RayScene() = default;
RayHit RayScene::closest(const Eigen::Vector3f&, const Eigen::Vector3f&) const { return {}; }
bool RayScene::occluded(const Eigen::Vector3f&, const Eigen::Vector3f&) const { return false; }

}  // namespace pliant
