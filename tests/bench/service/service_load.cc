// service_load PORT RATE SECONDS CONNECTIONS LISTENERS FOLDER [TOKEN]: an open loop of submits
// against a service on this machine, with listeners to its decisions. Prints one line of JSON.
//
// One thread does all, so where it cannot keep up it says so: `lateMs` is by how much it woke too
// late, and what the latencies have of that is not the service's.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/service/connection.h"
#include "tests/bench/service/figures.h"

namespace muster::load {
namespace {

constexpr std::size_t kQueues = 64;  // as service_bench.py makes them
constexpr Nanos kNap = std::chrono::microseconds(200);
constexpr Nanos kGrace = std::chrono::seconds(30);  // for what is under way at the end

struct Wanted {
  int port = 0;
  double rate = 0;
  double seconds = 0;
  std::size_t connections = 0;
  std::size_t listeners = 0;
  std::string folder;
  std::string token;
};

std::string FieldsOf(const Wanted& wanted) {
  return "Host: 127.0.0.1\r\n" +
         (wanted.token.empty() ? "" : "Authorization: Bearer " + wanted.token + "\r\n");
}

/// The `number`-th job, of one pod.
std::string SubmitOf(const Wanted& wanted, std::size_t number) {
  const std::string body =
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"load-)" +
      std::to_string(number) + R"(","namespace":"team-a"},"spec":{"queueName":"main-)" +
      std::to_string(number % kQueues) +
      R"(","podSets":[{"name":"main","count":1,)"
      R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"x",)"
      R"("resources":{"requests":{"cpu":"1"}}}]}}}]}})";
  return "POST /v1/submit HTTP/1.1\r\n" + FieldsOf(wanted) +
         "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string ListenOf(const Wanted& wanted) {
  return "GET /v1/decisions?after=0 HTTP/1.1\r\n" + FieldsOf(wanted) +
         "Accept: text/event-stream\r\n\r\n";
}

/// How long a small write takes to reach the disk of `folder`.
Latencies FlushFloor(const std::string& folder) {
  constexpr int kFlushes = 100;
  const std::string name = folder + "/flush-floor";
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const std::array<char, 4096> page{};
  Latencies floor;
  for (int i = 0; file >= 0 && i < kFlushes; ++i) {
    const Clock::time_point begin = Clock::now();
    if (write(file, page.data(), page.size()) < 0 || fdatasync(file) != 0) break;
    floor.Add(Clock::now() - begin);
  }
  if (file >= 0) close(file);
  unlink(name.c_str());
  return floor;
}

class Load {
 public:
  explicit Load(const Wanted& wanted) : wanted_(wanted), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    for (std::size_t i = 0; i < wanted.listeners + wanted.connections; ++i) {
      connections_.push_back(std::make_unique<Connection>(wanted.port));
      due_.emplace_back();
      Watch(i, EPOLL_CTL_ADD);
      if (i < wanted.listeners) {
        connections_[i]->Send(ListenOf(wanted));
      } else {
        idle_.push_back(i);
      }
    }
    heard_.resize(wanted.listeners);
  }
  ~Load() { close(epoll_); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void Run() {
    const Clock::time_point begin = Clock::now();
    const Clock::time_point end = begin + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(wanted_.seconds));
    Arrivals arrivals(wanted_.rate, /*seed=*/1, begin);
    Clock::time_point last = begin;
    while (Clock::now() < end + kGrace) {
      const Clock::time_point now = Clock::now();
      if (arrivals.next() <= now && arrivals.next() < end) late_.Add(now - arrivals.next());
      for (; arrivals.next() <= now && arrivals.next() < end; arrivals.Pass()) {
        waiting_.push_back(arrivals.next());
      }
      SendDue();
      if (now < end || !waiting_.empty() || idle_.size() < wanted_.connections) {
        last = now;
      } else if (HeardAll()) {
        break;
      }
      Look();
    }
    seconds_ = std::chrono::duration<double>(last - begin).count();
    behind_ = Clock::now() - last;
  }

  void Print() {
    const auto ms = [](Nanos value) { return static_cast<double>(value.count()) / 1e6; };
    Latencies floor = FlushFloor(wanted_.folder);
    std::printf("{\"sent\": %zu, \"seconds\": %.3f, \"statuses\": {", sent_, seconds_);
    const char* separator = "";
    for (const auto& [status, count] : statuses_) {
      std::printf("%s\"%d\": %zu", separator, status, count);
      separator = ", ";
    }
    std::printf("}, \"unanswered\": %zu", sent_ + waiting_.size() - answered_);
    for (const auto& [name, of] : {std::pair{"latencyMs", &latencies_}, std::pair{"lateMs", &late_},
                                   std::pair{"flushMs", &floor}}) {
      std::printf(", \"%s\": {\"p50\": %.3f, \"p99\": %.3f, \"p99.9\": %.3f, \"max\": %.3f}", name,
                  ms(of->At(0.5)), ms(of->At(0.99)), ms(of->At(0.999)), ms(of->At(1)));
    }
    std::printf(", \"heard\": [");
    for (std::size_t i = 0; i < heard_.size(); ++i) {
      std::printf("%s%td", i == 0 ? "" : ", ", heard_[i]);
    }
    std::printf("], \"behindMs\": %.1f}\n", ms(behind_));
  }

