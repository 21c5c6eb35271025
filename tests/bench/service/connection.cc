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

/// How each event of a decision goes on behind its first line. A chunk's head is hexadecimal, so it
/// is never taken for one.
constexpr std::string_view kEventLine = "\nev";

/// Where `kEventLine` begins in a block of bytes. Its length is known, so it is compiled to a few
/// instructions for sixteen of them: 200 listeners hear gigabytes, on the processors of what is
/// measured.
constexpr std::size_t kBlock = 240;
std::uint8_t EventsInBlock(const char* bytes) {
  std::uint8_t count = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto is = [&](std::size_t n) { return bytes[i + n] == kEventLine[n] ? 1U : 0U; };
    count = static_cast<std::uint8_t>(count + (is(0) & is(1) & is(2)));
  }
  return count;
}

std::ptrdiff_t EventsIn(std::string_view text) {
  std::ptrdiff_t count = 0;
  while (text.size() >= kBlock + kEventLine.size() - 1) {
    count += EventsInBlock(text.data());
    text.remove_prefix(kBlock);
  }
  for (std::size_t at = text.find(kEventLine); at != std::string_view::npos;
       at = text.find(kEventLine, at + 1)) {
    ++count;
  }
  return count;
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

/// Hands what is there to `take`, part by part. False: it has ended.
template <typename Take>
bool Connection::Receive(const Take& take) {
  static std::array<char, 262144> part;  // one thread does all
  while (true) {
    const ssize_t got = recv(file_, part.data(), part.size(), 0);
    if (got > 0) take(std::string_view(part.data(), static_cast<std::size_t>(got)));
    if (got == 0 || (got < 0 && errno != EAGAIN)) return false;
    if (got < static_cast<ssize_t>(part.size())) return true;
  }
}

std::optional<int> Connection::Read() {
  if (!Receive([this](std::string_view part) { in_ += part; })) return -1;
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

std::ptrdiff_t Connection::CountEvents() {
  std::ptrdiff_t count = 0;
  const bool open = Receive([&](std::string_view part) {
    in_ += part.substr(0, kEventLine.size() - 1);  // a line may be cut in two
    count += EventsIn(in_) + EventsIn(part);
    if (part.size() >= kEventLine.size()) in_ = part.substr(part.size() - kEventLine.size());
    in_.erase(0, in_.size() - std::min(in_.size(), kEventLine.size() - 1));
  });
  return open || count > 0 ? count : -1;
}

}  // namespace muster::load
