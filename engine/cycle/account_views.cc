// Accounts for reading: values as they are at the time of the last call.
#include "engine/cycle/engine_state.h"

namespace muster {

std::vector<AccountView> Engine::State::Accounts() const {
  std::vector<AccountView> views;
  for (const auto& [rule, account] : world.accounts.all()) {
    for (const auto& [key, balance] : account.balances) {
      views.push_back({rule, key, balance.ValueAt(rule, world.now),
                       InNaturalUnits(rule, balance.rate), account.declared});
    }
  }
  return views;
}

}  // namespace muster
