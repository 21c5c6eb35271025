// A ledger is read once, by one thread; runs that use it beside each other share what was read.
#include "bindings/cli/world/past_of_ledger.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/cpp/stored_policies.h"
#include "db/store.h"

namespace muster::cli {

simulate::LoadPolicy PastOfLedger::Loader() const {
  return [this](std::string_view hash) -> Result<std::shared_ptr<Policy>> {
    return LoadPolicyByHash(
        [this](std::string_view wanted) -> Result<StoredPolicy> {
          const auto found = policies.find(wanted);
          if (found == policies.end()) {
            return Status(StatusCode::kNotFound, "no policy " + std::string(wanted));
          }
          return found->second;
        },
        hash);
  };
}

int ReadPastOf(const std::string& db, TimeNs until, const std::string& resource, Io& io,
               PastOfLedger* read) {
  std::unique_ptr<HistoryReader> ledger;
  if (const int code = OpenMoment(db, io, &ledger); code != kDone) return code;
  Result<simulate::Past> past = simulate::ReadPast(*ledger, until);
  if (!past.ok()) return io.Fail(ExitCodeFor(past.status()), past.status().message());
  read->past = *std::move(past);
  if (read->past.calls.empty())
    return io.Fail(kNo, "ledger " + ShownPlace(db) + " has no past until then");
  const Result<std::vector<std::string>> hashes = ledger->PolicyHashes();
  if (!hashes.ok()) return FailLedger(hashes.status(), db, io);
  for (const std::string& hash : *hashes) {
    Result<StoredPolicy> policy = ledger->LoadPolicy(hash);
    if (!policy.ok()) return FailLedger(policy.status(), db, io);
    read->policies.emplace(hash, *std::move(policy));
  }
  return ChooseResource(simulate::ResourcesOf(read->past), resource, io, &read->resource);
}

int ChooseResource(const std::set<std::string>& covered, const std::string& named, Io& io,
                   std::string* resource) {
  std::vector<std::string> gpus;
  std::copy_if(covered.begin(), covered.end(), std::back_inserter(gpus),
               [](const std::string& name) { return name.ends_with("/gpu"); });
  std::string all;
  for (const std::string& name : covered) all += (all.empty() ? "" : ", ") + name;
  if (covered.empty()) return io.Fail(kNo, "no ClusterQueue has quota");
  if (!named.empty()) {
    *resource = named;
    if (covered.contains(named)) return kDone;
    return io.Fail(kNo, "no ClusterQueue has quota of " + named + "; write one of " + all);
  }
  if (gpus.size() != 1 && covered.size() != 1) {
    return io.Fail(kNo, "what do the sizes of jobs count? Write --resource and one of " + all);
  }
  *resource = gpus.size() == 1 ? gpus.front() : *covered.begin();
  return kDone;
}

}  // namespace muster::cli
