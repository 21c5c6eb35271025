// A pair of sockets that keep messages whole: each is one number.
#include "bindings/shards/standby_line.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace muster {
namespace {

constexpr std::int64_t kTake = -1;
/// Between two tries to take a ledger, and to follow what does not come.
constexpr int kMomentMs = 20;

bool Send(int end, std::int64_t message) {
  return send(end, &message, sizeof(message), MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(message);
}

/// As of recv: 0 at the end of the line, -1 where nothing is there.
ssize_t Receive(int end, std::int64_t* message) {
  ssize_t size = 0;
  do {
    size = recv(end, message, sizeof(*message), MSG_DONTWAIT);
  } while (size < 0 && errno == EINTR);
  return size;
}

}  // namespace

Result<std::unique_ptr<StandbyLine>> StandbyLine::Make() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return Status(StatusCode::kUnavailable, "the system gives no sockets");
  }
  return std::unique_ptr<StandbyLine>(new StandbyLine(ends[0], ends[1]));
}

StandbyLine::~StandbyLine() {
  CloseItsEnd();
  close(own_end_);
}

void StandbyLine::CloseItsEnd() {
  if (its_end_ >= 0) close(its_end_);
  its_end_ = -1;
}

bool StandbyLine::TellToTake() { return Send(own_end_, kTake); }

bool StandbyLine::TellToFollow(std::int64_t commit) { return Send(own_end_, commit); }

std::optional<StandbySays> StandbyLine::Hear() {
  std::int64_t message = 0;
  if (Receive(own_end_, &message) != sizeof(message)) return std::nullopt;
  return static_cast<StandbySays>(message);
}

std::unique_ptr<ToldTurns> ToldTurns::OfInput() {
  int type = 0;
  socklen_t size = sizeof(type);
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return nullptr;
  if (type != SOCK_SEQPACKET) return nullptr;
  return std::unique_ptr<ToldTurns>(new ToldTurns);
}

Result<bool> ToldTurns::MayTake(std::int64_t followed) {
  if (followed >= 0 && followed_ < 0) {
    (void)Send(STDIN_FILENO, static_cast<std::int64_t>(StandbySays::kReady));
  }
  // One that lags goes on at once, unless the database has nothing for it.
  const bool lags = followed < told_;
  const int wait = may_take_ ? kMomentMs : !lags ? -1 : followed == followed_ ? kMomentMs : 0;
  followed_ = followed;
  pollfd line{STDIN_FILENO, POLLIN, 0};
  (void)poll(&line, 1, wait);
  if (Hear()) return may_take_;
  return Status(StatusCode::kUnavailable, "the instance that this process stands by for has ended");
}

bool ToldTurns::Hear() {
  std::int64_t message = 0;
  ssize_t size = 0;
  while ((size = Receive(STDIN_FILENO, &message)) == sizeof(message)) {
    may_take_ = message == kTake;
    told_ = std::max(told_, message);
  }
  return size != 0;
}

void ToldTurns::Opened(bool kept_ready) {
  const StandbySays said = kept_ready ? StandbySays::kOpenedReady : StandbySays::kOpened;
  (void)Send(STDIN_FILENO, static_cast<std::int64_t>(said));
}

}  // namespace muster
