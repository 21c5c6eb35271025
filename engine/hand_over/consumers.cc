// See consumers.h.
#include "engine/hand_over/consumers.h"

#include <algorithm>
#include <utility>

#include "engine/base/closest_name.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"
#include "engine/hand_over/decide.h"

namespace muster {
namespace {

bool IsConsumerName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxConsumerName &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '-' || c == '_';
         });
}

Status BadNumber(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }

Status NotMadeYet(std::int64_t number, std::int64_t last) {
  return BadNumber("there is no decision " + std::to_string(number) + " yet; the newest is " +
                   std::to_string(last));
}

Status NotKept(std::int64_t after, std::int64_t before) {
  return BadNumber("decisions behind " + std::to_string(after) +
                   " are not all kept: every consumer has acknowledged those up to " +
                   std::to_string(before) + "; ask from there");
}

Status CheckKept(const HandOver& hand_over, std::int64_t after) {
  if (after > hand_over.last()) return NotMadeYet(after, hand_over.last());
  if (after < hand_over.before()) return NotKept(after, hand_over.before());
  return Status::Ok();
}

}  // namespace

Status CheckRegistration(const HandOver& hand_over, std::string_view consumer,
                         std::optional<std::int64_t> after) {
  if (!IsConsumerName(consumer)) {
    return {StatusCode::kInvalidArgument,
            "a consumer is called by 1 to " + std::to_string(kMaxConsumerName) +
                " letters, digits, '.', '-' and '_', not \"" + Shown(consumer) + "\""};
  }
  if (hand_over.consumers().contains(consumer)) return Status::Ok();
  if (hand_over.consumers().size() >= kMaxConsumers) {
    return {StatusCode::kFailedPrecondition,
            "there are " + std::to_string(kMaxConsumers) +
                " consumers, which is as many as one engine has; remove one first"};
  }
  return after ? CheckKept(hand_over, *after) : Status::Ok();
}

Status CheckKnown(const HandOver& hand_over, std::string_view consumer) {
  if (hand_over.consumers().contains(consumer)) return Status::Ok();
  std::vector<std::string> names;
  for (const auto& [known, state] : hand_over.consumers()) names.push_back(known);
  const std::string near = ClosestName(consumer, names);
  const std::string there = names.empty() ? "none is registered" : "registered: " + Join(names);
  return {StatusCode::kNotFound, "there is no consumer \"" + Shown(consumer) + "\"; " +
                                     (near.empty() ? there : "write " + near)};
}

Status CheckAcknowledgement(const HandOver& hand_over, std::string_view consumer,
                            std::int64_t upto) {
  if (Status known = CheckKnown(hand_over, consumer); !known.ok()) return known;
  if (upto < 0) return BadNumber("upto is " + std::to_string(upto) + "; numbers begin at 1");
  return upto > hand_over.last() ? NotMadeYet(upto, hand_over.last()) : Status::Ok();
}

Status TooFarBehind(const HandOver& hand_over) {
  const auto slowest = std::min_element(
      hand_over.consumers().begin(), hand_over.consumers().end(),
      [](const auto& a, const auto& b) { return a.second.acknowledged < b.second.acknowledged; });
  return {StatusCode::kFailedPrecondition,
          "consumer " + slowest->first + " is " +
              std::to_string(hand_over.last() - slowest->second.acknowledged) +
              " decisions behind, and no more are kept; let it acknowledge them, or remove it"};
}

void Register(World& world, const std::string& consumer, std::optional<std::int64_t> after) {
  HandOver& hand_over = world.hand_over;
  if (hand_over.consumers().contains(consumer)) return;
  hand_over.Put(consumer, {after.value_or(hand_over.last()), world.now, kNoTime});
  world.changes.TouchConsumer(consumer);
}

void MoveCursor(World& world, const std::string& consumer, std::int64_t upto) {
  Consumer moved = world.hand_over.consumers().find(consumer)->second;
  if (upto <= moved.acknowledged) return;
  moved.acknowledged = upto;
  moved.acknowledged_at = world.now;
  world.hand_over.Put(consumer, moved);
  world.changes.TouchConsumer(consumer);
  ForgetAcknowledged(world);
}

void RemoveConsumer(World& world, const std::string& consumer) {
  world.hand_over.Remove(consumer);
  world.changes.TouchConsumer(consumer);
  ForgetAcknowledged(world);
}

answer::Cursor CursorOf(const HandOver& hand_over, std::string_view consumer) {
  return {std::string(consumer), hand_over.consumers().find(consumer)->second.acknowledged,
          hand_over.last()};
}

std::vector<ConsumerView> ViewsOf(const HandOver& hand_over) {
  std::vector<ConsumerView> views;
  for (const auto& [name, consumer] : hand_over.consumers()) {
    views.push_back(hand_over.ViewOf(name, consumer));
  }
  return views;
}

Result<answer::Decisions> DecisionsBehind(const HandOver& hand_over, std::int64_t after,
                                          std::size_t most) {
  if (Status kept = CheckKept(hand_over, after); !kept.ok()) return kept;
  answer::Decisions answer;
  answer.last = hand_over.last();
  const auto first = hand_over.kept().begin() + (after - hand_over.before());
  const auto count = std::min(most, static_cast<std::size_t>(hand_over.last() - after));
  answer.decisions.assign(first, first + static_cast<std::ptrdiff_t>(count));
  return answer;
}

Result<answer::Decisions> DecisionsFor(const HandOver& hand_over, std::string_view consumer,
                                       std::size_t most) {
  if (Status known = CheckKnown(hand_over, consumer); !known.ok()) return known;
  return DecisionsBehind(hand_over, hand_over.consumers().find(consumer)->second.acknowledged,
                         most);
}

}  // namespace muster
