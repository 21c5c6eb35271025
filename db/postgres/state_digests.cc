#include "db/postgres/state_digests.h"

#include <algorithm>
#include <array>
#include <utility>

namespace muster {

StateDigests::StateDigests(const PgState& state) : sum_(state.digest) {
  digests_.reserve(state.rows.size());
  for (const auto& [place, row] : state.rows) Replace(HashOf(row), DigestOf(row, &fields_));
}

// Two loops, so that in the second the processor waits for many places of the table at once: one
// after another they would take as long as the digests.
void StateDigests::Add(std::span<const StateRow> rows) {
  constexpr std::size_t kTogether = 256;
  std::array<TextHash, kTogether> hashes;
  std::array<std::uint64_t, kTogether> digests;
  while (!rows.empty()) {
    const std::span<const StateRow> next = rows.first(std::min(kTogether, rows.size()));
    for (std::size_t i = 0; i < next.size(); ++i) {
      hashes[i] = HashOf(next[i]);
      digests[i] = next[i].value ? DigestOf(next[i], &fields_) : 0;
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
      sum_ += digests[i];
      sum_ -= next[i].value ? Replace(hashes[i], digests[i]) : Remove(hashes[i]);
    }
    rows = rows.subspan(next.size());
  }
}

TextHash StateDigests::HashOf(const StateRow& row) {
  key_.assign(1, static_cast<char>('0' + static_cast<int>(row.table)));
  return HashOfText(key_ += row.key);
}

std::uint64_t StateDigests::Replace(const TextHash& row, std::uint64_t digest) {
  const auto [known, added] = digests_.try_emplace(row, digest);
  return added ? 0 : std::exchange(known.value(), digest);
}

std::uint64_t StateDigests::Remove(const TextHash& row) {
  const auto known = digests_.find(row);
  if (known == digests_.end()) return 0;
  const std::uint64_t digest = known->second;
  digests_.erase(known);
  return digest;
}

}  // namespace muster
