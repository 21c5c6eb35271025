// Service: what each path answers. It runs on the io thread; bodies are read on another, and what
// needs the engine is a job for the EngineRoom.
#ifndef MUSTER_BINDINGS_HTTP_SERVICE_H_
#define MUSTER_BINDINGS_HTTP_SERVICE_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bindings/http/engine_room.h"
#include "bindings/http/feed.h"
#include "bindings/http/message.h"
#include "bindings/http/neighbours.h"
#include "bindings/http/rates.h"
#include "bindings/http/roles.h"
#include "bindings/http/target.h"
#include "bindings/http/tokens.h"
#include "bindings/http/views.h"
#include "bindings/http/worker.h"
#include "bindings/http/writes.h"
#include "bindings/manifest/named_by_uid.h"
#include "bindings/metrics/metrics.h"

namespace muster::http {

inline constexpr std::size_t kMaxManifestBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxCommandBytes = std::size_t{8} << 20;
inline constexpr std::size_t kMaxQueuesBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxListed = 1000;                     ///< items of a page
inline constexpr std::size_t kMostRequests = 20'000;                ///< under way; more are 429
inline constexpr std::size_t kMostAside = 64;                       ///< of them, that take long
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20;   ///< of their bodies
inline constexpr std::size_t kMostUnread = std::size_t{256} << 20;  ///< bytes of answers

/// What the service works with; set before the first request.
struct Surroundings {
  EngineRoom* room = nullptr;
  Worker* reader = nullptr;                         ///< of bodies
  Worker* aside = nullptr;                          ///< of what takes long and changes nothing
  metrics::Metrics* metrics = nullptr;              ///< used by jobs of the room alone
  std::function<void(std::function<void()>)> post;  ///< to the io thread
  Neighbours neighbours = {};
  std::function<Status(const StoredPolicy&)> store_policy = {};  ///< by jobs that are alone
  Later later = {};
};

class Service {
 public:
  /// `db` is the ledger's file; `version` what /version says. `tokens`: their file; empty: every
  /// caller is an admin, and only this machine is served. `rates` are those of each token.
  Service(std::string db, lab::Json version, Views views, const std::string& tokens,
          const RateLimits& rates = {});

  void SetSurroundings(Surroundings surroundings);
  /// What to do with a request.
  Verdict Begin(const Head& head);
  /// What comes from no request, as a Taker. Waits for the engine, on a thread that is neither its
  /// own nor the io thread.
  Result<std::string> Take(const std::string& caller, const std::string& manifests,
                           const std::optional<StoredPolicy>& policy);
  /// It ends: of what takes long and waits, no more is begun.
  void Stop() { stopping_ = true; }

 private:
  struct Request {
    const Head& head;
    const Target& target;
    const Caller& caller;
  };
  struct Row;
  struct ManifestCall {
    Caller caller;
    Sent sent = Sent::kApply;
    bool dry_run = false;
    std::string target;  ///< of the request
  };
  using Go = std::function<void(std::string body, Reply reply)>;

  static std::vector<Row> Rows();
  Result<std::string> TakeJob(const std::string& caller, bool alone,
                              std::function<Response(Engine&, TimeNs)> work);
  Verdict Route(const Head& head, const Target& target);
  /// The same for a call that names one job: where it is not here, it is sent on.
  Verdict SentOn(const Head& head, const Target& target, Verdict verdict) const;
  std::variant<Caller, Response> Identify(const Head& head);
  /// Whether the token that was shown is one still, with the same role.
  bool IsGood(const Caller& caller);
  void NoteRefused(const Head& head, const std::string& name, const std::string& why);
  Verdict Take(const Head& head, std::size_t most_bytes, Go go);
  /// The same for a body that its caller pays for.
  Verdict TakeBody(const Request& request, std::size_t most_bytes, Go go);
  /// 429 where the caller has asked for more than its share.
  std::optional<Response> Limit(const Head& head, const Caller& caller);
  Verdict Read(const Head& head, std::function<Response(Engine&, TimeNs)> work);
  /// The same for what says whether the service lives: before other reads, whatever they hold.
  Verdict ReadFirst(const Head& head, std::function<Response(Engine&, TimeNs)> work);
  /// 429 where answers that their callers do not take are as large as may be.
  std::optional<Response> Unread() const;