 private:
  /// Whether each listener has heard of each job that was taken.
  bool HeardAll() const {
    const auto taken = statuses_.find(200);
    const std::size_t wanted = taken == statuses_.end() ? 0 : taken->second;
    return std::all_of(heard_.begin(), heard_.end(), [&](std::ptrdiff_t heard) {
      return heard >= static_cast<std::ptrdiff_t>(wanted);
    });
  }

  void Watch(std::size_t i, int how) {
    epoll_event event{};
    event.events = EPOLLIN | (connections_[i]->wants_to_write() ? EPOLLOUT : 0U);
    event.data.u64 = i;
    epoll_ctl(epoll_, how, connections_[i]->file(), &event);
  }

  /// The connection that has been idle for longest takes what has waited for longest.
  void SendDue() {
    while (!waiting_.empty() && !idle_.empty()) {
      const std::size_t i = idle_.front();
      idle_.pop_front();
      due_[i] = waiting_.front();
      waiting_.pop_front();
      connections_[i]->Send(SubmitOf(wanted_, sent_++));
      if (connections_[i]->wants_to_write()) Watch(i, EPOLL_CTL_MOD);
    }
  }

  /// Takes what has come, after a nap if it was little before. Turning round would take a processor
  /// from what is measured, and so would waking for each answer; a nap adds to the latencies.
  void Look() {
    if (!much_) std::this_thread::sleep_for(kNap);
    std::array<epoll_event, 128> events;
    const int count = epoll_wait(epoll_, events.data(), events.size(), 0);
    for (int n = 0; n < count; ++n) Take(events[static_cast<std::size_t>(n)]);
    much_ = count == static_cast<int>(events.size());
  }

  void Take(const epoll_event& event) {
    const auto i = static_cast<std::size_t>(event.data.u64);
    Connection& connection = *connections_[i];
    if ((event.events & EPOLLOUT) != 0) {
      connection.Write();
      if (!connection.wants_to_write()) Watch(i, EPOLL_CTL_MOD);
    }
    if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0) return;
    if (i < wanted_.listeners) {
      const std::ptrdiff_t heard = connection.CountEvents();
      if (heard < 0) {
        epoll_ctl(epoll_, EPOLL_CTL_DEL, connection.file(), nullptr);
      } else {
        heard_[i] += heard;
      }
      return;
    }
    const std::optional<int> status = connection.Read();
    if (!status) return;
    ++statuses_[*status];
    ++answered_;
    if (*status == 200) latencies_.Add(Clock::now() - due_[i]);
    if (*status < 0) {  // it has ended; another takes its place
      connections_[i] = std::make_unique<Connection>(wanted_.port);
      Watch(i, EPOLL_CTL_ADD);
    }
    idle_.push_back(i);
  }

  const Wanted wanted_;
  int epoll_;
  std::vector<std::unique_ptr<Connection>> connections_;  ///< listeners first
  std::vector<Clock::time_point> due_;                    ///< of what each has under way
  std::deque<std::size_t> idle_;
  std::deque<Clock::time_point> waiting_;  ///< due, and no connection was idle
  std::vector<std::ptrdiff_t> heard_;      ///< decisions, by each listener
  std::map<int, std::size_t> statuses_;    ///< -1: the connection ended
  Latencies latencies_;
  Latencies late_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  double seconds_ = 0;
  Nanos behind_{};     ///< from the last answer until listeners had heard of all
  bool much_ = false;  ///< more may have come than was taken
};

}  // namespace
}  // namespace muster::load

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fputs("service_load PORT RATE SECONDS CONNECTIONS LISTENERS FOLDER [TOKEN]\n", stderr);
    return 1;
  }
  muster::load::Wanted wanted;
  wanted.port = std::atoi(argv[1]);
  wanted.rate = std::atof(argv[2]);
  wanted.seconds = std::atof(argv[3]);
  wanted.connections = static_cast<std::size_t>(std::atol(argv[4]));
  wanted.listeners = static_cast<std::size_t>(std::atol(argv[5]));
  wanted.folder = argv[6];
  if (argc > 7) wanted.token = argv[7];
  prctl(PR_SET_TIMERSLACK, 1UL);  // a nap is no longer than it is told
  muster::load::Load load(wanted);
  load.Run();
  load.Print();
  return 0;
}
