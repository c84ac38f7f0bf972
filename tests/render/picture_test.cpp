#include <pliant/render/picture.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/generators.hpp>
#include <pliant/render/annotate.hpp>
#include <pliant/render/below.hpp>
#include <pliant/render/ray_scene.hpp>
#include <support/threads.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

constexpr PictureSize kSize{64, 36};

struct Drawn {
  Mesh mesh;
  DrawnSurface surface;
  PictureOptions options;
};

// One body, seen from the front or as the camera finds best, on the ground or in the air.
Drawn make_drawn(Mesh mesh, bool ground) {
  Drawn drawn{std::move(mesh), {}, {}};
  const Index first[] = {0};
  drawn.surface = make_drawn_surface(drawn.mesh, make_surface(drawn.mesh), first);
  CameraFit fit(kSize.aspect());
  Extent extent;
  for (const Vec3& point : drawn.mesh.points) {
    fit.add(point);
    extent.add(point);
  }
  drawn.options.size = kSize;
  drawn.options.samples = 16;
  drawn.options.camera = fit.camera();
  drawn.options.light = studio_light(drawn.options.camera);
  drawn.options.around = extent.surroundings(ground);
  return drawn;
}

const Rgb& pixel(const LightImage& image, int x, int y) {
  return image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.size.width) +
                      static_cast<std::size_t>(x)];
}

// The pixel in which a point appears.
const Rgb& pixel_at(const LightImage& image, const Camera& camera, const Vec3& point) {
  const CameraFrame frame = frame_of(camera);
  const double half = std::tan(0.5 * camera.fov * M_PI / 180);
  const Vec3 x = point - camera.eye;
  const double depth = x.dot(frame.forward) * half;
  const double right = x.dot(frame.right) / (depth * image.size.aspect());
  return pixel(image, static_cast<int>(0.5 * (1 + right) * image.size.width),
               static_cast<int>(0.5 * (1 - x.dot(frame.up) / depth) * image.size.height));
}

class Picture : public ::testing::Test {
 protected:
  void SetUp() override { built_ = renderer_built(); }
  bool built_ = false;
};

TEST_F(Picture, BuildsWithoutEmbreeRefuseInWords) {
  if (built_) return require_renderer();
  EXPECT_THROW(require_renderer(), InputError);
}

// A convex matte body sees the dome alone: what it sends back is albedo × radiance, everywhere.
TEST_F(Picture, AMatteBallUnderAUniformDomeIsEvenlyLit) {
  if (!built_) return;
  Drawn ball = make_drawn(make_sphere({1, 0.2, ElementType::tet4}), false);
  ball.options.light = uniform_light(0.5f);
  ball.options.gloss = 0;
  const LightImage image = trace(ball.surface, {ball.mesh.points}, ball.options);
  const Rgb wanted = 0.5f * body_colour(0);
  for (int dy = -8; dy <= 8; ++dy)
    for (int dx = -8; dx <= 8; ++dx) {
      if (dx * dx + dy * dy > 64) continue;  // half of its radius in the picture
      const Rgb& light = pixel(image, kSize.width / 2 + dx, kSize.height / 2 + dy);
      EXPECT_LT((light - wanted).abs().maxCoeff(), 1e-5f) << dx << " " << dy;  // floats
    }
  EXPECT_LT((pixel(image, 0, 0) - 0.5f).abs().maxCoeff(), 1e-5f);  // the dome itself
}

