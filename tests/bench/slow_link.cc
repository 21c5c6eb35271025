// Each direction of a connection has a thread that reads and one that writes what is due.
#include "tests/bench/slow_link.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

using Clock = std::chrono::steady_clock;

sockaddr_un AddressOf(const std::string& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder + "/.s.PGSQL.5432";
  Require(path.size() < sizeof(address.sun_path), "the path of a socket is too long");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

/// What is read from one socket is written to the other, later.
class OneWay {
 public:
  OneWay(int from, int to, std::chrono::microseconds delay)
      : from_(from), to_(to), delay_(delay), reads_([this] { Read(); }), writes_([this] {
          Write();
        }) {}
  ~OneWay() {
    shutdown(from_, SHUT_RDWR);
    shutdown(to_, SHUT_RDWR);
    reads_.join();
    writes_.join();
  }
  OneWay(const OneWay&) = delete;
  OneWay& operator=(const OneWay&) = delete;

 private:
  void Read() {
    std::vector<char> buffer(1 << 16);
    while (true) {
      const ssize_t got = read(from_, buffer.data(), buffer.size());
      const std::lock_guard lock(mutex_);
      // Nothing: the end, which goes on as well.
      pending_.emplace_back(
          Clock::now() + delay_,
          got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string());
      changed_.notify_one();
      if (got <= 0) return;
    }
  }
  void Write() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return !pending_.empty(); });
      const auto [due, bytes] = std::move(pending_.front());
      pending_.pop_front();
      lock.unlock();
      std::this_thread::sleep_until(due);
      if (bytes.empty()) {
        shutdown(to_, SHUT_WR);
        return;
      }
      std::size_t done = 0;
      while (done < bytes.size()) {
        const ssize_t sent = send(to_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (sent <= 0) break;
        done += static_cast<std::size_t>(sent);
      }
      lock.lock();
    }
  }

  const int from_;
  const int to_;
  const std::chrono::microseconds delay_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<Clock::time_point, std::string>> pending_;
  std::thread reads_;
  std::thread writes_;
};

}  // namespace

struct SlowLink::State {
  testing::TemporaryDirectory folder;
  std::string url;
  std::string server;
  std::chrono::microseconds delay{0};
  int listens = -1;
  std::list<OneWay> ways;
  std::vector<int> sockets;
  std::thread accepts;

  void Accept() {
    while (true) {
      const int near = accept(listens, nullptr, nullptr);
      if (near < 0) return;
      const int far = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_un address = AddressOf(server);
      Require(connect(far, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0,
              "no connection to PostgreSQL's socket");
      sockets.insert(sockets.end(), {near, far});
      ways.emplace_back(near, far, delay);
      ways.emplace_back(far, near, delay);
    }
  }
};

SlowLink::SlowLink(const std::string& url, std::chrono::microseconds delay)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  const std::size_t host = url.find("host=") + 5;
  const std::size_t end = url.find_first_of("#&", host);
  s.server = url.substr(host, end - host);
  s.url = url.substr(0, host) + s.folder.path().string() + url.substr(end);
  s.delay = delay;
  s.listens = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = AddressOf(s.folder.path().string());
  Require(bind(s.listens, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
              listen(s.listens, 16) == 0,
          "no socket for a slow link");
  s.accepts = std::thread([&s] { s.Accept(); });
}

SlowLink::~SlowLink() {
  shutdown(state_->listens, SHUT_RDWR);
  state_->accepts.join();
  state_->ways.clear();
  for (const int each : state_->sockets) close(each);
  close(state_->listens);
}

const std::string& SlowLink::url() const { return state_->url; }

}  // namespace muster::bench
