// Reading the file, before anyone parses it.
#include <pliant/core/error.hpp>
#include <pliant/io/file_descriptor.hpp>
#include <pliant/robots/xml.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace pliant::robots {

XmlElement read_xml(const std::filesystem::path& path) {
  const auto refuse = [&path](std::string_view why) {
    throw InputError(fmt::format("{}: {}", path.string(), why));
  };
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file)
    refuse(errno == ENOENT   ? "no such file"
           : errno == EACCES ? "no permission to read it"
                             : std::string(std::strerror(errno)));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse("is a folder, expected a URDF or MJCF file");
  if (!S_ISREG(status.st_mode)) refuse("is not a plain file");
  if (static_cast<std::uintmax_t>(status.st_size) > max_xml_bytes)
    refuse(fmt::format("has {} bytes, the largest description that is read is 16 MiB",
                       status.st_size));
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t n = ::read(file.get(), text.data() + have, text.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(std::strerror(errno));
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  text.resize(have);
  return parse_xml(text, path.string());
}

}  // namespace pliant::robots
