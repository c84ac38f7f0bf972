// What `pliant view` and `pliant run --view` share: where the viewer's server listens and keeps its
// token, and the scene as a live session takes it.
#pragma once

#include "scene_file.hpp"

#include <pliant/view/live_scene.hpp>
#include <pliant/view/server.hpp>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace pliant::apps {

struct ViewOptions {
  std::string host = "127.0.0.1";
  int port = kUsualPort;
  bool port_given = false, control = false;

  // The log hears where there is no folder to keep the token of a given port in.
  ServerOptions server(const Log& log) const;
};

void add_view_options(CLI::App& command, ViewOptions& options);  // --port, --host, --control

SceneSource source_of(const LoadedScene& loaded, const std::string& path);

}  // namespace pliant::apps
