// A generation is looked for among all that were ever stored, also those that were rolled back.
#include "bindings/cli/author/decider.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/open_store.h"
#include "bindings/cpp/stored_policies.h"
#include "db/store.h"
#include "muster/muster.h"

namespace muster::cli {
namespace {

bool IsHash(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

int LoadGeneration(const std::string& word, std::string_view hash, const std::string& db, Io& io,
                   std::shared_ptr<Policy>* policy) {
  const Result<std::unique_ptr<HistoryReader>> ledger = OpenHistory(db);
  if (!ledger.ok()) return FailLedger(ledger.status(), db, io);
  const Result<std::vector<std::string>> hashes = (*ledger)->PolicyHashes();
  if (!hashes.ok()) return FailLedger(hashes.status(), db, io);
  std::vector<std::string> found;
  std::copy_if(hashes->begin(), hashes->end(), std::back_inserter(found),
               [hash](const std::string& each) { return each.starts_with(hash); });
  if (found.size() != 1) {
    const std::string shown = ShownPlace(db);
    return io.Fail(kNo, found.empty() ? "ledger " + shown + " has no generation " + word +
                                            "; muster policy list --db " + shown + " shows them"
                                      : word +
                                            " is the beginning of several hashes; write more "
                                            "of it");
  }
  const auto find = [&](std::string_view wanted) { return (*ledger)->LoadPolicy(wanted); };
  Result<std::shared_ptr<Policy>> loaded = LoadPolicyByHash(find, found.front());
  if (!loaded.ok()) return io.Fail(ExitCodeFor(loaded.status()), loaded.status().message());
  *policy = std::move(*loaded);
  return kDone;
}

}  // namespace

int ReadDecider(const std::string& word, const std::string& db, Io& io, lab::Decider* decider) {
  if (word == lab::kActiveWord) return kDone;
  using Kind = lab::Decider::Kind;
  decider->kind = word == lab::kNativeWord ? Kind::kNative : Kind::kPackage;
  if (word == lab::kNativeWord) return kDone;
  const std::size_t at = word.find('@');
  const std::string_view hash = at == word.npos ? "" : std::string_view(word).substr(at + 1);
  if (!db.empty() && IsHash(hash)) return LoadGeneration(word, hash, db, io, &decider->policy);
  std::string folder = word;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  Result<std::shared_ptr<Policy>> policy = LoadPolicy(folder);
  if (!policy.ok()) return FailPackage(policy.status(), io);
  decider->policy = std::move(*policy);
  return kDone;
}

}  // namespace muster::cli
