// Who may talk to the viewer's server: whoever knows the token, from a
// page that the server itself delivered. A page of another site that makes the browser call us by a
// name of its own (DNS rebinding) is known by the Host it names, one that calls across sites by its
// Origin.
#pragma once

#include <string>
#include <string_view>

namespace pliant {

constexpr std::size_t kTokenDigits = 48;
std::string make_token();              // 192 random bits in hexadecimal
bool is_token(std::string_view text);  // it could be one of ours

// Takes as long for a wrong token as for the right one.
bool same_token(std::string_view given, std::string_view token);

struct HostRule {
  std::string host;      // as the user gave it
  bool loopback = true;  // the server listens there only
  int port = 0;
};

bool is_loopback(std::string_view host);  // localhost, 127.x.y.z, ::1

// On loopback: localhost and the addresses of loopback. Elsewhere: any address in numbers, which no
// foreign name can stand for, and the name that the user gave.
bool host_allowed(std::string_view host_header, const HostRule& rule);

// No Origin (not a page at all), or the one that the server has under that Host.
bool origin_allowed(std::string_view origin, std::string_view host_header);

// The value of a query's parameter, as it stands; empty where there is none.
std::string_view query_value(std::string_view target, std::string_view name);
std::string_view path_of(std::string_view target);  // without the query

std::string content_security_policy(std::string_view host_header);

}  // namespace pliant
