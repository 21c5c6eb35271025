// The keys that are written in the tables of a policy file.
#ifndef MUSTER_BINDINGS_LUAJIT_SOURCE_KEYS_H_
#define MUSTER_BINDINGS_LUAJIT_SOURCE_KEYS_H_

#include <string_view>
#include <vector>

#include "bindings/luajit/source_facts.h"

namespace muster::luajit {

/// Where the key `path` ("params.grace.min") of the returned table stands, or the nearest place
/// that exists.
SourcePlace LocateKey(const SourceFacts& facts, std::string_view path);

/// The texts of the list that is written under `key` of the returned table, as it stands there.
std::vector<std::string_view> TextsUnder(const SourceFacts& facts, std::string_view key);

/// Keys that one table has twice, at the second place: Lua keeps the last value without a word.
/// O(size * log size).
std::vector<SourceProblem> DoubledKeys(const SourceFacts& facts);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_KEYS_H_