// The same for a triangle in the way of the camera, which no value colours.
TEST_F(Picture, ObstaclesAreGreyWhateverColoursTheBodies) {
  if (!built_) return;
  Drawn ball = make_drawn(make_sphere({1, 0.2, ElementType::tet4}), false);
  const Camera& camera = ball.options.camera;
  const CameraFrame frame = frame_of(camera);
  const Vec3 before = camera.eye + 0.2 * (camera.target - camera.eye);
  const ObstacleTriangles obstacle{
      {before - frame.right - frame.up, before + frame.right - frame.up, before + 2 * frame.up},
      {{0, 1, 2}}};
  const Index first[] = {0};
  ball.surface = make_drawn_surface(ball.mesh, make_surface(ball.mesh), first, obstacle);
  std::vector<Vec3> points = ball.mesh.points;
  points.insert(points.end(), obstacle.points.begin(), obstacle.points.end());
  ball.options.light = uniform_light(0.5f);
  ball.options.gloss = 0;
  for (const std::vector<double>& values :
       {std::vector<double>(), std::vector<double>(points.size(), 1.0)}) {
    const LightImage image = trace(ball.surface, {points, values}, ball.options);
    const Rgb middle = pixel(image, kSize.width / 2, kSize.height / 2);
    // What it sends back to the camera has come from the dome alone: the ball is behind it.
    EXPECT_LT((middle - 0.5f * obstacle_colour()).abs().maxCoeff(), 1e-5f);
  }
}

// A white body in a white world cannot be seen; with a coat it loses little and gains nothing.
TEST_F(Picture, GlossTakesNoMoreThanItGives) {
  if (!built_) return;
  Drawn ball = make_drawn(make_sphere({1, 0.2, ElementType::tet4}), false);
  ball.options.light = uniform_light(0.5f);
  ball.options.samples = 256;
  const LightImage image = trace(ball.surface, {ball.mesh.points}, ball.options);
  const Rgb middle = pixel(image, kSize.width / 2, kSize.height / 2);
  const Rgb matte = body_colour(0), coat = Rgb::Constant(0.04f);
  const Rgb wanted = 0.5f * (coat + (1 - coat) * matte);
  EXPECT_LT((middle - wanted).abs().maxCoeff(), 5e-3f);  // noise of 256 samples
}

// Light from the left at 45°: a box of height 1 whose right face is at x = 0.5 shades the ground
// from there to x = 1.5.
TEST_F(Picture, TheShadowOfABoxFallsWhereGeometrySays) {
  if (!built_) return;
  Drawn box = make_drawn(make_box({}), true);
  Lighting dark = uniform_light(0);
  dark.key = Rgb::Ones();
  dark.key_direction = Eigen::Vector3f(-1, 1, 0).normalized();
  dark.key_angle = 0.1f;
  box.options.light = dark;
  box.options.camera = {{1, 5, 3}, {0.5, -0.5, 0}, 50};
  box.options.size = {160, 90};
  const LightImage image = trace(box.surface, {box.mesh.points}, box.options);
  const auto on_ground = [&](double x, double z) {
    return pixel_at(image, box.options.camera, {x, -0.5, z})[1];
  };
  const float lit = dark.ground[1] * std::sqrt(0.5f);  // albedo × key × cos 45°
  for (const double z : {-0.3, 0.0, 0.3}) {
    EXPECT_NEAR(on_ground(1.65, z), lit, 0.05f * lit) << z;  // the box sends a little back
    EXPECT_LT(on_ground(1.35, z), 0.15f * lit) << z;
    EXPECT_LT(on_ground(0.8, z), 0.15f * lit) << z;
  }
  EXPECT_NEAR(on_ground(1.0, 0.7), lit, 0.1f * lit);
}

// The lowest place of a flat sheet is all of it: the ground must not come through.
TEST_F(Picture, AFlatSheetHidesTheGroundBelowIt) {
  if (!built_) return;
  Mesh flat = make_sheet({{1, 1}, {7, 7}, ElementType::tri3});
  for (Vec3& x : flat.points) x += Vec3(0.3, 0.7, 0.1);  // where coordinates are rounded
  Drawn sheet = make_drawn(std::move(flat), true);
  sheet.options.light = uniform_light(0.5f);
  sheet.options.gloss = 0;
  *sheet.options.around.ground -= kBelowLowest * sheet.options.around.radius;
  sheet.options.camera = {{0.3, 2.2, 1.1}, {0.3, 0.7, 0.1}, 40};
  const LightImage image = trace(sheet.surface, {sheet.mesh.points}, sheet.options);
  const Rgb wanted = 0.5f * body_colour(0);
  for (double x = -0.35; x < 0.4; x += 0.05)
    for (double z = -0.35; z < 0.4; z += 0.05)
      EXPECT_LT((pixel_at(image, sheet.options.camera, {x + 0.3, 0.7, z + 0.1}) - wanted)
                    .abs()
                    .maxCoeff(),
                0.01f)
          << x << ' ' << z;
}

