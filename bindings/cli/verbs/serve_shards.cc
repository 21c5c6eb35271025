// A process for each ledger: one that is killed takes no other with it, and each has a processor
// where there are several. The front only says where they are.
#include "bindings/cli/verbs/serve_shards.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <map>
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
#include "bindings/trees/tree_share.h"
#include "bindings/trees/trees.h"

namespace muster::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks{500};
/// How long one is left to others that was given to them, or could not be served.
constexpr std::chrono::seconds kLeftAlone{5};
/// Of a free ledger, from when on any instance takes it.
constexpr std::chrono::seconds kNeglected{5};

/// "http://10.0.0.1:0" of "http://10.0.0.1:8484".
std::string WithAnyPort(const std::string& url) {
  const std::size_t colon = url.rfind(':');
  const bool has_port = url.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return (has_port ? url.substr(0, colon) : url) + ":0";
}

/// Starts this program with these words; its process, or -1. It ends with this one.
pid_t Spawn(const std::vector<std::string>& words) {
  std::string name = "muster";
  std::vector<char*> arguments{name.data()};
  std::vector<std::string> copies = words;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  // Nothing from here on may take memory: another thread may have held its lock.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != self) _exit(kRefused);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  execv("/proc/self/exe", arguments.data());
  _exit(kRefused);
}

/// The processes that serve this instance's ledgers.
class Shards {
 public:
  Shards(std::vector<std::string> words, std::string db, std::function<void(std::string)> say)
      : words_(std::move(words)), db_(std::move(db)), say_(std::move(say)) {}
  ~Shards() { StopAll(); }
  Shards(const Shards&) = delete;
  Shards& operator=(const Shards&) = delete;

  /// How many are its share now: those that were told to stop are another's.
  std::vector<std::string> Mine() const {
    std::vector<std::string> mine;
    for (const Child& child : children_) {
      if (!child.stopping) mine.push_back(child.tree);
    }
    return mine;
  }

  void NoteEnded() {
    std::erase_if(children_, [this](const Child& child) {
      int status = 0;
      if (waitpid(child.process, &status, WNOHANG) != child.process) return false;
      left_alone_[child.tree] = Clock::now() + kLeftAlone;
      say_("ledger " + child.tree + " is not served here any more" +
           (child.stopping ? "" : ": its process has ended"));
      return true;
    });
  }

  void Move(const Census& census, std::size_t turn) {
    ShareView view{Mine(), {}, {}, census.others};
    const Clock::time_point now = Clock::now();
    std::map<std::string, Clock::time_point> free;
    for (const Tree& tree : census.trees) {
      if (tree.held || Has(tree.name) || left_alone_[tree.name] > now) continue;
      const auto seen = free_since_.find(tree.name);
      const Clock::time_point since = seen == free_since_.end() ? now : seen->second;
      free.emplace(tree.name, since);
      view.free.push_back(tree.name);
      if (now - since >= kNeglected) view.neglected.push_back(tree.name);
    }
    free_since_ = std::move(free);
    const ShareMove move = NextMove(view, turn);
    if (move.take) Take(*move.take);
    if (move.give) Give(*move.give);
  }

 private:
  struct Child {
    std::string tree;
    pid_t process = -1;
    bool stopping = false;
  };

  bool Has(const std::string& tree) const {
    return std::any_of(children_.begin(), children_.end(),
                       [&tree](const Child& child) { return child.tree == tree; });
  }

  void Take(const std::string& tree) {
    std::vector<std::string> words{"serve", "--db", db_ + "#" + tree};
    words.insert(words.end(), words_.begin(), words_.end());
    const pid_t process = Spawn(words);
    if (process < 0) {
      say_("ledger " + tree + " is not served: the system starts no process");
      left_alone_[tree] = Clock::now() + kLeftAlone;
      return;
    }
    children_.push_back({tree, process});
    say_("serving ledger " + tree);
  }

  void Give(const std::string& tree) {
    for (Child& child : children_) {
      if (child.tree != tree || child.stopping) continue;
      child.stopping = true;
      kill(child.process, SIGTERM);
    }
  }

  void StopAll() {
    for (const Child& child : children_) kill(child.process, SIGTERM);
    for (const Child& child : children_) waitpid(child.process, nullptr, 0);
  }

  const std::vector<std::string> words_;  ///< of each, after its ledger
  const std::string db_;
  const std::function<void(std::string)> say_;
  std::vector<Child> children_;
  std::map<std::string, Clock::time_point> free_since_;
  std::map<std::string, Clock::time_point> left_alone_;  ///< until then
};

/// What each service of a ledger is told, beside its ledger.
std::vector<std::string> WordsOfEach(const ServeWords& words, const std::string& listen,
                                     const std::string& url) {
  std::vector<std::string> each{"--listen",    listen.substr(0, listen.rfind(':')) + ":0",
                                "--advertise", WithAnyPort(url),
                                "--wait",      "3"};
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

std::string NameOfInstance() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return std::string(host) + " " + std::to_string(getpid());
}

}  // namespace

int ServeShards(const ServeWords& words, const http::ServeOptions& options, Io& io) {
  const Result<std::unique_ptr<TreeKeeper>> keeper = TreeKeeper::ForAll(words.db);
  if (!keeper.ok()) return io.Fail(ExitCodeFor(keeper.status()), keeper.status().message());
  const Result<std::unique_ptr<TreeShare>> share = TreeShare::Open(words.db, NameOfInstance());
  if (!share.ok()) return io.Fail(ExitCodeFor(share.status()), share.status().message());
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  const auto look = [&](const std::string& url) {
    Shards shards(WordsOfEach(words, options.listen, url), words.db,
                  [&io](const std::string& line) { io.out << line << std::endl; });
    const std::size_t turn = std::hash<std::string>()(NameOfInstance());
    std::unique_lock lock(mutex);
    while (!stopping) {
      lock.unlock();
      shards.NoteEnded();
      const Result<Census> census = (*share)->Say(url, shards.Mine().size());
      if (census.ok()) shards.Move(*census, turn);
      lock.lock();
      changed.wait_for(lock, kBetweenLooks, [&stopping] { return stopping; });
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
