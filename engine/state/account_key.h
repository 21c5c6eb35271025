// AccountKeyIn: AccountKey without making a string of what is one already.
#ifndef MUSTER_ENGINE_STATE_ACCOUNT_KEY_H_
#define MUSTER_ENGINE_STATE_ACCOUNT_KEY_H_

#include <string>
#include <string_view>

#include "engine/state/world.h"

namespace muster {

/// Under which key the workload is charged; see AccountKey. Valid as long as `room`, the workload
/// and its queue stay as they are.
std::string_view AccountKeyIn(std::string& room, const World& world, const WorkloadRecord& workload,
                              const AccountRule& rule);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ACCOUNT_KEY_H_
