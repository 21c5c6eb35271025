// Calls about consumers, and what is handed over to them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/engine_run.h"
#include "engine/base/closest_name.h"
#include "engine/base/shown.h"
#include "engine/life/decide.h"

namespace muster {
namespace {

bool IsConsumerName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxConsumerName &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '-' || c == '_';
         });
}

Status BadNumber(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}

Status NotMadeYet(std::int64_t number, std::int64_t last) {
  return BadNumber("there is no decision " + std::to_string(number) + " yet; the newest is " +
                   std::to_string(last));
}

Status NotKept(std::int64_t after, std::int64_t before) {
  return BadNumber("decisions behind " + std::to_string(after) +
                   " are not all kept: every consumer has acknowledged those up to " +
                   std::to_string(before) + "; ask from there");
}

}  // namespace

Status Engine::State::UnknownConsumer(std::string_view name) const {
  std::string message = "there is no consumer \"" + Shown(name) + "\"";
  std::vector<std::string> names;
  for (const auto& [known, consumer] : world.hand_over.consumers()) names.push_back(known);
  const std::string near = ClosestName(name, names);
  if (!near.empty()) {
    message += "; write " + near;
  } else {
    message += "; register it first";
  }
  return {StatusCode::kNotFound, std::move(message)};
}

Status Engine::State::TooFarBehind() const {
  const HandOver& hand_over = world.hand_over;
  const auto slowest = std::min_element(
      hand_over.consumers().begin(), hand_over.consumers().end(),
      [](const auto& a, const auto& b) { return a.second.acknowledged < b.second.acknowledged; });
  return {StatusCode::kFailedPrecondition,
          "consumer " + slowest->first + " is " +
              std::to_string(hand_over.last() - slowest->second.acknowledged) +
              " decisions behind, and no more are kept; let it acknowledge them, or remove it"};
}

answer::Cursor Engine::State::CursorOf(std::string_view consumer) const {
  return {std::string(consumer), world.hand_over.consumers().find(consumer)->second.acknowledged,
          world.hand_over.last()};
}

Result<answer::Cursor> Engine::State::RegisterConsumer(std::string_view consumer, TimeNs now,
                                                       std::optional<std::int64_t> after) {
  const HandOver& hand_over = world.hand_over;
  if (!IsConsumerName(consumer)) {
    return Status(StatusCode::kInvalidArgument,
                  "a consumer is called by 1 to " + std::to_string(kMaxConsumerName) +
                      " letters, digits, '.', '-' and '_', not \"" + Shown(consumer) + "\"");
  }
  const std::string name(consumer);
  const bool known = hand_over.consumers().contains(name);
  if (!known && hand_over.consumers().size() >= kMaxConsumers) {
    return Status(StatusCode::kFailedPrecondition,
                  "there are " + std::to_string(kMaxConsumers) +
                      " consumers, which is as many as one engine has; remove one first");
  }
  if (!known && after) {
    if (*after > hand_over.last()) return NotMadeYet(*after, hand_over.last());
    if (*after < hand_over.before()) return NotKept(*after, hand_over.before());
  }
  const command::RegisterConsumer input{name, after};
  const Status status = Run(input, now, [&] {
    if (known) return Status::Ok();
    world.hand_over.Put(name, {after.value_or(hand_over.last()), world.now, kNoTime});
    world.changes.TouchConsumer(name);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return CursorOf(consumer);
}

Result<answer::Cursor> Engine::State::Acknowledge(std::string_view consumer, std::int64_t upto,
                                                  TimeNs now) {
  const auto found = world.hand_over.consumers().find(consumer);
  if (found == world.hand_over.consumers().end()) return UnknownConsumer(consumer);
  if (upto < 0) return BadNumber("upto is " + std::to_string(upto) + "; numbers begin at 1");
  if (upto > world.hand_over.last()) return NotMadeYet(upto, world.hand_over.last());
  const Status status = Run(command::Acknowledge{std::string(consumer), upto}, now, [&] {
    Consumer moved = found->second;
    if (upto <= moved.acknowledged) return Status::Ok();
    moved.acknowledged = upto;
    moved.acknowledged_at = world.now;
    world.hand_over.Put(found->first, moved);
    world.changes.TouchConsumer(found->first);
    ForgetAcknowledged(world);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return CursorOf(consumer);
}

Status Engine::State::RemoveConsumer(std::string_view consumer, TimeNs now) {
  if (!world.hand_over.consumers().contains(consumer)) return UnknownConsumer(consumer);
  const std::string name(consumer);
  return Run(command::RemoveConsumer{name}, now, [&] {
    world.hand_over.Remove(name);
    world.changes.TouchConsumer(name);
    ForgetAcknowledged(world);
    return Status::Ok();
  });
}

std::vector<ConsumerView> Engine::State::Consumers() const {
  std::vector<ConsumerView> views;
  for (const auto& [name, consumer] : world.hand_over.consumers()) {
    views.push_back(world.hand_over.ViewOf(name, consumer));
  }
  return views;
}

Result<answer::Decisions> Engine::State::Decisions(std::int64_t after, std::size_t most) const {
  const HandOver& hand_over = world.hand_over;
  if (after > hand_over.last()) return NotMadeYet(after, hand_over.last());
  if (after < hand_over.before()) return NotKept(after, hand_over.before());
  answer::Decisions answer;
  answer.last = hand_over.last();
  const auto kept = hand_over.kept().begin() + (after - hand_over.before());
  const auto count = std::min(most, static_cast<std::size_t>(hand_over.last() - after));
  answer.decisions.assign(kept, kept + static_cast<std::ptrdiff_t>(count));
  return answer;
}

Result<answer::Decisions> Engine::State::Decisions(std::string_view consumer,
                                                   std::size_t most) const {
  const auto found = world.hand_over.consumers().find(consumer);
  if (found == world.hand_over.consumers().end()) return UnknownConsumer(consumer);
  return Decisions(found->second.acknowledged, most);
}

}  // namespace muster
