// Every ledger that a test leaves behind can be repeated: linked into each test that links the
// engine's ledger, so that a new test is held to it without asking.
//
// A ledger that is damaged on purpose is named with TemporaryDirectory::HoldsNoHistory.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "bindings/cpp/replay.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/durable_engine.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

bool IsLedger(const std::filesystem::path& file) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::ifstream in(file, std::ios::binary);
  std::string begin(kMagic.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in && begin == kMagic;
}

/// Why the ledger cannot be repeated; empty: it can.
std::string Problem(const std::string& file) {
  const Result<std::unique_ptr<ReadOnlyLedger>> ledger = ReadOnlyLedger::Open(file);
  if (!ledger.ok()) return ledger.status().message();
  const Result<Replayed> replayed = ReplayLedger(**ledger);
  if (!replayed.ok()) return replayed.status().message();
  const Result<Engine> stored = ReadLedger(file);
  if (!stored.ok()) return stored.status().message();
  const Result<std::string> hash = stored->StateHash();
  if (!hash.ok()) return hash.status().message();
  return *hash == replayed->state_hash ? "" : "it comes to another state";
}

void Audit(const TemporaryDirectory& directory) {
  for (const std::filesystem::path& file : FilesUnder(directory.path(), "")) {
    if (directory.HasNoHistory(file) || !IsLedger(file)) continue;
    const std::string problem = Problem(file.string());
    EXPECT_EQ(problem, "") << file << " was left behind and cannot be repeated";
  }
}

[[maybe_unused]] const bool kAudited = [] {
  TemporaryDirectory::AuditWith(&Audit);
  return true;
}();

}  // namespace
}  // namespace muster::testing
