// Writing so that an interruption at any moment, kill −9 and power loss included, leaves whole
// files: the old one or the new one, never a part. Files that grow line by line get each line in
// one write(2) and can be cut back to a known length.
#pragma once

#include <pliant/io/file_descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace pliant {

// Writes the pieces one after the other to a temporary file beside `path`, then fsync, rename,
// fsync of the folder. On failure the temporary file is removed, what stood at `path` is untouched
// and WriteError names the path and the reason. A path that is a symbolic link keeps being one; one
// that is there but no regular file (a folder, a device) is refused.
void write_file_atomically(const std::filesystem::path& path,
                           std::span<const std::span<const std::byte>> pieces);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

enum class FileReaders { usual, owner };  // as the umask has it; its owner alone (mode 600)

// The same for a file that is too large to be put together first: pieces go to the temporary file
// as they come, and commit() gives it its name. Without commit() nothing is left of it.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path, FileReaders readers = FileReaders::usual);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

  // The temporary file, for libraries that open files themselves.
  const std::filesystem::path& partial() const { return partial_; }

 private:
  std::filesystem::path target_, partial_;
  FileDescriptor file_;
  bool renamed_ = false;
};

// Whether a file of this name is a temporary one of write_file_atomically; a killed run may leave
// one.
bool is_partial_file_name(std::string_view name);

// A file that only grows, a line at a time (history.csv, log.jsonl).
class AppendFile {
 public:
  AppendFile() = default;                                  // no file: append is not allowed
  explicit AppendFile(const std::filesystem::path& path);  // creates it, or keeps what is there

  // One write(2) for `lines`, which end with a newline. When it fails, on a full disk for instance,
  // the part that went in is cut off again and WriteError is thrown.
  void append(std::string_view lines);

  // Back to the first `bytes` bytes. InputError where the file is shorter or no line ends there: it
  // is then not the file that the length was noted for.
  void truncate_to(std::int64_t bytes);

  // Cuts off a last line without its newline: a kill may hit between two pages of one write.
  void cut_torn_line();

  void sync();  // to the disk, before a checkpoint relies on size()

  std::int64_t size() const { return size_; }  // bytes
  const std::filesystem::path& path() const { return path_; }

 private:
  char byte_at(std::int64_t offset) const;
  void resize(std::int64_t bytes);

  std::filesystem::path path_;
  FileDescriptor file_;
  std::int64_t size_ = 0;
};

}  // namespace pliant
