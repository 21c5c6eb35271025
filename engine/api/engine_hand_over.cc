// Calls about consumers, and what is handed over to them: see engine/hand_over/consumers.h.
#include <string>

#include "engine/api/engine_run.h"

namespace muster {

Result<answer::Cursor> Engine::State::RegisterConsumer(std::string_view consumer, TimeNs now,
                                                       std::optional<std::int64_t> after) {
  Status status = CheckRegistration(world.hand_over, consumer, after);
  if (!status.ok()) return status;
  const command::RegisterConsumer input{std::string(consumer), after};
  status = Run(input, now, [&] {
    Register(world, input.consumer, after);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return CursorOf(world.hand_over, consumer);
}

Result<answer::Cursor> Engine::State::Acknowledge(std::string_view consumer, std::int64_t upto,
                                                  TimeNs now) {
  Status status = CheckAcknowledgement(world.hand_over, consumer, upto);
  if (!status.ok()) return status;
  const command::Acknowledge input{std::string(consumer), upto};
  status = Run(input, now, [&] {
    MoveCursor(world, input.consumer, upto);
    return Status::Ok();
  });
  if (!status.ok()) return status;
  return CursorOf(world.hand_over, consumer);
}

Status Engine::State::RemoveConsumer(std::string_view consumer, TimeNs now) {
  if (Status known = CheckKnown(world.hand_over, consumer); !known.ok()) return known;
  const command::RemoveConsumer input{std::string(consumer)};
  return Run(input, now, [&] {
    muster::RemoveConsumer(world, input.consumer);
    return Status::Ok();
  });
}

}  // namespace muster
