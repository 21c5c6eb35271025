// A generation is looked for among all that were ever stored, also those that were rolled back.
#include "bindings/cli/author/decider.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "bindings/cli/world/ledger.h"
#include "bindings/cli/world/package_folder.h"
#include "bindings/cli/world/report.h"
#include "bindings/cpp/stored_policies.h"
#include "db/sqlite/read_only_ledger.h"
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
  const Result<std::unique_ptr<ReadOnlyLedger>> ledger = ReadOnlyLedger::Open(db);
  if (!ledger.ok()) return FailLedger(ledger.status(), db, io);
  const Result<QueryResult> found = (*ledger)->Query(
      "SELECT DISTINCT hash FROM policy WHERE hash LIKE '" + std::string(hash) + "%'");
  if (!found.ok()) return FailLedger(found.status(), db, io);
  if (found->rows.size() != 1) {
    return io.Fail(kNo, found->rows.empty()
                            ? "ledger " + db + " has no generation " + word +
                                  "; muster policy list --db " + db + " shows them"
                            : word + " is the beginning of several hashes; write more of it");
  }
  const auto find = [&](std::string_view wanted) { return (*ledger)->LoadPolicy(wanted); };
  Result<std::shared_ptr<Policy>> loaded =
      LoadPolicyByHash(find, std::get<std::string>(found->rows[0][0]));
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
