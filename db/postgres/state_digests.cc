#include "db/postgres/state_digests.h"

namespace muster {

StateDigests::StateDigests(const PgState& state) : sum_(state.digest) {
  digests_.reserve(state.rows.size());
  for (const auto& [place, row] : state.rows) {
    digests_.emplace(KeyOf(row), DigestOf(row, &fields_));
  }
}

void StateDigests::Add(std::span<const StateRow> rows) {
  for (const StateRow& row : rows) {
    const auto known = digests_.find(KeyOf(row));
    if (known != digests_.end()) sum_ -= known->second;
    if (row.value) {
      const std::uint64_t digest = DigestOf(row, &fields_);
      sum_ += digest;
      if (known != digests_.end()) {
        known->second = digest;
      } else {
        digests_.emplace(key_, digest);
      }
    } else if (known != digests_.end()) {
      digests_.erase(known);
    }
  }
}

const std::string& StateDigests::KeyOf(const StateRow& row) {
  key_.assign(1, static_cast<char>('0' + static_cast<int>(row.table)));
  return key_ += row.key;
}

}  // namespace muster
