#include <pliant/view/kept_token.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/folder.hpp>
#include <pliant/view/guard.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace pliant {
namespace {

namespace fs = std::filesystem;

struct Kept {
  std::string token;      // empty: there is none, or
  std::string objection;  // why it is not believed
};

// Its own file descriptor is looked at, so what was checked is what is read. A pipe in its place
// must not make us wait.
Kept read_token(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return {};
  if (!file && errno == ELOOP) return {"", "is a link"};
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0)
    return {"", "cannot be read: " + std::generic_category().message(errno)};
  if (!S_ISREG(status.st_mode)) return {"", "is not a regular file"};
  if (status.st_uid != ::geteuid()) return {"", "belongs to another user"};
  if ((status.st_mode & 077) != 0) return {"", "is open to others"};
  std::array<char, kTokenDigits + 2>
      text;  // the token, a newline, and one to see that no more comes
  const ssize_t length = ::read(file.get(), text.data(), text.size());
  const std::string_view found(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  if (!found.ends_with('\n') || !is_token(found.substr(0, found.size() - 1)))
    return {"", "does not hold a token"};
  return {std::string(found.substr(0, kTokenDigits)), ""};
}

// Ours, with nobody else writing in it.
void make_private_folder(const fs::path& folder) {
  make_folder(folder.parent_path());
  struct stat status {};
  if ((::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) ||
      ::stat(folder.c_str(), &status) != 0)
    throw WriteError(fmt::format("{}: cannot be created: {}", folder.string(),
                                 std::generic_category().message(errno)));
  if (!S_ISDIR(status.st_mode))
    throw WriteError(fmt::format("{}: is a file, expected a folder", folder.string()));
  if (status.st_uid != ::geteuid() || (status.st_mode & 022) != 0)
    throw WriteError(fmt::format("{}: others may write in this folder", folder.string()));
}

}  // namespace

std::string kept_token(const fs::path& folder, const std::string& place, const Log& log) {
  const fs::path path = folder / fmt::format("view-{}.token", place);
  try {
    make_private_folder(folder);
    const Kept kept = read_token(path);
    if (!kept.token.empty()) return kept.token;
    if (!kept.objection.empty()) {
      log.warn(
          fmt::format("{}: {}; a new token takes its place, and pages that are open must be "
                      "opened anew",
                      path.string(), kept.objection));
      remove_file(path);
    }
    std::string token = make_token();
    AtomicFile file(path, FileReaders::owner);
    file.write(token + "\n");
    file.commit();
    return token;
  } catch (const Error& error) {
    log.warn(fmt::format("the token is not kept for the next start: {}", error.what()));
    return make_token();
  }
}

}  // namespace pliant
