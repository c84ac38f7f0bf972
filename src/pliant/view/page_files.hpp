// The page's own files, embedded when the program is built (tools/embed_page.py): nothing is ever
// read from disk for a browser but results and thumbnails.
#pragma once

#include <span>
#include <string_view>

namespace pliant {

struct PageFile {
  std::string_view path;  // "/index.html", "/assets/…"
  std::string_view type;  // as HTTP says it
  std::string_view bytes;
};
std::span<const PageFile> page_files();

}  // namespace pliant
