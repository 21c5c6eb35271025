// A transport has one thread, but its replies wander: the room and the workers hold them for longer
// than the answer takes. A session must end on the thread that serves it all the same.
#include "bindings/http/transport.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace muster::http {
namespace {

constexpr int kCallers = 4;
constexpr int kRequests = 50;  // of each caller

int PortOf(const std::string& url) { return std::stoi(url.substr(url.rfind(':') + 1)); }

/// One request on a connection of its own, to the end of the answer; empty when it failed.
std::string Ask(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string said;
  const std::string request = "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      write(fd, request.data(), request.size()) == static_cast<ssize_t>(request.size())) {
    char part[4096];
    for (ssize_t got = 0; (got = read(fd, part, sizeof part)) > 0;) {
      said.append(part, static_cast<std::size_t>(got));
    }
  }
  close(fd);
  return said;
}

TEST(Transport, EndsASessionOnItsOwnThreadWhoeverLetsGoOfTheReplyLast) {
  std::mutex mutex;  // the transport's thread makes keepers, this one joins them
  std::vector<std::thread> keepers;
  Transport* io = nullptr;
  // The keeper still holds the reply while the caller has its answer and has gone.
  const auto go = [&](const std::string&, Reply reply) {
    const std::lock_guard lock(mutex);
    keepers.emplace_back([&io, reply = std::move(reply)] {
      io->Post([reply] { reply({.body = "{}"}); });
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
  };
  std::promise<std::string> url;
  std::thread server([&] {
    auto listening = Transport::Listen("127.0.0.1:0", [&go](const Head&) -> Verdict {
      return Accepted{0, go};
    });
    if (!listening.ok()) return url.set_value("");
    io = listening->get();
    url.set_value(io->url());
    io->Run([] {});
  });
  const std::string at = url.get_future().get();
  if (!at.empty()) {
    std::vector<std::thread> callers;
    std::vector<int> answered(kCallers);
    for (int i = 0; i < kCallers; ++i) {
      callers.emplace_back([&answered, i, port = PortOf(at)] {
        for (int k = 0; k < kRequests; ++k)
          answered[static_cast<std::size_t>(i)] += Ask(port).ends_with("{}") ? 1 : 0;
      });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(answered, std::vector<int>(kCallers, kRequests));
    {
      const std::lock_guard lock(mutex);
      for (std::thread& keeper : keepers) keeper.join();
    }
    io->Stop();
  }
  server.join();
  EXPECT_FALSE(at.empty());
}

}  // namespace
}  // namespace muster::http
