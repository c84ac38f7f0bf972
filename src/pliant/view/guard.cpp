#include <pliant/view/guard.hpp>

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace pliant {
namespace {

struct HostAndPort {
  std::string host, port;
};

// "[::1]:80", "127.0.0.1:80", "localhost"; a port of 80 may be left out.
HostAndPort split(std::string_view text) {
  std::size_t end = text.size();
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) return {};
    const std::string_view rest = text.substr(bracket + 1);
    if (!rest.empty() && rest[0] != ':') return {};
    return {std::string(text.substr(1, bracket - 1)),
            std::string(rest.empty() ? "80" : rest.substr(1))};
  }
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) end = colon;
  return {std::string(text.substr(0, end)),
          std::string(end == text.size() ? "80" : text.substr(end + 1))};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

bool is_address(const std::string& host) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

}  // namespace

std::string make_token() {
  std::random_device device;
  std::string token;
  while (token.size() < kTokenDigits) token += fmt::format("{:08x}", device());
  return token;
}

bool is_token(std::string_view text) {
  return text.size() == kTokenDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool same_token(std::string_view given, std::string_view token) {
  unsigned difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t k = 0; k < token.size(); ++k)
    difference |= static_cast<unsigned char>(token[k]) ^
                  static_cast<unsigned char>(k < given.size() ? given[k] : '\0');
  return difference == 0;
}

bool is_loopback(std::string_view host) {
  const std::string name = lower(std::string(host));
  unsigned char bytes[16];
  if (inet_pton(AF_INET, name.c_str(), bytes) == 1) return bytes[0] == 127;
  return name == "localhost" || name == "::1";
}

bool host_allowed(std::string_view host_header, const HostRule& rule) {
  const auto [host, port] = split(host_header);
  if (host.empty() || port != std::to_string(rule.port)) return false;
  if (is_loopback(host)) return true;
  if (rule.loopback) return false;
  return is_address(host) || lower(host) == lower(rule.host);
}

bool origin_allowed(std::string_view origin, std::string_view host_header) {
  return origin.empty() || origin == fmt::format("http://{}", host_header);
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::string_view query_value(std::string_view target, std::string_view name) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {};
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (pair.substr(0, equals) == name && equals != std::string_view::npos)
      return pair.substr(equals + 1);
  }
  return {};
}

// Nothing but what the server itself delivers, no inline script, no frame around it.
std::string content_security_policy(std::string_view host_header) {
  return fmt::format(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
      "font-src 'self'; media-src 'self' blob:; worker-src 'self' blob:; connect-src 'self' "
      "ws://{}; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      host_header);
}

}  // namespace pliant
