// The members beside quota: each call goes to all of them, and under a mark into the log.
#include "engine/capacity/capacity.h"

#include <algorithm>
#include <utility>

namespace muster {

void Capacity::ChargeOthers(QueueId queue, std::span<const Usage> usage) {
  if (marks_ > 0) told_.push_back({queue, {usage.begin(), usage.end()}, /*charged=*/true});
  for (const auto& member : others_) member->Charge(queue, usage);
}

void Capacity::ReleaseOthers(QueueId queue, std::span<const Usage> usage) {
  if (marks_ > 0) told_.push_back({queue, {usage.begin(), usage.end()}, /*charged=*/false});
  for (const auto& member : others_) member->Release(queue, usage);
}

bool Capacity::OthersFit(QueueId queue, std::span<const Usage> usage) const {
  return std::all_of(others_.begin(), others_.end(),
                     [&](const auto& member) { return member->Fits(queue, usage); });
}

bool Capacity::OthersFitAlone(QueueId queue, std::span<const Usage> usage) const {
  return std::all_of(others_.begin(), others_.end(),
                     [&](const auto& member) { return member->FitsAlone(queue, usage); });
}

bool Capacity::OthersAreMonotone() const {
  return std::all_of(others_.begin(), others_.end(),
                     [](const auto& member) { return member->IsMonotone(); });
}

bool Capacity::NothingIsTriedIn(std::span<const std::uint32_t> trees) const {
  return told_.empty() && places_.tried() == 0 &&
         std::all_of(trees.begin(), trees.end(),
                     [&](std::uint32_t tree) { return trees_[tree].AsOfVersion(); });
}

void Capacity::TakeBack(std::size_t size) {
  while (told_.size() > size) {
    const Told last = std::move(told_.back());
    told_.pop_back();
    for (auto member = others_.rbegin(); member != others_.rend(); ++member) {
      if (last.charged) {
        (*member)->Release(last.queue, last.usage);
      } else {
        (*member)->Charge(last.queue, last.usage);
      }
    }
  }
}

ForestMark::ForestMark(Capacity& capacity, std::span<const std::uint32_t> trees) {
  quota_.reserve(trees.size());
  for (const std::uint32_t tree : trees) quota_.emplace_back(capacity.tree(tree));
  if (!capacity.FollowsFromQuota()) others_ = std::make_unique<OthersMark>(capacity);
}

}  // namespace muster
