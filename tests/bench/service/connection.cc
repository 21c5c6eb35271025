// See connection.h. Of HTTP it knows what a service of ours sends: a head, and a Content-Length.
#include "tests/bench/service/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace muster::load {
namespace {

[[noreturn]] void Give(const char* what) {
  std::perror(what);
  std::exit(3);
}

/// The number that follows `name` in `text`; 0 where it is not there.
std::size_t NumberBehind(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  std::size_t number = 0;
  if (at == std::string_view::npos) return number;
  const std::string_view rest = text.substr(at + name.size());
  std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return number;
}

}  // namespace

Connection::Connection(int port) : file_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (file_ < 0) Give("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(file_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    Give("connect");
  }
  const int one = 1;
  setsockopt(file_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  if (fcntl(file_, F_SETFL, O_NONBLOCK) != 0) Give("fcntl");
}

Connection::~Connection() { close(file_); }

void Connection::Send(std::string_view request) {
  out_ += request;
  Write();
}

void Connection::Write() {
  while (!out_.empty()) {
    const ssize_t sent = send(file_, out_.data(), out_.size(), MSG_NOSIGNAL);
    if (sent < 0) return;  // full, or it has ended, which reading tells
    out_.erase(0, static_cast<std::size_t>(sent));
  }
}

/// False: it has ended.
bool Connection::Fill() {
  std::array<char, 65536> part;
  while (true) {
    const ssize_t got = recv(file_, part.data(), part.size(), 0);
    if (got > 0) in_.append(part.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EAGAIN)) return false;
    if (got < static_cast<ssize_t>(part.size())) return true;
  }
}

std::optional<int> Connection::Read() {
  if (!Fill()) return -1;
  constexpr std::string_view kEnd = "\r\n\r\n";
  const std::size_t end = in_.find(kEnd);
  if (end == std::string::npos) return std::nullopt;
  const std::string_view head(in_.data(), end);
  const std::size_t whole = end + kEnd.size() + NumberBehind(head, "Content-Length: ");
  if (in_.size() < whole) return std::nullopt;
  const auto status = static_cast<int>(NumberBehind(head, "HTTP/1.1 "));
  in_.erase(0, whole);
  return status;
}

std::ptrdiff_t Connection::Count(std::string_view word) {
  const bool open = Fill();
  std::ptrdiff_t count = 0;
  std::size_t after = 0;
  for (std::size_t at = in_.find(word); at != std::string::npos; at = in_.find(word, after)) {
    ++count;
    after = at + word.size();
  }
  // A word may be cut in two.
  const std::size_t kept = std::min(in_.size() - after, word.size() - 1);
  in_.erase(0, in_.size() - kept);
  return open || count > 0 ? count : -1;
}

}  // namespace muster::load
