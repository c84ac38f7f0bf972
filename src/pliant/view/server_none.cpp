// The server of builds without PLIANT_VIEWER: says so.
#include <pliant/view/server.hpp>

#include <pliant/core/error.hpp>

namespace pliant {

struct Server::Threads {};

bool viewer_available() { return false; }

Server::Server(const ServerOptions&, std::shared_ptr<Show>, const Log&) {
  throw InputError("this build has no viewer; configure it with -DPLIANT_VIEWER=ON");
}
Server::~Server() = default;
void Server::show(std::shared_ptr<Show>) {}

}  // namespace pliant
