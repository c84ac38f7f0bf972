// Rays by Embree 3. Its tree is built on one thread, in an arena of its own: then the tree, and
// with it the answer where two triangles are hit at the same distance, is the same every time.
#include <pliant/render/ray_scene.hpp>

#include <pliant/core/error.hpp>

#include <embree3/rtcore.h>
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <limits>

namespace pliant {

struct RayScene::Scene {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  ~Scene() {
    if (scene) rtcReleaseScene(scene);
    if (device) rtcReleaseDevice(device);
  }
  void check() const {
    const RTCError error = rtcGetDeviceError(device);
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (error != RTC_ERROR_NONE)
      throw CannotContinue(fmt::format("Embree failed with its error {}", static_cast<int>(error)));
  }
};

namespace {

RTCRay make_ray(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) {
  RTCRay ray{};
  ray.org_x = origin.x();
  ray.org_y = origin.y();
  ray.org_z = origin.z();
  ray.dir_x = direction.x();
  ray.dir_y = direction.y();
  ray.dir_z = direction.z();
  ray.tnear = 0;
  ray.tfar = std::numeric_limits<float>::infinity();
  ray.mask = ~0u;
  return ray;
}

template <class Value>
Value* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
  return static_cast<Value*>(
      rtcSetNewGeometryBuffer(geometry, type, 0, format, 3 * sizeof(Value), count));
}

}  // namespace

bool renderer_built() { return true; }
void require_renderer() {}

RayScene::RayScene(std::span<const Eigen::Vector3f> points,
                   std::span<const std::array<Index, 3>> triangles)
    : scene_(std::make_unique<Scene>()) {
  scene_->device = rtcNewDevice(nullptr);
  scene_->check();
  scene_->scene = rtcNewScene(scene_->device);
  // No ray slips through between two triangles that share an edge.
  rtcSetSceneFlags(scene_->scene, RTC_SCENE_FLAG_ROBUST);
  if (!triangles.empty()) {
    const RTCGeometry geometry = rtcNewGeometry(scene_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* x = new_buffer<float>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, points.size());
    auto* nodes =
        new_buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles.size());
    scene_->check();
    for (const Eigen::Vector3f& point : points)
      for (int i = 0; i < 3; ++i) *x++ = point[i];
    for (const std::array<Index, 3>& triangle : triangles)
      for (const Index n : triangle) *nodes++ = static_cast<unsigned>(n);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_->scene, geometry);
    rtcReleaseGeometry(geometry);
  }
  tbb::task_arena alone(1);
  alone.execute([this] { rtcCommitScene(scene_->scene); });
  scene_->check();
}

RayScene::~RayScene() = default;

RayHit RayScene::closest(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit ray{};
  ray.ray = make_ray(origin, direction);
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene_->scene, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  const Eigen::Vector3f normal(ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z);
  return {static_cast<int>(ray.hit.primID), ray.ray.tfar, ray.hit.u, ray.hit.v,
          normal.stableNormalized()};
}

bool RayScene::occluded(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay ray = make_ray(origin, direction);
  rtcOccluded1(scene_->scene, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace pliant
