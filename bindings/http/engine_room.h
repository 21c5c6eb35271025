// EngineRoom: the engine on a thread of its own, through a Pipeline. Jobs that change it are done
// in the order given, and so are those that only read it. The two take turns of a bounded time, so
// that a flood of one holds up neither the other, nor cycles, nor the end; questions whether the
// service lives have turns of their own. What jobs answer leaves only after the commit of
// everything before it.
//
// It runs cycles by itself: when a job has changed something, when a deadline or the window of a
// policy has come, and on until the engine is at rest. Between two cycles at least `tick` passes,
// in which jobs gather. Nothing happens while nothing has changed.
#ifndef MUSTER_BINDINGS_HTTP_ENGINE_ROOM_H_
#define MUSTER_BINDINGS_HTTP_ENGINE_ROOM_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bindings/http/message.h"
#include "bindings/metrics/metrics.h"
#include "muster/durable_engine.h"
#include "muster/pipeline.h"
#include "muster/policy_reloader.h"

namespace muster::http {

struct EngineRoomOptions {
  std::chrono::milliseconds tick{10};   ///< the least time between two cycles
  metrics::Metrics* metrics = nullptr;  ///< is told of cycles and answers; used by the room alone
  /// Policy packages that are watched: each is staged at once, then whenever it is saved.
  std::vector<ReloadOptions> watched;
  /// Asked every second for all packages there are; those not watched yet are staged a second
  /// later, when they have been written. Empty: there will be no others.
  std::function<std::vector<ReloadOptions>()> packages;
  std::chrono::milliseconds longest_queued{10'000};  ///< that a read waits for its turn
  /// Hands answers that are on disk to the io thread, a group at a time.
  std::function<void(std::function<void()>)> post;
  /// The engine has closed, for this reason; nothing will be done any more.
  std::function<void(const Status&)> on_closed;
};

/// When a read is carried out.
enum class Turn {
  kInTime,   ///< in the order given; 429 when its turn comes late
  kPatient,  ///< in the order given, however late
  kFirst     ///< however many others wait: for what says whether the service lives
};

struct Job {
  std::function<Response(Engine&, TimeNs now)> work;
  bool changes = false;  ///< cycles follow
  bool alone = false;    ///< reads the ledger, too: nothing may be under way to the disk
  Reply reply;
  /// Until then a job that has nothing_yet to answer is asked again whenever something has changed.
  std::optional<std::chrono::steady_clock::time_point> until = std::nullopt;
  std::string caller = {};    ///< whose name what it changes has; empty: none
  Turn turn = Turn::kInTime;  ///< of one that only reads
  std::chrono::steady_clock::time_point asked = {};  ///< set by Do
};

class EngineRoom {
 public:
  /// `engine` must outlive the room, and is used by it alone. kUnavailable when the system gives no
  /// thread.
  static Result<std::unique_ptr<EngineRoom>> Open(DurableEngine& engine, EngineRoomOptions options);
  /// Stop.
  ~EngineRoom();
  EngineRoom(const EngineRoom&) = delete;
  EngineRoom& operator=(const EngineRoom&) = delete;

  /// Any thread. After Stop the job is refused. Throws, and has not taken it, when memory runs out.
  void Do(Job job);
  /// Any thread: whether another service has taken the ledger over.
  bool LedgerIsAnothers() const noexcept;
  /// Answers what is done, refuses what waits, ends the thread. Waits for the disk.
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;
  /// A job on its way. It stays in its node from list to list, so that whatever memory runs out,
  /// what was done is answered, and what could not be done, too.
  struct Entry {
    Job job;
    Clock::time_point taken = {};
    std::optional<Sealed<Result<Response>>> sealed = std::nullopt;
    std::optional<Result<Response>> answer = std::nullopt;  ///< none once it stops: it is refused
  };
  using Entries = std::list<Entry>;

  EngineRoom(DurableEngine& engine, EngineRoomOptions options);
  void Run();
  bool Wait();
  template <typename Step>
  void Take(const char* what, const Step& step) noexcept;
  void CarryTurn(Entries& queue);
  void Carry(Entries job);
  void AskAgain();
  std::optional<Clock::time_point> NextWake() const;
  void CycleIfDue();
  void PollPolicies();
  void LookForPackages();
  void LetGo(const std::set<std::string>& there);
  void LookAhead(Engine& engine);
  void Deliver(bool idle);
  void HandOver(Entries* entries);
  void NoteClosed(const Status& status);

  DurableEngine& durable_;
  const EngineRoomOptions options_;
  std::unique_ptr<Pipeline> pipeline_;
  std::map<std::string, std::unique_ptr<PolicyReloader>> reloaders_;  ///< by folder
  std::set<std::string> unwatched_;     ///< folders that could not be watched, which was said
  std::vector<PolicyReloader*> found_;  ///< since the last look, and to be staged at the next
  Clock::time_point next_look_{};       ///< for packages

  std::mutex mutex_;
  std::condition_variable wake_;
  Entries changes_;
  Entries reads_;
  Entries firsts_;  ///< reads before others
  bool stopping_ = false;

  // The thread's own.
  Entries undelivered_;
  Entries settled_;       ///< have their answer, and were not handed over yet
  Entries waiting_;       ///< for news
  bool changed_ = false;  ///< since they were asked
  bool restless_ = true;  ///< a cycle may decide something
  bool lacking_ = false;  ///< a step could not be taken
  bool closed_ = false;   ///< the engine takes nothing more
  bool ending_ = false;
  TimeNs due_ = kNoTime;  ///< when time alone may change something
  Clock::time_point next_cycle_{};
  std::thread thread_;
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_ENGINE_ROOM_H_
