// Writing fails in every way we can arrange (full disk, file-size limit, folder in place of a file,
// no such folder, folder without permission): the old file stays, no temporary one is left, and
// WriteError says why.
#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

using fixtures::names_in;
using fixtures::read_text;
using fixtures::ScratchFolder;
using fixtures::status_in_child;
using fixtures::write_text;
using Names = std::vector<std::string>;

std::string write_error(const std::filesystem::path& path, const std::string& text) {
  try {
    write_file_atomically(path, text);
  } catch (const WriteError& error) {
    return error.what();
  }
  return "";
}

// In a child: 0 if a large write over `path` fails as it should and the old text is still there.
int refused_and_untouched(const std::filesystem::path& path) {
  write_file_atomically(path, "old");
  const std::string message = write_error(path, std::string(1 << 20, 'x'));
  if (message.find(path.string() + ": cannot be written: ") != 0) return 1;
  if (read_text(path) != "old") return 2;
  if (names_in(path.parent_path()) != Names{path.filename().string()}) return 3;
  write_file_atomically(path, "new");  // there is room for this one
  return read_text(path) == "new" ? 0 : 4;
}

TEST(AtomicFile, ReplacesTheWholeFileAndLeavesNothingElse) {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "a.txt";
  write_file_atomically(path, std::string(100000, 'x'));
  EXPECT_EQ(read_text(path), std::string(100000, 'x'));
  write_file_atomically(path, "short");
  EXPECT_EQ(read_text(path), "short");
  EXPECT_EQ(names_in(scratch.path()), Names{"a.txt"});
}

TEST(AtomicFile, OnAFullDiskTheOldFileStays) {
  const ScratchFolder scratch;
  EXPECT_EQ(status_in_child([&] {
              fixtures::fill_disk_at(scratch.path(), 1 << 16, 1 << 16);
              return refused_and_untouched(scratch.path() / "a.txt");
            }),
            0);
}

TEST(AtomicFile, AboveTheFileSizeLimitTheOldFileStays) {
  const ScratchFolder scratch;
  EXPECT_EQ(status_in_child([&] {
              fixtures::limit_file_size(1 << 16);
              return refused_and_untouched(scratch.path() / "a.txt");
            }),
            0);
}

TEST(AtomicFile, RefusesFoldersAndDevicesInPlaceOfAFile) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.path() / "folder");
  EXPECT_NE(write_error(scratch.path() / "folder", "x").find("directory"), std::string::npos);
  EXPECT_NE(write_error("/dev/null", "x").find("not a regular file"), std::string::npos);
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
  EXPECT_NE(write_error(scratch.path() / "none" / "a", "x").find("No such"), std::string::npos);
  EXPECT_EQ(names_in(scratch.path()), Names{"folder"});
}

TEST(AtomicFile, RefusesAFolderWithoutPermission) {
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "closed";
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms(0555));
  std::filesystem::permissions(scratch.path(), std::filesystem::perms(0755));
  EXPECT_EQ(status_in_child([&] {
              if (::getuid() == 0 && ::setuid(65534) != 0) return 5;  // root may write anywhere
              return write_error(folder / "a", "x").find("ermission") != std::string::npos ? 0 : 1;
            }),
            0);
  EXPECT_TRUE(names_in(folder).empty());
}

TEST(AtomicFile, WritesBehindASymbolicLink) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.path() / "real");
  write_text(scratch.path() / "real" / "a", "old");
  std::filesystem::create_symlink("real/a", scratch.path() / "link");
  write_file_atomically(scratch.path() / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path() / "link"));
  EXPECT_EQ(read_text(scratch.path() / "real" / "a"), "new");
}

TEST(AppendFile, GrowsIsCutBackAndGoesOn) {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "a.csv";
  AppendFile file(path);
  file.append("one\n");
  const std::int64_t length = file.size();
  file.append("two\n");
  file.truncate_to(length);
  file.append("three\n");
  EXPECT_EQ(read_text(path), "one\nthree\n");
  AppendFile again(path);
  again.append("four\n");
  EXPECT_EQ(read_text(path), "one\nthree\nfour\n");
  EXPECT_EQ(again.size(), 15);
}

TEST(AppendFile, RefusesALengthThatIsNotTheEndOfALine) {
  const ScratchFolder scratch;
  AppendFile file(scratch.path() / "a.csv");
  file.append("one\ntwo\n");
  for (const std::int64_t bytes : {-1, 3, 6, 9}) EXPECT_THROW(file.truncate_to(bytes), InputError);
  EXPECT_EQ(file.size(), 8);
  file.truncate_to(4);
  EXPECT_EQ(read_text(file.path()), "one\n");
}

TEST(AppendFile, CutsOffATornLineOnly) {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "a.csv";
  for (const auto& [before, after] :
       {std::pair{"one\ntw", "one\n"}, {"one\n", "one\n"}, {"on", ""}, {"", ""}}) {
    write_text(path, before);
    AppendFile(path).cut_torn_line();
    EXPECT_EQ(read_text(path), after);
  }
}

TEST(AppendFile, OnAFullDiskOnlyWholeLinesRemain) {
  const ScratchFolder scratch;
  EXPECT_EQ(status_in_child([&] {
              fixtures::fill_disk_at(scratch.path(), 1 << 16, 1 << 16);
              AppendFile file(scratch.path() / "a.csv");
              const std::string line(999, 'x');
              int lines = 0;
              try {
                for (; lines < 1000; ++lines) file.append(line + '\n');
              } catch (const WriteError&) {
              }
              const std::string text = read_text(file.path());
              if (lines < 10 || lines == 1000) return 1;
              return text.size() == 1000u * static_cast<unsigned>(lines) && text.back() == '\n' ? 0
                                                                                                : 2;
            }),
            0);
}

TEST(AppendFile, SaysThatTheDeviceIsFull) {
  AppendFile file("/dev/full");
  try {
    file.append("line\n");
    FAIL() << "the device accepts nothing";
  } catch (const WriteError& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot be written: No space left on device");
    EXPECT_EQ(error.exit_status(), 5);
  }
}

}  // namespace
}  // namespace pliant
