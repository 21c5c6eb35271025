#include "db/commit_check.h"

namespace muster {

Status CheckKeys(const Commit& commit) {
  for (const StateRow& row : commit.rows) {
    const bool named =
        row.table == StateRow::Table::kWorkload || row.table == StateRow::Table::kObject;
    if (named && row.key.find('/') == std::string::npos) {
      return {StatusCode::kInvalidArgument, "row key \"" + row.key + "\" has no slash"};
    }
  }
  return Status::Ok();
}

}  // namespace muster
