// POSIX calls behind whole files: write, fsync, rename, fsync of the folder, in this order; any
// other order can leave an empty file under the final name after a power loss.
#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>
#include <pliant/io/encoding.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cassert>
#include <cerrno>
#include <system_error>

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view partial_suffix = ".partial";
constexpr mode_t file_mode = 0666;  // less the umask
constexpr mode_t private_mode = 0600;

[[noreturn]] void throw_write_error(const fs::path& path, int error) {
  throw WriteError(fmt::format("{}: cannot be written: {}", path.string(),
                               std::generic_category().message(error)));
}

void write_all(int fd, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(path, errno);
    if (written == 0) throw_write_error(path, ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void sync_file(int fd, const fs::path& path) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == EROFS) return;  // nothing there that could be synchronised
    throw_write_error(path, errno);
  }
}

// After a rename the folder itself must reach the disk, or the new name may be gone after a power
// loss.
void sync_folder(const fs::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) throw_write_error(folder, errno);
  sync_file(fd.get(), folder);
}

// Where the bytes really go: behind a symbolic link, and only onto regular files, so that a device
// is never replaced by a file.
fs::path resolve_target(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return path;
  if (fs::is_directory(status)) throw_write_error(path, EISDIR);
  if (error) throw_write_error(path, error.value());
  if (!fs::is_regular_file(status))
    throw WriteError(fmt::format("{}: cannot be written: it is not a regular file", path.string()));
  return fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path, FileReaders readers) : target_(resolve_target(path)) {
  partial_ = target_.parent_path() /
             fmt::format(".{}.{}{}", target_.filename().string(), ::getpid(), partial_suffix);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
  const bool secret = readers == FileReaders::owner;
  file_ = FileDescriptor(::open(partial_.c_str(), flags, secret ? private_mode : file_mode));
  if (!file_) throw_write_error(target_, errno);
  // A partial file that was there already keeps its mode when it is opened.
  if (secret && ::fchmod(file_.get(), private_mode) != 0) throw_write_error(target_, errno);
}

AtomicFile::~AtomicFile() {
  if (!renamed_) ::unlink(partial_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) { write_all(file_.get(), bytes, target_); }

void AtomicFile::write(std::string_view text) { write(bytes_of(text)); }

void AtomicFile::commit() {
  sync_file(file_.get(), target_);
  if (::rename(partial_.c_str(), target_.c_str()) != 0) throw_write_error(target_, errno);
  renamed_ = true;
  sync_folder(target_.has_parent_path() ? target_.parent_path() : fs::path("."));
}

void write_file_atomically(const fs::path& path,
                           std::span<const std::span<const std::byte>> pieces) {
  AtomicFile file(path);
  for (const std::span<const std::byte>& piece : pieces) file.write(piece);
  file.commit();
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  const std::span<const std::byte> piece = bytes_of(text);
  write_file_atomically(path, std::span(&piece, 1));
}

bool is_partial_file_name(std::string_view name) {
  return name.starts_with('.') && name.ends_with(partial_suffix) &&
         name.size() > partial_suffix.size() + 1;
}

AppendFile::AppendFile(const fs::path& path) : path_(path) {
  file_ = FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, file_mode));
  struct stat status {};
  if (!file_ || ::fstat(file_.get(), &status) != 0) throw_write_error(path_, errno);
  size_ = status.st_size;
}

void AppendFile::append(std::string_view lines) {
  assert(file_ && lines.ends_with('\n'));
  try {
    write_all(file_.get(), bytes_of(lines), path_);
  } catch (const WriteError&) {
    // Best effort: where even this fails, cut_torn_line and truncate_to mend it on resume.
    static_cast<void>(::ftruncate(file_.get(), size_) == 0);
    throw;
  }
  size_ += static_cast<std::int64_t>(lines.size());
}

void AppendFile::truncate_to(std::int64_t bytes) {
  if (bytes < 0 || bytes > size_)
    throw InputError(fmt::format("{}: has {} bytes, the checkpoint expects at least {}",
                                 path_.string(), size_, bytes));
  if (bytes > 0 && byte_at(bytes - 1) != '\n')
    throw InputError(
        fmt::format("{}: no line ends at byte {}, where the checkpoint expects the end of one",
                    path_.string(), bytes));
  resize(bytes);
}

void AppendFile::cut_torn_line() {
  std::int64_t end = size_;
  while (end > 0 && byte_at(end - 1) != '\n') --end;
  if (end != size_) resize(end);
}

void AppendFile::sync() { sync_file(file_.get(), path_); }

char AppendFile::byte_at(std::int64_t offset) const {
  char c = 0;
  if (::pread(file_.get(), &c, 1, offset) != 1) throw_write_error(path_, errno != 0 ? errno : EIO);
  return c;
}

void AppendFile::resize(std::int64_t bytes) {
  if (::ftruncate(file_.get(), bytes) != 0) throw_write_error(path_, errno);
  size_ = bytes;
}

}  // namespace pliant
