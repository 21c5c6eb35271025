// MemoryJournal: keeps the rows of current state in memory, as a ledger would keep them on disk.
#ifndef MUSTER_TESTS_TESTING_MEMORY_JOURNAL_H_
#define MUSTER_TESTS_TESTING_MEMORY_JOURNAL_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "muster/journal.h"

namespace muster::testing {

class MemoryJournal : public Journal {
 public:
  Result<Ticket> Append(Commit commit) override {
    for (StateRow& row : commit.rows) {
      if (row.value) {
        rows_[{row.table, row.key}] = std::move(*row.value);
      } else {
        rows_.erase({row.table, row.key});
      }
    }
    commit.rows.clear();
    commits_.push_back(std::move(commit));
    return static_cast<Ticket>(commits_.size());
  }
  Status Durable(Ticket) override { return Status::Ok(); }

  /// Another engine with the stored state, journaling here.
  Status Reopen(Engine& engine) {
    Engine reopened(this);
    Status status = reopened.Restore([this](const Engine::RowSink& sink) {
      for (const auto& [key, value] : rows_) {
        Status added = sink(key.first, key.second, value);
        if (!added.ok()) return added;
      }
      return Status::Ok();
    });
    if (status.ok()) engine = std::move(reopened);
    return status;
  }

  const std::vector<Commit>& commits() const { return commits_; }

 private:
  std::map<std::pair<StateRow::Table, std::string>, std::string> rows_;
  std::vector<Commit> commits_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_MEMORY_JOURNAL_H_
