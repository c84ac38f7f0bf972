// Scenes are opened by their number in the list and by nothing else.
#include <pliant/core/error.hpp>
#include <pliant/view/gallery.hpp>

#include <io/scratch_folder.hpp>

#include <gmock/gmock.h>

#include <filesystem>

namespace pliant {
namespace {

using fixtures::ScratchFolder;
using fixtures::write_text;
using ::testing::HasSubstr;

struct GalleryTest : ::testing::Test {
  ScratchFolder scratch;
  GalleryTest() {
    write_text(scratch.path() / "a.json", R"({"name": "first", "description": "a thing"})");
    write_text(scratch.path() / "b.json", "not a scene");
    write_text(scratch.path() / "notes.txt", "{}");
  }
};

TEST_F(GalleryTest, ListsTheScenesOfItsFolder) {
  const Gallery gallery(scratch.path());
  const Json scenes = gallery.hello().at("scenes");
  ASSERT_EQ(scenes.size(), 2u);
  EXPECT_EQ(scenes[0].at("name"), "first");
  EXPECT_EQ(scenes[0].at("description"), "a thing");
  EXPECT_EQ(scenes[0].at("thumbnail"), false);
  EXPECT_EQ(scenes[1].at("name"), "b");
}

TEST_F(GalleryTest, OpensOneSceneAtATime) {
  Gallery gallery(scratch.path());
  EXPECT_FALSE(gallery.wait_for_choice());
  EXPECT_THAT(gallery.command({{"type", "open"}, {"scene", 2}}, 1), HasSubstr("no scene 2"));
  EXPECT_THAT(gallery.command({{"type", "pause"}}, 1), HasSubstr("open a scene"));
  EXPECT_EQ(gallery.command({{"type", "open"}, {"scene", 1}}, 1), "");
  EXPECT_THAT(gallery.command({{"type", "open"}, {"scene", 0}}, 2), HasSubstr("another scene"));
  EXPECT_EQ(gallery.wait_for_choice(), scratch.path() / "b.json");
  EXPECT_FALSE(gallery.wait_for_choice());
  Seen chooser{.page = 1}, other{.page = 2};
  gallery.news(chooser);
  gallery.news(other);
  gallery.refuse("it is no scene");
  ASSERT_EQ(gallery.news(chooser).size(), 1u);
  EXPECT_TRUE(gallery.news(other).empty()) << "only who asked is told";
  EXPECT_EQ(gallery.command({{"type", "open"}, {"scene", 0}}, 2), "") << "the next may come";
}

TEST_F(GalleryTest, IsNotMadeOfResultsOrOfNothing) {
  EXPECT_TRUE(Gallery::has_scenes(scratch.path()));
  write_text(scratch.path() / "history.csv", "step\n");
  EXPECT_FALSE(Gallery::has_scenes(scratch.path()));
  EXPECT_FALSE(Gallery::has_scenes(scratch.path() / "nowhere"));
  const ScratchFolder empty;
  EXPECT_THROW(Gallery(empty.path()), InputError);
}

}  // namespace
}  // namespace pliant
