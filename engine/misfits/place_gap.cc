// See place_gap.h.
#include "engine/misfits/place_gap.h"

#include <algorithm>
#include <vector>

namespace muster {

bool HasNoNode(const PlaceGap& gap) {
  const std::vector<std::int32_t>& nodes = gap.tree->levels().front().nodes;
  return std::all_of(nodes.begin(), nodes.end(), [](std::int32_t count) { return count == 0; });
}

const std::string& LabelOf(const PlaceGap& gap) {
  return gap.tree->levels()[gap.result.level].label;
}

const std::string& NameOf(const PlaceGap& gap, std::uint32_t domain) {
  return gap.tree->levels()[gap.result.level].values[domain];
}

std::string CountedPods(std::int64_t count, const PlaceResult& result) {
  const char* const what = result.segment > 0 ? " segment" : result.in_slices ? " slice" : " pod";
  return std::to_string(count) + what + (count == 1 ? "" : "s");
}

std::string Claim(const PlaceGap& gap, const std::string& were) {
  const PlaceResult& result = gap.result;
  const std::string in_flavor = " flavor " + gap.tree->flavor().name;
  if (LacksLeader(gap)) {
    return "topology " + gap.tree->topology().name + " has no room for its leader in" + in_flavor +
           were;
  }
  if (IsOneDomain(gap)) {
    return "no " + LabelOf(gap) + " of" + in_flavor + " has room for " +
           CountedPods(result.wanted, result) + were;
  }
  return "topology " + gap.tree->topology().name + " has room for " + std::to_string(result.most) +
         " of " + CountedPods(result.wanted, result) + " in" + in_flavor + were;
}

std::string ClaimOfEmpty(const PlaceGap& gap) {
  std::string text = Claim(gap, ", even empty");
  if (IsOneDomain(gap)) {
    const LeafPods& most = gap.result.best.front();
    text += "; the largest, " + NameOf(gap, most.leaf) + ", has " + std::to_string(most.count);
  }
  return text;
}

std::string CureOfEmpty(const PlaceGap& gap) {
  if (LacksLeader(gap)) return "ask for less for its leader, or add larger nodes";
  if (gap.result.most == 0) return "ask for less in each pod, or add larger nodes";
  return "ask for at most " + CountedPods(gap.result.most, gap.result) +
         (IsOneDomain(gap) ? " in one " + LabelOf(gap) + ", ask for a higher level" : "") +
         ", or add nodes";
}

}  // namespace muster