  Verdict Health(const Request& request);
  Verdict Ready(const Request& request);
  Verdict Version(const Request& request);
  Verdict OpenApi(const Request& request);
  Verdict Page(const Request& request);
  Verdict Metrics(const Request& request);
  Verdict Manifests(const Request& request, Sent sent);
  Verdict ApplyBody(const Request& request) { return Manifests(request, Sent::kApply); }
  Verdict SubmitBody(const Request& request) { return Manifests(request, Sent::kSubmit); }
  Verdict Commands(const Request& request);
  Verdict SetStopPolicy(const Request& request);
  // Go on on the reader's thread.
  void BeginManifests(const ManifestCall& call, std::string body, Reply reply);
  void BeginStopPolicy(const Caller& caller, const std::string& body, const Reply& reply);
  void BeginCommands(const Caller& caller, const std::string& target, std::string body,
                     Reply reply);
  Verdict List(const Request& request);
  Verdict PrintList(const Request& request, const ViewKind& kind);
  std::optional<Response> Narrow(const Target& target, const ViewKind& kind, Asked* asked) const;
  Verdict Decisions(const Request& request);
  Verdict DecisionEvents(const Request& request);
  Verdict Explain(const Request& request);
  Verdict StartPatch(const Request& request);
  Verdict Observe(const Request& request);
  Verdict Top(const Request& request);
  Verdict Heat(const Request& request);
  Verdict Defrag(const Request& request);
  Verdict Usage(const Request& request);
  Verdict Describe(const Request& request);
  Verdict History(const Request& request);
  Verdict HistoryOf(const Request& request);
  Verdict PolicyList(const Request& request);
  Verdict Shards(const Request& request);
  Verdict TokenList(const Request& request);
  Verdict TokenCreate(const Request& request);
  Verdict TokenRevoke(const Request& request);
  void ChangeFile(std::function<Response()> change, const Reply& reply);
  Verdict Eta(const Request& request);
  Verdict EtaOf(const Request& request);
  Verdict WhatIf(const Request& request);
  void ReadStart(const Key& key, const std::string& body, const Reply& reply);
  void ReadStatuses(const Caller& caller, const std::string& body, const Reply& reply);
  void BeginWhatIf(const std::string& output, std::string body, const Reply& reply);
  /// `media`: of the answer; empty: as parameter output says.
  Verdict Say(const Request& request, std::vector<std::string> words, std::string_view media = {});
  /// Answers with what these words of a command line print, as that media type, which is a literal.
  Verdict SayWords(const Head& head, std::vector<std::string> words, std::string_view media);
  /// Reads a body on the thread that does, unless the service stops.
  void OnReader(std::function<void()> work, const Reply& reply);
  /// Does what takes long on a thread of its own, from any thread. 429 where much of it waits.
  void Aside(std::function<Result<Response>()> work, const Reply& reply);
  /// Answers from any thread but the io thread, as soon as there is memory to do so.
  void Tell(const Result<Response>& done, const Reply& reply);

  /// Beside what is under way, so that no one request makes the service run out of memory.
  struct Load {
    std::atomic<std::size_t> requests{0};
    std::atomic<std::size_t> bytes{0};
    std::atomic<std::size_t> aside{0};   ///< of the requests, those that wait for that thread
    std::atomic<std::size_t> unread{0};  ///< bytes of answers that have not left

    /// Counts the answer from here on until it is let go of; once.
    static void Charge(const std::shared_ptr<Load>& load, Response* response);
  };

  const std::string db_;
  const lab::Json version_;
  const Views views_;
  std::optional<TokenFile> tokens_;
  std::chrono::steady_clock::time_point noted_{};  ///< when a refusal was last on the log
  std::size_t not_noted_ = 0;                      ///< those since then
  Rates rates_;
  Surroundings around_;
  /// Of the engine of the room, whose jobs alone use them.
  std::shared_ptr<manifest::NamesByUid> names_ = std::make_shared<manifest::NamesByUid>();
  std::shared_ptr<Feed> feed_;
  std::atomic<bool> stopping_ = false;
  const std::shared_ptr<Load> load_ = std::make_shared<Load>();
};

}  // namespace muster::http

#endif  // MUSTER_BINDINGS_HTTP_SERVICE_H_
