#include "tests/testing/crash_images.h"

#include <gtest/gtest.h>

#include <set>

namespace muster::testing {
namespace {

DiskOp Create(int file, std::string name) { return {DiskOp::Kind::kCreate, file, std::move(name)}; }
DiskOp Delete(int file, std::string name) { return {DiskOp::Kind::kDelete, file, std::move(name)}; }
DiskOp Write(int file, std::int64_t offset, std::string bytes) {
  return {DiskOp::Kind::kWrite, file, "", offset, std::move(bytes)};
}
DiskOp Truncate(int file, std::int64_t size) { return {DiskOp::Kind::kTruncate, file, "", size}; }
DiskOp Sync(int file) { return {DiskOp::Kind::kSync, file}; }
DiskOp SyncFailed(int file) { return {DiskOp::Kind::kSyncFailed, file}; }
DiskOp SyncDirectory() { return {DiskOp::Kind::kSyncDirectory}; }

/// All disks that many draws of `loss` give.
std::set<DiskImage> Draws(const std::vector<DiskOp>& ops, Loss loss, const DiskImage& before = {}) {
  DiskModel model(before);
  for (const DiskOp& op : ops) model.Apply(op);
  DiskModel::Random random(1);
  std::set<DiskImage> images;
  for (int i = 0; i < 300; ++i) images.insert(model.Draw(loss, random));
  return images;
}

TEST(DiskModel, WhatWasFlushedIsOnEveryDisk) {
  const std::vector<DiskOp> ops = {Create(1, "a"), Write(1, 0, "hello"), Truncate(1, 4), Sync(1),
                                   SyncDirectory()};
  for (const Loss loss : kLosses) {
    EXPECT_EQ(Draws(ops, loss), (std::set<DiskImage>{{{"a", "hell"}}}));
  }
}

TEST(DiskModel, NothingOrEverythingElseArrives) {
  const std::vector<DiskOp> ops = {Write(1, 0, "new"), Create(2, "b"), Write(2, 1, "x")};
  const DiskImage before = {{"a", "old!"}};
  EXPECT_EQ(Draws(ops, Loss::kNothingArrived, before), (std::set<DiskImage>{before}));
  EXPECT_EQ(Draws(ops, Loss::kAllArrived, before),
            (std::set<DiskImage>{{{"a", "new!"}, {"b", std::string("\0x", 2)}}}));
}

TEST(DiskModel, ASubsetIsAnySubsetInOrder) {
  const std::vector<DiskOp> ops = {Write(1, 0, "A"), Write(1, 1, "B"), Write(1, 0, "C")};
  const std::set<DiskImage> expected = {{{"f", ".."}}, {{"f", "A."}}, {{"f", ".B"}},
                                        {{"f", "AB"}}, {{"f", "C."}}, {{"f", "CB"}}};
  EXPECT_EQ(Draws(ops, Loss::kSubset, {{"f", ".."}}), expected);
}

TEST(DiskModel, AReorderedDiskHasAPrefixOfEachFile) {
  const std::vector<DiskOp> ops = {Write(1, 0, "A"), Write(1, 1, "B"), Write(2, 0, "C")};
  const std::set<DiskImage> images = Draws(ops, Loss::kReordered, {{"f", ".."}, {"g", "."}});
  EXPECT_EQ(images.size(), 6u);
  for (const DiskImage& image : images) EXPECT_NE(image.at("f"), ".B");
}

TEST(DiskModel, AWriteTearsBetweenSectorsOnly) {
  const std::vector<DiskOp> ops = {Write(1, 500, std::string(600, 'n'))};
  const std::set<DiskImage> images = Draws(ops, Loss::kTorn, {{"f", std::string(2000, 'o')}});
  EXPECT_EQ(images.size(), 8u) << "parts of three sectors";
  for (const DiskImage& image : images) {
    const std::string& bytes = image.at("f");
    for (const auto& [from, to] : {std::pair{500, 512}, {512, 1024}, {1024, 1100}}) {
      const std::string part =
          bytes.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
      EXPECT_EQ(part, std::string(part.size(), part[0]));
    }
    EXPECT_EQ(bytes.find('n', 1100), std::string::npos);
  }
}

TEST(DiskModel, GarbageStaysInsideWhatWasBeingWritten) {
  const std::vector<DiskOp> ops = {Write(1, 512, std::string(512, 'n'))};
  bool garbage = false;
  for (const DiskImage& image : Draws(ops, Loss::kGarbage, {{"f", std::string(2048, 'o')}})) {
    const std::string& bytes = image.at("f");
    EXPECT_EQ(bytes.substr(0, 512), std::string(512, 'o'));
    EXPECT_EQ(bytes.substr(1024), std::string(1024, 'o'));
    garbage = garbage || bytes.substr(512, 512).find_first_not_of("no") != std::string::npos;
  }
  EXPECT_TRUE(garbage);
}

TEST(DiskModel, ALostDirectoryForgetsCreationAndDeletion) {
  const std::vector<DiskOp> ops = {Create(2, "new"), Write(2, 0, "x"), Sync(2), Delete(1, "old")};
  const DiskImage before = {{"old", "o"}};
  EXPECT_EQ(Draws(ops, Loss::kDirectoryLost, before), (std::set<DiskImage>{before}));
  EXPECT_EQ(Draws(ops, Loss::kAllArrived, before), (std::set<DiskImage>{{{"new", "x"}}}));
}

TEST(DiskModel, WhatAFailedFlushForgotNeverArrives) {
  const std::vector<DiskOp> ops = {Write(1, 0, "lost"), SyncFailed(1), Write(1, 4, "kept"),
                                   Sync(1)};
  for (const Loss loss : kLosses) {
    EXPECT_EQ(Draws(ops, loss, {{"f", "...."}}), (std::set<DiskImage>{{{"f", "....kept"}}}));
  }
}

TEST(ContentHash, TellsDisksApart) {
  const std::set<DiskImage> images = {{},
                                      {{"a", ""}},
                                      {{"a", "b"}},
                                      {{"ab", ""}},
                                      {{"a", std::string("b\0", 2)}},
                                      {{"a", ""}, {"b", ""}}};
  std::set<std::uint64_t> hashes;
  for (const DiskImage& image : images) hashes.insert(ContentHash(image));
  EXPECT_EQ(hashes.size(), images.size());
}

}  // namespace
}  // namespace muster::testing
