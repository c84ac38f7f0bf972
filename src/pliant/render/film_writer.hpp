// Films by ffmpeg: a child process that is fed whole pictures and never sees a shell. It writes
// beside the wished file under a temporary name; only a film that is whole gets its own.
#pragma once

#include <pliant/io/file_descriptor.hpp>
#include <pliant/render/image.hpp>

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace pliant {

bool is_film_name(const std::filesystem::path& path);  // .mp4, .webm or .gif

class FilmWriter {
 public:
  // InputError where the format cannot hold the size, or there is no ffmpeg.
  FilmWriter(const std::filesystem::path& path, PictureSize size, double fps);
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;
  ~FilmWriter();  // a film that was not finished leaves nothing

  void add(const Image& image);  // WriteError with ffmpeg's own words where it has ended
  void finish();

 private:
  void start(const std::vector<std::string>& arguments);
  [[noreturn]] void fail();
  int wait();  // for the child; its exit status, −1 where a signal ended it

  std::filesystem::path path_, partial_;
  PictureSize size_;
  FileDescriptor pictures_, words_;  // to the child's input, from its complaints
  pid_t child_ = -1;
  bool finished_ = false;
};

}  // namespace pliant
