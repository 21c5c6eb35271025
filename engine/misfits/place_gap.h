// What hosts lack for pods, in words: how much there is where, and what would mend it.
#ifndef MUSTER_ENGINE_MISFITS_PLACE_GAP_H_
#define MUSTER_ENGINE_MISFITS_PLACE_GAP_H_

#include <cstdint>
#include <string>

#include "engine/places/place_finder.h"

namespace muster {

/// Whether one domain has to hold all of it.
inline bool IsOneDomain(const PlaceGap& gap) { return !gap.result.best.empty(); }
/// There is room for all but the leader.
inline bool LacksLeader(const PlaceGap& gap) { return gap.result.most >= gap.result.wanted; }
/// No Node that has the labels of the topology is ready and not cordoned.
bool HasNoNode(const PlaceGap& gap);

/// The label of the level that was looked at, and a domain there.
const std::string& LabelOf(const PlaceGap& gap);
const std::string& NameOf(const PlaceGap& gap, std::uint32_t domain);

/// "8 pods", or slices of pods.
std::string CountedPods(std::int64_t count, const PlaceResult& result);
/// "no rack has room for 8 pods" or "topology t has room for 3 of 8 pods", closing with `were`.
std::string Claim(const PlaceGap& gap, const std::string& were);
/// The same of hosts that nothing uses, and the largest domain; `gap` is of such a search.
std::string ClaimOfEmpty(const PlaceGap& gap);
/// What to ask for, or to add, where even empty hosts have no place.
std::string CureOfEmpty(const PlaceGap& gap);
/// The cure of a LevelConflict.
inline constexpr const char* kCureOfLevels =
    "ask for slices at or below the level of the podset, inner ones below outer ones";

}  // namespace muster

#endif  // MUSTER_ENGINE_MISFITS_PLACE_GAP_H_
