#include <pliant/render/film_writer.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <system_error>

extern char** environ;

namespace pliant {
namespace {

namespace fs = std::filesystem;

std::string ending(const fs::path& path) {
  std::string name = path.extension().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

std::vector<std::string> encoding(const std::string& format) {
  if (format == ".gif")
    return {"-filter_complex",
            "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a", "-f",
            "gif"};
  // Colours of HD television, said in the file too, so that players agree about them.
  std::vector<std::string> words = {"-vf",
                                    "scale=out_color_matrix=bt709:out_range=tv",
                                    "-pix_fmt",
                                    "yuv420p",
                                    "-colorspace",
                                    "bt709",
                                    "-color_primaries",
                                    "bt709",
                                    "-color_trc",
                                    "iec61966-2-1"};
  const std::vector<std::string> codec =
      format == ".webm"
          ? std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"}
          : std::vector<std::string>{"-c:v",      "libx264",    "-crf", "18",
                                     "-movflags", "+faststart", "-f",   "mp4"};
  words.insert(words.end(), codec.begin(), codec.end());
  return words;
}

// What the child is given: pictures as its input, its complaints into a file in memory, a process
// group of its own so that an interruption from the keyboard reaches us alone.
struct SpawnSetup {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  SpawnSetup(int input, int complaints) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, complaints, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

bool is_film_name(const fs::path& path) {
  const std::string name = ending(path);
  return name == ".mp4" || name == ".webm" || name == ".gif";
}

FilmWriter::FilmWriter(const fs::path& path, PictureSize size, double fps)
    : path_(path), size_(size) {
  assert(is_film_name(path));
  const std::string format = ending(path);
  if (format != ".gif" && (size.width % 2 != 0 || size.height % 2 != 0))
    throw InputError(fmt::format("{}: a film has an even width and height, got {}x{}",
                                 path.string(), size.width, size.height));
  if (is_folder(path)) throw WriteError(path.string() + ": cannot be written: it is a folder");
  if (path.has_parent_path()) make_folder(path.parent_path());
  partial_ =
      path.parent_path() / fmt::format(".{}.{}.partial", path.filename().string(), ::getpid());
  std::vector<std::string> words = {"ffmpeg",
                                    "-hide_banner",
                                    "-nostdin",
                                    "-loglevel",
                                    "error",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pixel_format",
                                    "rgb24",
                                    "-video_size",
                                    fmt::format("{}x{}", size.width, size.height),
                                    "-framerate",
                                    fmt::format("{:.6g}", fps),
                                    "-i",
                                    "pipe:0"};
  for (std::string& word : encoding(format)) words.push_back(std::move(word));
  words.push_back("file:" + partial_.string());
  start(words);
}

void FilmWriter::start(const std::vector<std::string>& arguments) {
  // A socket, not a pipe: writing to a child that has ended is then an error, not a signal.
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw CannotContinue("no socket for ffmpeg: " + std::generic_category().message(errno));
  pictures_ = FileDescriptor(ends[0]);
  const FileDescriptor input(ends[1]);
  words_ = FileDescriptor(::memfd_create("ffmpeg", MFD_CLOEXEC));
  std::vector<char*> words;
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const SpawnSetup setup(input.get(), words_.get());
  const int error =
      ::posix_spawnp(&child_, "ffmpeg", &setup.files, &setup.attributes, words.data(), environ);
  if (error == 0) return;
  child_ = -1;
  if (error == ENOENT)
    throw InputError(
        "films need the program ffmpeg, which was not found: install it, or give -o a name that "
        "ends in .png");
  throw CannotContinue("ffmpeg could not be started: " + std::generic_category().message(error));
}

FilmWriter::~FilmWriter() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    wait();
  }
  if (!finished_) ::unlink(partial_.c_str());
}

void FilmWriter::add(const Image& image) {
  assert(image.size == size_ && child_ > 0);
  const std::uint8_t* next = image.rgb.data();
  std::size_t left = image.rgb.size();
  while (left > 0) {
    const ssize_t sent = ::send(pictures_.get(), next, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail();
    next += sent;
    left -= static_cast<std::size_t>(sent);
  }
}

int FilmWriter::wait() {
  pictures_ = FileDescriptor();  // the end of its input
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void FilmWriter::fail() {
  if (child_ > 0) wait();
  std::string said(4096, '\0');
  const ssize_t length = ::pread(words_.get(), said.data(), said.size(), 0);
  said.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  said = said.substr(0, said.find('\n'));
  throw WriteError(fmt::format("{}: ffmpeg could not write the film: {}", path_.string(),
                               said.empty() ? "it ended without a word" : said));
}

void FilmWriter::finish() {
  if (wait() != 0) fail();
  const FileDescriptor film(::open(partial_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!film || ::fsync(film.get()) != 0 || ::rename(partial_.c_str(), path_.c_str()) != 0)
    throw WriteError(fmt::format("{}: cannot be written: {}", path_.string(),
                                 std::generic_category().message(errno)));
  finished_ = true;
}

}  // namespace pliant
