// The front has no ledger: it says where each is, and a thread beside it minds their processes.
#include "bindings/cli/verbs/serve_shards.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/cli/world/neighbours_by.h"
#include "bindings/cli/world/report.h"
#include "bindings/http/router.h"
#include "bindings/shards/shard_processes.h"
#include "bindings/shards/tree_share.h"
#include "bindings/trees/trees.h"

namespace muster::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Between two looks of an instance that stands by, which tell of each commit and each lost ledger.
constexpr milliseconds kBetweenLooks{50};
/// Between two times that it says that it lives, and moves a ledger.
constexpr milliseconds kBetweenMoves{500};

/// "http://10.0.0.1:0" of "http://10.0.0.1:8484".
std::string WithAnyPort(const std::string& url) {
  const std::size_t colon = url.rfind(':');
  const bool has_port = url.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return (has_port ? url.substr(0, colon) : url) + ":0";
}

/// What each service of a ledger is told, beside its ledger.
std::vector<std::string> WordsOfEach(const ServeWords& words, const std::string& listen,
                                     const std::string& url) {
  std::vector<std::string> each{"--listen", listen.substr(0, listen.rfind(':')) + ":0",
                                "--advertise", WithAnyPort(url)};
  const auto add = [&each](const char* flag, const std::string& value) {
    if (!value.empty()) each.insert(each.end(), {flag, value});
  };
  const auto count = [&add](const char* flag, const std::optional<int>& value) {
    if (value) add(flag, std::to_string(*value));
  };
  add("--tokens", words.tokens);
  add("--tls-cert", words.tls_cert);
  add("--tls-key", words.tls_key);
  add("--policies", words.policies);
  add("--heads", words.heads);
  count("--tick", words.tick);
  count("--token-rate", words.token_rate);
  count("--token-bytes", words.token_bytes);
  return each;
}

/// What an instance does every so often.
class Looks {
 public:
  Looks(ShardWords words, std::string url, TreeShare& share, TreeKeeper& keeper,
        std::function<void(std::string)> say)
      : stands_by_(words.stands_by),
        processes_(std::move(words), std::move(say)),
        url_(std::move(url)),
        share_(share),
        keeper_(keeper) {}

  milliseconds pause() const { return stands_by_ ? kBetweenLooks : kBetweenMoves; }
  /// What the database refuses is tried again by the next one.
  void Look() {
    processes_.Hear();
    const Clock::time_point now = Clock::now();
    const bool moves = now >= next_move_;
    if (moves) {
      next_move_ = now + kBetweenMoves;
      if (!share_.Say(url_, processes_.Serves(), processes_.Ready()).ok()) return;
    }
    const Result<Census> census = share_.Look();
    if (!census.ok()) return;
    processes_.Follow(*census);
    if (moves) processes_.Share(*census);
    std::vector<std::string> urls;
    for (const Census::Ledger& ledger : census->ledgers) urls.push_back(ledger.url);
    if (urls != urls_) keeper_.LookNow();
    urls_ = std::move(urls);
  }

 private:
  const bool stands_by_;
  ShardProcesses processes_;
  const std::string url_;
  TreeShare& share_;
  TreeKeeper& keeper_;
  Clock::time_point next_move_;
  std::vector<std::string> urls_;  ///< of the ledgers, at the last look
};

std::string NameOfInstance() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return std::string(host) + " " + std::to_string(getpid());
}

}  // namespace

int ServeShards(const ServeWords& words, bool standby, const http::ServeOptions& options, Io& io) {
  const Result<std::unique_ptr<TreeKeeper>> keeper = TreeKeeper::ForAll(words.db);
  if (!keeper.ok()) return io.Fail(ExitCodeFor(keeper.status()), keeper.status().message());
  const Result<std::unique_ptr<TreeShare>> share = TreeShare::Open(words.db, NameOfInstance());
  if (!share.ok()) return io.Fail(ExitCodeFor(share.status()), share.status().message());
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  const auto look = [&](const std::string& url) {
    Looks looks({words.db, WordsOfEach(words, options.listen, url), standby, NameOfInstance()}, url,
                **share, **keeper, [&io](const std::string& line) { io.out << line << std::endl; });
    std::unique_lock lock(mutex);
    while (!stopping) {
      lock.unlock();
      looks.Look();
      lock.lock();
      changed.wait_for(lock, looks.pause(), [&stopping] { return stopping; });
    }
  };
  http::RouterOptions router;
  router.listen = options.listen;
  router.tokens = options.tokens;
  router.tls = options.tls;
  router.version = options.version;
  router.neighbours = NeighboursBy(**keeper, words.db);
  std::jthread looking;
  const Status served = http::Route(router, [&](const std::string& bound) {
    io.out << "listening on " << bound << std::endl;
    looking = std::jthread([&look, url = words.UrlFor(bound)] { look(url); });
  });
  {
    const std::lock_guard lock(mutex);
    stopping = true;
  }
  changed.notify_one();
  if (looking.joinable()) looking.join();
  return served.ok() ? int{kDone} : io.Fail(ExitCodeFor(served), served.message());
}

}  // namespace muster::cli
