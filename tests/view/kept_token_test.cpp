// A token outlasts the program, and only in a file that nobody else can have read or written.
#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/view/guard.hpp>
#include <pliant/view/kept_token.hpp>
#include <pliant/view/server.hpp>

#include "still_show.hpp"

#include <io/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>

namespace pliant {
namespace {

namespace fs = std::filesystem;
using fixtures::ScratchFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

fs::perms mode_of(const fs::path& path) { return fs::status(path).permissions(); }

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

struct KeptToken : ::testing::Test {
  ScratchFolder scratch;
  fs::path folder = scratch.path() / "state" / "pliant";
  fs::path file = folder / "view-127.0.0.1-9000.token";
  std::vector<std::string> said;
  Log log{[this](const LogEntry& entry) { said.push_back(entry.text); }};

  std::string token(const std::string& place = "127.0.0.1-9000") {
    return kept_token(folder, place, log);
  }
};

TEST_F(KeptToken, IsTheSameForTheSamePlaceOnly) {
  const std::string first = token();
  EXPECT_TRUE(is_token(first)) << first;
  EXPECT_EQ(token(), first);
  EXPECT_NE(token("127.0.0.1-9001"), first);
  EXPECT_NE(token("0.0.0.0-9000"), first);
  EXPECT_EQ(token(), first);
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(KeptToken, CanBeReadByItsOwnerAloneWhateverTheUmask) {
  const mode_t before = ::umask(0);
  const std::string made = token();
  ::umask(before);
  EXPECT_EQ(mode_of(folder), fs::perms::owner_all);
  EXPECT_EQ(mode_of(file), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(read_text(file), made + "\n");
  EXPECT_EQ(list_folder(folder).size(), 1u) << "nothing temporary is left";
}

// What may lie in the file's place that is not to be believed, and the word for it.
struct Doubtful {
  const char* name;
  const char* words;
  std::function<void(const fs::path& file, const fs::path& elsewhere)> put;
};
Doubtful with_mode(const char* name, mode_t mode) {
  return {name, "is open to others",
          [mode](const fs::path& file, const fs::path&) { ::chmod(file.c_str(), mode); }};
}
Doubtful with_text(const char* name, const std::string& text) {
  return {name, "does not hold a token",
          [text](const fs::path& file, const fs::path&) { write(file, text); }};
}

struct DoubtfulToken : KeptToken, ::testing::WithParamInterface<Doubtful> {};

TEST_P(DoubtfulToken, IsReplacedAndTheLogHearsOfIt) {
  const std::string first = token();
  const fs::path elsewhere = scratch.path() / "elsewhere";
  write(elsewhere, first + "\n");
  ::chmod(elsewhere.c_str(), 0600);
  GetParam().put(file, elsewhere);
  const std::string second = token();
  EXPECT_TRUE(is_token(second)) << second;
  EXPECT_NE(second, first);
  EXPECT_THAT(said, ElementsAre(HasSubstr(GetParam().words)));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file)));
  EXPECT_EQ(mode_of(file), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(token(), second) << "the new one is kept";
  EXPECT_EQ(read_text(elsewhere), first + "\n") << "what a link points to is left alone";
}

std::string digits(char digit = 'a') { return std::string(kTokenDigits, digit); }

INSTANTIATE_TEST_SUITE_P(
    Kinds, DoubtfulToken,
    ::testing::Values(with_mode("ReadByItsGroup", 0640), with_mode("ReadByAll", 0604),
                      with_mode("WrittenByAll", 0602), with_text("Empty", ""),
                      with_text("Short", digits().substr(1) + "\n"),
                      with_text("Long", digits() + "a\n"), with_text("Cut", digits()),
                      with_text("WithMore", digits() + "\n\n"),
                      with_text("InCapitals", digits('A') + "\n"),
                      with_text("WithZeroBytes", digits('\0') + "\n"),
                      Doubtful{"ALink", "is a link",
                               [](const fs::path& file, const fs::path& elsewhere) {
                                 fs::remove(file);
                                 fs::create_symlink(elsewhere, file);
                               }},
                      Doubtful{"AFolder", "is not a regular file",
                               [](const fs::path& file, const fs::path&) {
                                 fs::remove(file);
                                 fs::create_directory(file);
                               }},
                      Doubtful{"APipe", "is not a regular file",
                               [](const fs::path& file, const fs::path&) {
                                 fs::remove(file);
                                 ::mkfifo(file.c_str(), 0600);
                               }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(KeptToken, IsNewEveryTimeWhereTheFolderCannotBeMade) {
  write(scratch.path() / "state", "a file");
  EXPECT_NE(token(), token());
  EXPECT_THAT(said, ElementsAre(HasSubstr("not kept"), HasSubstr("not kept")));
}

TEST_F(KeptToken, IsNotPutWhereOthersMayWrite) {
  fs::create_directories(folder);
  ::chmod(folder.c_str(), 0777);
  EXPECT_NE(token(), token());
  EXPECT_THAT(said, ElementsAre(HasSubstr("others may write"), HasSubstr("others may write")));
  EXPECT_THAT(list_folder(folder), IsEmpty());
}

TEST_F(KeptToken, IsThatOfAServerStartedAgainOnAPortThatWasAskedFor) {
  const auto show = std::make_shared<test::StillShow>();
  std::string first;
  int port = 0;
  {
    const Server any({.port = 0, .token_folder = folder}, show, log);
    EXPECT_FALSE(fs::exists(folder)) << "any port will do: nobody comes back to it";
    port = any.port();
  }
  {
    const Server server({.port = port, .token_folder = folder}, show, log);
    first = server.address();
    EXPECT_THROW(Server({.port = port, .token_folder = folder}, show, log), InputError);
  }
  EXPECT_EQ(Server({.port = port, .token_folder = folder}, show, log).address(), first);
  EXPECT_NE(Server({.port = port}, show, log).address(), first);
  EXPECT_EQ(list_folder(folder).size(), 1u);
  EXPECT_THAT(said, IsEmpty());
}

}  // namespace
}  // namespace pliant
