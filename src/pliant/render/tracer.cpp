// Light by path tracing (J. Kajiya, "The rendering equation", 1986): at each surface the key light
// is sampled directly and one direction is followed, which finds the dome, the ground or another
// body. Surfaces are matte under a thin glossy coat: Lambert's law, and a microfacet lobe (B.
// Walter and others, 2007) with Schlick's form of Fresnel's reflectance.
#include <pliant/render/picture.hpp>

#include <pliant/core/parallel.hpp>
#include <pliant/render/sampling.hpp>
#include <pliant/render/surface_point.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kAway = 2e-4f;   // from a surface that a ray leaves; bodies have size one
constexpr float kAlpha = 0.22f;  // width of the coat's lobe
constexpr int kLast = 2;         // surfaces after the first that a path may meet
constexpr float kFadeNear = 2.6f, kFadeFar = 9.0f;  // where the ground goes over into the backdrop
constexpr int kRound = 16;                          // samples between two looks at the noise
constexpr float kNoise = 1.5f / 255;  // of a pixel's lightness, as its samples suggest

// Schlick's form; a coat that is not quite smooth mirrors less at grazing angles.
float schlick(float head_on, float cosine) {
  constexpr float grazing = 0.4f;
  return head_on + (grazing - head_on) * std::pow(std::max(0.0f, 1 - cosine), 5.0f);
}

class Tracer {
 public:
  Tracer(const DrawnScene& scene, const PictureOptions& options)
      : scene_(scene), options_(options), light_(options.light) {
    cone_ = std::cos(light_.key_angle * kPi / 180);
    ambient_ = 0.3f * (light_.zenith + light_.horizon) + 0.2f * light_.key;
    eye_ = scene.normalised(options.camera.eye);
    const CameraFrame frame = frame_of(options.camera);
    const double half = std::tan(0.5 * options.camera.fov * std::numbers::pi / 180);
    forward_ = frame.forward.cast<float>();
    right_ = (half * options.size.aspect() * frame.right).cast<float>();
    up_ = (half * frame.up).cast<float>();
    spread_ = options.wireframe ? static_cast<float>(2 * half / options.size.height) : 0;
  }

  // Rounds of samples until their scatter says that the mean is good enough, or all are spent.
  Rgb pixel(int x, int y) const {
    Rgb sum = Rgb::Zero();
    float first = 0, second = 0;  // moments of the lightness
    int count = 0;
    while (count < options_.samples) {
      const int end = std::min(options_.samples, count + kRound);
      for (; count < end; ++count) {
        const Rgb light = sample(x, y, count);
        const float lightness = std::sqrt(std::min(4.0f, light.mean()));
        sum += light;
        first += lightness;
        second += lightness * lightness;
      }
      const float n = static_cast<float>(count), mean = first / n;
      if (count >= kRound && std::max(0.0f, second / n - mean * mean) < kNoise * kNoise * n) break;
    }
    return sum / static_cast<float>(std::max(1, count));
  }

 private:
  Rgb sample(int x, int y, int number) const {
    sampling::PixelSample random(x, y, number);
    const Eigen::Vector2f u = random.next();
    const float px = static_cast<float>(x) + 0.5f + sampling::tent(u.x());
    const float py = static_cast<float>(y) + 0.5f + sampling::tent(u.y());
    const float sx = 2 * px / static_cast<float>(options_.size.width) - 1;
    const float sy = 1 - 2 * py / static_cast<float>(options_.size.height);
    return radiance(eye_, (forward_ + sx * right_ + sy * up_).normalized(), random);
  }

  Rgb radiance(Vec3f origin, Vec3f direction, sampling::PixelSample& random) const {
    Rgb sum = Rgb::Zero(), weight = Rgb::Ones();
    for (int depth = 0;; ++depth) {
      const SurfacePoint point = scene_.closest(origin, direction, depth == 0 ? spread_ : 0);
      if (!point.hit)
        return sum + weight * (depth == 0 ? light_.backdrop(direction) : light_.dome(direction));
      if (depth == kLast) return sum + weight * point.albedo * ambient_;
      if (depth == 0 && point.ground) {
        const float faded = fade(point.position);
        sum += faded * light_.backdrop(direction);
        weight *= 1 - faded;
        if (faded >= 1) return sum;
      }
      origin = point.position + kAway * point.geometric;
      const float gloss = point.ground ? 0 : options_.gloss;
      sum += weight * key_light(point, direction, origin, gloss, random.next());
      direction = follow(point, direction, gloss, random, weight);
      if (weight.maxCoeff() < 1e-4f) return sum;
    }
  }