TEST_F(Picture, HasTheSameBitsForAnyNumberOfThreads) {
  if (!built_) return;
  const Drawn torus = make_drawn(make_torus({0.5, 0.2, 0.1, ElementType::tet4}), true);
  Image one, other;
  test::with_threads(
      1, [&] { one = render_picture(torus.surface, {torus.mesh.points}, torus.options); });
  for (const int threads : {2, 3}) {
    test::with_threads(threads, [&] {
      other = render_picture(torus.surface, {torus.mesh.points}, torus.options);
    });
    EXPECT_EQ(one.rgb, other.rgb) << threads;
  }
}

TEST_F(Picture, DoesNotDependOnTheScaleOfTheWorld) {
  if (!built_) return;
  const Image usual = [] {
    const Drawn ball = make_drawn(make_sphere({1, 0.3, ElementType::tet4}), true);
    return render_picture(ball.surface, {ball.mesh.points}, ball.options);
  }();
  for (const double factor : {1e-6, 1e6}) {
    const Drawn ball = make_drawn(make_sphere({factor, 0.3 * factor, ElementType::tet4}), true);
    const Image image = render_picture(ball.surface, {ball.mesh.points}, ball.options);
    double difference = 0;
    for (std::size_t k = 0; k < image.rgb.size(); ++k)
      difference += std::abs(image.rgb[k] - usual.rgb[k]);
    EXPECT_LT(difference / static_cast<double>(image.rgb.size()), 1) << factor;  // of 255
  }
}

// A slab of a bar passed through its neighbour and is inside out: what is seen of it is lit as the
// rest is, not black. (Corners there have normals that look into the body.)
TEST_F(Picture, ElementsThatAreInsideOutAreNotBlack) {
  if (!built_) return;
  BoxSpec spec;
  spec.size = {4, 1, 1};
  spec.cells = {8, 2, 2};
  spec.element = ElementType::hex8;
  Mesh mesh = make_box(spec);
  Drawn bar = make_drawn(mesh, false);
  for (Vec3& x : mesh.points)
    if (std::abs(x.x()) < 0.1) x = Vec3(-0.8, 1.3 * x.y(), 1.3 * x.z());
  bar.options.light = uniform_light(1);
  bar.options.gloss = 0;
  const LightImage image = trace(bar.surface, {mesh.points}, bar.options);
  const float albedo = body_colour(0)[2];
  float darkest = 1;
  for (const Rgb& light : image.pixels) darkest = std::min(darkest, light[2]);
  // The step between two slabs hides at most half of the dome.
  EXPECT_GT(darkest, 0.5f * albedo);
}

TEST_F(Picture, ValuesColourWhatIsDrawn) {
  if (!built_) return;
  Drawn ball = make_drawn(make_sphere({1, 0.2, ElementType::tet4}), false);
  ball.options.light = uniform_light(1);
  ball.options.gloss = 0;
  ball.options.scale.max = 2;
  const std::vector<double> values(ball.mesh.points.size(), 1.0);
  const LightImage image = trace(ball.surface, {ball.mesh.points, values}, ball.options);
  const Rgb wanted = map_colour(ColourMap::rising, 0.5);
  EXPECT_LT((pixel(image, 32, 18) - wanted).abs().maxCoeff(), 1e-5f);
}

TEST_F(Picture, MeshLinesDarkenIt) {
  if (!built_) return;
  Drawn ball = make_drawn(make_sphere({1, 0.5, ElementType::tet4}), false);
  const auto sum = [&] {
    float total = 0;
    for (const Rgb& light : trace(ball.surface, {ball.mesh.points}, ball.options).pixels)
      total += light.mean();
    return total;
  };
  const float plain = sum();
  ball.options.wireframe = true;
  EXPECT_LT(sum(), 0.99f * plain);
}

}  // namespace
}  // namespace pliant
