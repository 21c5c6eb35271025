#include "db/hash_chain.h"

#include <gtest/gtest.h>

#include <set>

namespace muster {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

class HashChain : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(PrepareHashing().ok()); }
  FieldBuffer fields_;
};

const std::vector<Event> kEvents = {{EventKind::kSubmitted, "a/b", "{}"},
                                    {EventKind::kAdmitted, "a/b", "{\"x\":1}", "feed"}};
const std::vector<PolicyUse> kUses = {{"feed", 1, 100}};
const CommitHeader kHeader = {1, 17, 3, "cycle", "1.0", 1, 2, 99};

TEST_F(HashChain, KeepsTheValuesThatStoredLedgersHold) {
  const ChainHash hash = HashCommit(kFirstPrevHash, kHeader, kEvents, kUses, &fields_);
  EXPECT_EQ(Hex(Bytes(hash)), "d4556dc6d057ed3615c78dd503e7238a89d2de740f14492156d26f09311ad6ba");
  WorkloadRow row;
  row.ns = "a";
  row.name = "b";
  row.value = "v";
  EXPECT_EQ(DigestOf(row, &fields_), 1228226144979132297u);
  EXPECT_EQ(DigestOf(StateRow::Table::kQueue, "k", "v", &fields_), 4728159179233739787u);
  EXPECT_EQ(DigestOfPolicyFile("h", "p", "b", &fields_), 1058766291206760508u);
}

TEST_F(HashChain, EveryFieldOfACommitCounts) {
  std::set<std::string> hashes;
  int tried = 0;
  const auto add = [&](const ChainHash& prev, const CommitHeader& header,
                       const std::vector<Event>& events, const std::vector<PolicyUse>& uses) {
    hashes.insert(std::string(Bytes(HashCommit(prev, header, events, uses, &fields_))));
    ++tried;
  };
  add(kFirstPrevHash, kHeader, kEvents, kUses);
  ChainHash other = kFirstPrevHash;
  other[31] = 1;
  add(other, kHeader, kEvents, kUses);
  for (std::int64_t CommitHeader::*field :
       {&CommitHeader::seq, &CommitHeader::at, &CommitHeader::cycle, &CommitHeader::first_event,
        &CommitHeader::events}) {
    CommitHeader header = kHeader;
    ++(header.*field);
    add(kFirstPrevHash, header, kEvents, kUses);
  }
  CommitHeader header = kHeader;
  header.engine_version = "1.1";
  add(kFirstPrevHash, header, kEvents, kUses);
  header = kHeader;
  header.command = "apply";
  add(kFirstPrevHash, header, kEvents, kUses);
  header = kHeader;
  ++header.state_digest;
  add(kFirstPrevHash, header, kEvents, kUses);
  std::vector<Event> events = kEvents;
  events[0].kind = EventKind::kFinished;
  add(kFirstPrevHash, kHeader, events, kUses);
  events = kEvents;
  events[0].subject = "a/c";
  add(kFirstPrevHash, kHeader, events, kUses);
  events = kEvents;
  events[0].payload = "[]";
  add(kFirstPrevHash, kHeader, events, kUses);
  events = kEvents;
  events[0].policy_hash = "feed";
  add(kFirstPrevHash, kHeader, events, kUses);
  std::swap(events[0], events[1]);
  add(kFirstPrevHash, kHeader, events, kUses);
  add(kFirstPrevHash, kHeader, kEvents, {{"feed", 1, 101}});
  add(kFirstPrevHash, kHeader, kEvents, {{"feed", 2, 100}});
  add(kFirstPrevHash, kHeader, kEvents, {{"fee", 1, 100}});
  EXPECT_EQ(hashes.size(), static_cast<std::size_t>(tried));
}

TEST_F(HashChain, TextCannotMoveFromOneFieldToTheNext) {
  const std::vector<Event> one = {{EventKind::kSubmitted, "ab", "c"}};
  const std::vector<Event> two = {{EventKind::kSubmitted, "a", "bc"}};
  EXPECT_NE(HashCommit(kFirstPrevHash, kHeader, one, {}, &fields_),
            HashCommit(kFirstPrevHash, kHeader, two, {}, &fields_));
  EXPECT_NE(DigestOf(StateRow::Table::kQueue, "ab", "c", &fields_),
            DigestOf(StateRow::Table::kQueue, "a", "bc", &fields_));
}

TEST_F(HashChain, ARowsDigestDependsOnItsTable) {
  EXPECT_NE(DigestOf(StateRow::Table::kQueue, "a/b", "c", &fields_),
            DigestOf(StateRow::Table::kObject, "a/b", "c", &fields_));
}

TEST(SplitKey, CutsAtTheFirstSlash) {
  EXPECT_EQ(SplitAtSlash("LocalQueue/ns/main").first, "LocalQueue");
  EXPECT_EQ(SplitAtSlash("LocalQueue/ns/main").rest, "ns/main");
  EXPECT_EQ(SplitAtSlash("none").first, "");
}

}  // namespace
}  // namespace muster
