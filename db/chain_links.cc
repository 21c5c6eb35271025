// See chain_links.h.
#include "db/chain_links.h"

#include <algorithm>

namespace muster {

std::optional<ChainHash> HashFrom(std::string_view bytes) {
  ChainHash hash;
  if (bytes.size() != hash.size()) return std::nullopt;
  std::copy(bytes.begin(), bytes.end(), hash.begin());
  return hash;
}

CommitHeader HeaderOf(const CommitRecord& commit, std::uint64_t state_digest) {
  return {commit.seq,
          commit.at,
          commit.cycle,
          commit.command,
          commit.engine_version,
          commit.first_event,
          static_cast<std::int64_t>(commit.events.size()),
          state_digest,
          commit.input};
}

std::string ChainLinks::Check(const CommitRecord& commit, std::uint64_t state_digest,
                              std::string_view prev, std::string_view hash) {
  const std::optional<ChainHash> before = HashFrom(prev);
  const std::optional<ChainHash> stored = HashFrom(hash);
  if (!before || !stored) return "its hash is unreadable";
  if (commit.seq == 1 ? *before != kFirstPrevHash : prev_ && *before != *prev_) {
    return "it does not follow from the commit before it";
  }
  if (commit.seq == 1 ? commit.first_event != 1
                      : next_event_ != 0 && commit.first_event != next_event_) {
    return "its events do not follow those of the commit before it";
  }
  const CommitHeader header = HeaderOf(commit, state_digest);
  const ChainHash computed = HashCommit(*before, header, commit.events, commit.policies, &fields_);
  if (computed != *stored) return "its content does not match its hash";
  prev_ = computed;
  next_event_ = commit.first_event + header.events;
  return {};
}

}  // namespace muster
