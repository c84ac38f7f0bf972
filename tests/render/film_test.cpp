#include <pliant/render/film_writer.hpp>

#include <pliant/core/error.hpp>
#include <pliant/render/run_pictures.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(FilmLength, CountsTheMomentsWithinARun) {
  FilmOptions options;
  options.fps = 25;
  EXPECT_EQ(film_length(3.0, options), 76u);
  options.speed = 0.5;
  EXPECT_EQ(film_length(3.0, options), 151u);
  EXPECT_EQ(film_length(0.0, options), 1u);
  options = {};
  options.fps = 30;
  EXPECT_EQ(film_length(0.1 + 0.2, options), 10u);  // which is a little more than 0.3
  EXPECT_EQ(film_length(0.7, options), 22u);        // 0.7 · 30 is a little less than 21
}

TEST(FilmName, IsToldByItsEnding) {
  EXPECT_TRUE(is_film_name("a/b.mp4"));
  EXPECT_TRUE(is_film_name("b.WEBM"));
  EXPECT_TRUE(is_film_name("b.c.gif"));
  EXPECT_FALSE(is_film_name("b.png"));
  EXPECT_FALSE(is_film_name("mp4"));
}

TEST(FilmWriter, RefusesOddSizes) {
  EXPECT_THROW(FilmWriter("film.mp4", {63, 36}, 30), InputError);
}

TEST(SceneCamera, IsReadFromTheSceneAsRun) {
  EXPECT_FALSE(scene_camera("{}"));
  EXPECT_FALSE(scene_camera(""));
  const auto camera =
      scene_camera(R"({"camera": {"eye": [1, 2, 3], "target": [0, 0.5, 0], "fov": 50}})");
  ASSERT_TRUE(camera);
  EXPECT_EQ(camera->eye, Vec3(1, 2, 3));
  EXPECT_EQ(camera->target, Vec3(0, 0.5, 0));
  EXPECT_EQ(camera->fov, 50);
}

}  // namespace
}  // namespace pliant