  float fade(const Vec3f& position) const {
    const float away = std::hypot(position.x(), position.z());
    const float s = std::clamp((away - kFadeNear) / (kFadeFar - kFadeNear), 0.0f, 1.0f);
    return s * s * (3 - 2 * s);
  }

  // The key light mirrored and scattered towards the ray. `light_.key` is its irradiance over π.
  Rgb key_light(const SurfacePoint& point, const Vec3f& direction, const Vec3f& origin, float gloss,
                const Eigen::Vector2f& u) const {
    if (light_.key.maxCoeff() <= 0) return Rgb::Zero();
    const Vec3f to_light = sampling::cone_direction(light_.key_direction, cone_, u);
    const float cosine = point.normal.dot(to_light);
    if (cosine <= 0 || scene_.occluded(origin, to_light)) return Rgb::Zero();
    const float view = std::max(0.02f, -point.normal.dot(direction));
    const Rgb matte = point.albedo * (1 - (gloss > 0 ? schlick(gloss, view) : 0));
    if (gloss <= 0) return matte * light_.key * cosine;
    const Vec3f half = (to_light - direction).normalized();
    const float across = point.normal.dot(half), a2 = kAlpha * kAlpha;
    const float bend = across * across * (a2 - 1) + 1;
    const float lobe = a2 / (kPi * bend * bend);
    const float shade = 2 / (view * std::sqrt(a2 + (1 - a2) * cosine * cosine) +
                             cosine * std::sqrt(a2 + (1 - a2) * view * view));
    const float mirrored = schlick(gloss, half.dot(to_light)) * lobe * 0.25f * shade * kPi;
    return (matte + mirrored) * light_.key * cosine;
  }

  // One direction onwards, by the coat or by what is below it; `weight` becomes the path's.
  Vec3f follow(const SurfacePoint& point, const Vec3f& direction, float gloss,
               sampling::PixelSample& random, Rgb& weight) const {
    const Eigen::Vector2f choice = random.next(), u = random.next();
    if (gloss <= 0) {
      weight *= point.albedo;
      return sampling::cosine_direction(point.normal, u);
    }
    const float mirrored = schlick(gloss, std::max(0.0f, -point.normal.dot(direction)));
    const float chance = std::clamp(mirrored, 0.1f, 0.9f);
    if (choice.x() >= chance) {
      weight *= point.albedo * ((1 - mirrored) / (1 - chance));
      return sampling::cosine_direction(point.normal, u);
    }
    const float c = std::sqrt((1 - u.x()) / (1 + (kAlpha * kAlpha - 1) * u.x()));
    Vec3f s, t;
    sampling::frame(point.normal, s, t);
    const float r = std::sqrt(std::max(0.0f, 1 - c * c)), angle = 2 * kPi * u.y();
    const Vec3f half = r * std::cos(angle) * s + r * std::sin(angle) * t + c * point.normal;
    const Vec3f out = direction - 2 * direction.dot(half) * half;
    weight *= point.geometric.dot(out) > 0 ? mirrored / chance : 0;
    return out.normalized();
  }

  const DrawnScene& scene_;
  const PictureOptions& options_;
  const Lighting& light_;
  float cone_ = 1, spread_ = 0;
  Rgb ambient_;
  Vec3f eye_, forward_, right_, up_;
};

}  // namespace

LightImage trace(const DrawnSurface& surface, const DrawnShape& shape,
                 const PictureOptions& options) {
  require_renderer();
  const DrawnScene scene(surface, shape, options);
  const Tracer tracer(scene, options);
  LightImage image{options.size, std::vector<Rgb>(options.size.pixels())};
  const auto width = static_cast<std::size_t>(options.size.width);
  parallel_for_each(image.pixels.size(), 128, [&](std::size_t k) {
    image.pixels[k] = tracer.pixel(static_cast<int>(k % width), static_cast<int>(k / width));
  });
  return image;
}

}  // namespace pliant
