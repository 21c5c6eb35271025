#include "tests/fault/ledger/ledger_check.h"

#include "tests/testing/ledger_world.h"

namespace muster::testing {
namespace {

bool Same(const Commit& expected, const CommitRecord& found) {
  if (expected.at != found.at || expected.cycle != found.cycle ||
      CommandName(expected.command) != found.command || expected.input != found.input ||
      expected.events.size() != found.events.size() ||
      expected.policies.size() != found.policies.size()) {
    return false;
  }
  for (std::size_t i = 0; i < expected.events.size(); ++i) {
    const Event& a = expected.events[i];
    const Event& b = found.events[i];
    if (a.kind != b.kind || a.subject != b.subject || a.payload != b.payload ||
        a.policy_hash != b.policy_hash) {
      return false;
    }
  }
  for (std::size_t i = 0; i < expected.policies.size(); ++i) {
    const PolicyUse& a = expected.policies[i];
    const PolicyUse& b = found.policies[i];
    if (a.hash != b.hash || a.calls != b.calls || a.fuel != b.fuel) return false;
  }
  return true;
}

}  // namespace

std::string CompareWithHistory(const Store& ledger, const std::vector<Commit>& history,
                               std::int64_t* commits) {
  *commits = 0;
  const Result<VerifyReport> report = ledger.Verify();
  if (!report.ok()) return "verify: " + report.status().message();
  if (!report->sound()) return "verify: " + report->findings.front();
  StateRows expected;
  Status status = ledger.ReadCommits(1, [&](const CommitRecord& commit) {
    const auto index = static_cast<std::size_t>(commit.seq - 1);
    if (index >= history.size() || !Same(history[index], commit)) {
      return Status(StatusCode::kInternal, "commit " + std::to_string(commit.seq) + " differs");
    }
    FoldEvents(commit.events, &expected);
    ++*commits;
    return Status::Ok();
  });
  if (!status.ok()) return "history: " + status.message();
  if (ledger.last()->seq != *commits) return "last() is not the newest commit";
  StateRows found;
  status = ledger.Load([&](StateRow::Table table, std::string_view key, std::string_view value) {
    found[{table, std::string(key)}] = std::string(value);
    return Status::Ok();
  });
  if (!status.ok()) return "rows: " + status.message();
  return found == expected ? "" : "the rows are not what the events say";
}

}  // namespace muster::testing
