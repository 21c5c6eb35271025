// MemoryJournal: keeps the rows of current state in memory, as a ledger would keep them on disk.
#ifndef MUSTER_TESTS_TESTING_MEMORY_JOURNAL_H_
#define MUSTER_TESTS_TESTING_MEMORY_JOURNAL_H_

#include <cstddef>
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
    last_rows_ = commit.rows.size();
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

  /// Another engine with the stored state, journaling here. The rows come by table and key, or the
  /// other way round.
  Status Reopen(Engine& engine, bool backwards = false) {
    Engine reopened(this);
    Status status = reopened.Restore([&](const Engine::RowSink& sink) {
      return backwards ? Hand(rows_.rbegin(), rows_.rend(), sink)
                       : Hand(rows_.begin(), rows_.end(), sink);
    });
    if (status.ok()) engine = std::move(reopened);
    return status;
  }

  /// How many rows the last commit wrote or removed.
  std::size_t last_rows() const { return last_rows_; }
  const std::vector<Commit>& commits() const { return commits_; }
  const std::map<std::pair<StateRow::Table, std::string>, std::string>& rows() const {
    return rows_;
  }
  /// Stores a second row of the same value under the name `copy`.
  void CopyRow(StateRow::Table table, const std::string& key, const std::string& copy) {
    rows_[{table, copy}] = rows_.at({table, key});
  }

 private:
  template <typename Iterator>
  static Status Hand(Iterator row, Iterator end, const Engine::RowSink& sink) {
    Status status;
    for (; row != end && status.ok(); ++row) {
      status = sink(row->first.first, row->first.second, row->second);
    }
    return status;
  }

  std::map<std::pair<StateRow::Table, std::string>, std::string> rows_;
  std::vector<Commit> commits_;
  std::size_t last_rows_ = 0;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_MEMORY_JOURNAL_H_
