// A service that a verb asks instead of a ledger: muster --server URL.
#ifndef MUSTER_BINDINGS_CLI_WORLD_SERVICE_H_
#define MUSTER_BINDINGS_CLI_WORLD_SERVICE_H_

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/manifest/manifest.h"
#include "bindings/remote/client.h"
#include "bindings/remote/told.h"
#include "muster/command.h"
#include "muster/engine.h"

namespace muster::cli {

// Each function prints what went wrong and returns an exit code, kDone when all is well: kNo for
// what the service refuses, kRefused where it cannot be reached or cannot do it now.
class Service {
 public:
  explicit Service(remote::Client client) : client_(std::move(client)) {}

  /// The one at `url` and no other, which is shown the same token.
  Result<Service> Only(const std::string& url) const;
  const std::string& url() const { return client_.url(); }

  /// What the service answers to a GET.
  int Get(const std::string& target, Io& io, std::string* body) const;
  /// The same, where there may be nothing of that name: then `found` is false.
  int Find(const std::string& target, Io& io, std::string* body, bool* found) const;

  /// Carries out commands in order; each is all or nothing.
  int Do(const std::vector<muster::Command>& commands, Io& io,
         std::vector<muster::Answer>* answers) const;

  /// The same of one; `gone` where the service does not know a workload that it names, and then
  /// nothing is printed.
  int DoUnlessGone(const muster::Command& command, Io& io, bool* gone) const;

  /// The same of commands as text, one or a list; prints each answer in a line, also those before
  /// one that is refused.
  int Do(const std::string& json, Io& io) const;

  /// Sends what `sources` hold to /v1/`verb`, all or nothing. Mistakes are told with their places
  /// in `sources`, closing with `consequence`; `answer` is what became of each object.
  int Send(const std::string& verb, std::span<const manifest::Source> sources,
           std::string_view consequence, Io& io, Json* answer) const;

  /// Sends what `sources` hold to `target`, which answers in JSON; `found` is false where there is
  /// nothing of that name.
  int Post(const std::string& target, std::span<const manifest::Source> sources, Io& io,
           Json* answer, bool* found) const;
  /// The same; `answer` as the service wrote it.
  int Post(const std::string& target, std::span<const manifest::Source> sources, Io& io,
           std::string* answer, bool* found) const;

  /// The workload of exactly this name; unset where there is none.
  int FindNamed(const Key& key, Io& io, std::optional<Workload>* workload) const;
  /// The workload that `key` means, as ResolveWorkload finds it; its view has spec, status and
  /// phase.
  int FindWorkload(const Key& key, Io& io, WorkloadView* workload) const;
  /// The same, and of an elastic job the slices that are meant, as manifest::SlicesMeant says.
  int FindSlices(const Key& key, bool whole_job, Io& io, std::vector<WorkloadView>* slices) const;
  /// A LocalQueue or, where `key` has no namespace, a ClusterQueue.
  int FindQueue(const Key& key, Io& io, Object* queue) const;
  /// What the service answers in JSON to a POST of `json`.
  int PostJson(const std::string& target, const Json& json, Io& io, Json* answer) const;
  /// What the service answers to a POST of `commands`, which it does not carry out.
  int Ask(const std::string& target, const std::vector<muster::Command>& commands, Io& io,
          std::string* body) const;
  using Query = std::vector<std::pair<std::string, std::string>>;
  /// What a list such as "clusterqueues" shows as objects, of those that `query` picks.
  int List(const std::string& kind, Query query, Io& io, std::vector<Object>* objects) const;
  /// The workloads that `query` picks, as FindWorkload shows one.
  int Workloads(const Query& query, Io& io, std::vector<WorkloadView>* workloads) const;
  /// Those whose eviction is under way.
  int Evicting(Io& io, std::vector<Key>* keys) const;

  /// Whether a workload leaves, for the reason given, because of what was commanded.
  using IsTheirs = std::function<bool(const WorkloadView& workload, std::string_view reason)>;
  /// As Do; `leaving` are those whose eviction is under way afterwards, was not `before`, and is
  /// theirs, as others are told to leave meanwhile. None is where `is_theirs` is empty. What was
  /// done is done where they cannot be listed: that is a warning.
  int DoEvicting(const std::vector<muster::Command>& commands, const std::vector<Key>& before,
                 const IsTheirs& is_theirs, Io& io, std::vector<muster::Answer>* answers,
                 std::vector<Key>* leaving) const;
  /// The second half of DoEvicting, after what was commanded.
  void FindLeaving(const std::vector<Key>& before, const IsTheirs& is_theirs, Io& io,
                   std::vector<Key>* leaving) const;

 private:
  /// The keys of a list; none where it cannot be read.
  std::set<Key> Names(const std::string& kind, const Io& io) const;
  int Ask(const remote::Request& request, Io& io, remote::Reply* reply) const;
  /// What the service answers to a POST of `json`, as text.
  int PostText(const std::string& target, const std::string& json, Io& io, std::string* body) const;

  remote::Client client_;
};

/// Prints why a service refused, with what it said before, closing with `consequence` where it will
/// not do it, and returns the exit code.
int FailReply(const remote::Reply& reply, Io& io, std::string_view consequence = "",
              remote::Author author = remote::Author::kVerb);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_SERVICE_H_
