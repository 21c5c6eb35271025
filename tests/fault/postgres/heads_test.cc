// A machine keeps the newest commit that a database confirmed to it, and refuses one that has lost
// it, however often its process begins again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "db/postgres/postgres_store.h"
#include "muster/muster.h"
#include "tests/fault/postgres/in_postgres.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::HasSubstr;

class KnownHeads : public testing::InPostgres {
 protected:
  Result<std::unique_ptr<PostgresStore>> Open() {
    PostgresOptions options;
    options.heads = Folder();
    return PostgresStore::Open(url_, options);
  }
  std::string Folder() const { return (directory_.path() / "made" / "heads").string(); }
  std::filesystem::path File() const {
    return std::filesystem::path(Folder()) / (place_.shard + ".head");
  }
  static void Write(PostgresStore& store, int commits, TimeNs at = 1) {
    for (int i = 0; i < commits; ++i) {
      Commit commit;
      commit.at = at;
      const Result<Ticket> ticket = store.Append(commit);
      ASSERT_TRUE(ticket.ok() && store.Durable(*ticket).ok());
    }
  }
  void WriteAndClose(int commits) {
    const Result<std::unique_ptr<PostgresStore>> store = Open();
    ASSERT_TRUE(store.ok()) << store.status().message();
    ASSERT_NO_FATAL_FAILURE(Write(**store, commits));
    ASSERT_TRUE((*store)->Close().ok());
  }
  void Run(const std::string& sql) {
    const Result<PgRows> done = connection_->Run(sql.c_str(), {std::string_view(place_.shard)});
    ASSERT_TRUE(done.ok()) << done.status().message();
    ASSERT_GT(done->affected(), 0) << sql;
  }
  /// As an asynchronous copy that becomes the leader.
  void LoseAllButTwo() {
    Run("UPDATE muster_shard SET seq = 2, head_hash = (SELECT hash FROM muster_batch WHERE shard = "
        "$1 AND seq = 2) WHERE id = $1");
    Run("DELETE FROM muster_batch WHERE shard = $1 AND seq > 2");
  }
  void Refuses(const std::string& what) {
    for (int i = 0; i < 2; ++i) {  // it is not forgotten by being said
      const Result<std::unique_ptr<PostgresStore>> store = Open();
      ASSERT_EQ(store.status().code(), StatusCode::kDataLoss) << store.status().message();
      EXPECT_THAT(store.status().message(), HasSubstr(what));
      EXPECT_THAT(store.status().message(), HasSubstr(File().string()));
    }
  }

  const testing::TemporaryDirectory directory_;
};

TEST_F(KnownHeads, GoOnWithALedgerThatHasThem) {
  for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(WriteAndClose(i));
  // Another machine went on meanwhile.
  const std::unique_ptr<PostgresStore> other = *PostgresStore::Open(url_);
  ASSERT_NO_FATAL_FAILURE(Write(*other, 2));
  ASSERT_TRUE(other->Close().ok());
  const Result<std::unique_ptr<PostgresStore>> store = Open();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ((*store)->last()->seq, 5);
}

TEST_F(KnownHeads, RefuseALedgerThatEndsBeforeThem) {
  ASSERT_NO_FATAL_FAILURE(WriteAndClose(3));
  ASSERT_NO_FATAL_FAILURE(LoseAllButTwo());
  ASSERT_NO_FATAL_FAILURE(Refuses("ends with commit 2, but commit 3 was confirmed"));
  // The ledger is as it was.
  std::filesystem::remove(File());
  ASSERT_NO_FATAL_FAILURE(WriteAndClose(1));
}

TEST_F(KnownHeads, RefuseALedgerThatWentOnWithoutThem) {
  ASSERT_NO_FATAL_FAILURE(WriteAndClose(3));
  ASSERT_NO_FATAL_FAILURE(LoseAllButTwo());
  const std::unique_ptr<PostgresStore> other = *PostgresStore::Open(url_);
  ASSERT_NO_FATAL_FAILURE(Write(*other, 2, 7));
  ASSERT_TRUE(other->Close().ok());
  ASSERT_NO_FATAL_FAILURE(Refuses("has another one, but commit 3 was confirmed"));
}

TEST_F(KnownHeads, BeginNoLedgerInThePlaceOfOneThatIsGone) {
  ASSERT_NO_FATAL_FAILURE(WriteAndClose(3));
  ASSERT_NO_FATAL_FAILURE(Run("DELETE FROM muster_shard WHERE id = $1"));
  ASSERT_NO_FATAL_FAILURE(Refuses("does not exist, but commit 3 was confirmed"));
}

TEST_F(KnownHeads, AreThoseThatAStandbyHasFollowedToo) {
  std::unique_ptr<PostgresStore> writer = *PostgresStore::Open(url_);
  ASSERT_NO_FATAL_FAILURE(Write(*writer, 3));
  auto waiting = std::async(std::launch::async, [this] {
    PostgresOptions options;
    options.heads = Folder();
    options.lock_wait = std::chrono::minutes(2);
    return PostgresStore::Open(url_, options);
  });
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  std::error_code error;
  while (std::filesystem::file_size(File(), error) == 0 || error) {
    ASSERT_LT(std::chrono::steady_clock::now(), until);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_NO_FATAL_FAILURE(LoseAllButTwo());
  EXPECT_EQ(waiting.get().status().code(), StatusCode::kDataLoss);
  ASSERT_TRUE(writer->Close().ok());
  ASSERT_NO_FATAL_FAILURE(Refuses("ends with commit 2, but commit 3 was confirmed"));
}

TEST_F(KnownHeads, BelongToOneProcess) {
  const Result<std::unique_ptr<PostgresStore>> first = Open();
  ASSERT_TRUE(first.ok()) << first.status().message();
  const Status second = Open().status();
  EXPECT_EQ(second.code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.message(), HasSubstr("is used by another process"));
}

TEST_F(KnownHeads, ThatCannotBeReadAreRefusedWithACure) {
  ASSERT_NO_FATAL_FAILURE(WriteAndClose(1));
  for (const char* text : {"1", "x000000000000000001 00\n"}) {
    testing::WriteFile(File(), text);
    const Status status = Open().status();
    EXPECT_EQ(status.code(), StatusCode::kDataLoss);
    EXPECT_THAT(status.message(), HasSubstr("says no commit; find out whether"));
  }
}

TEST_F(KnownHeads, AreNotForAFile) {
  DurableOptions options;
  options.heads = Folder();
  const Status status =
      DurableEngine::Open((directory_.path() / "a.ledger").string(), options).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace muster
