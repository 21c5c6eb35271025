// See forks.h.
#include "bindings/eta/forks.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/lab/read.h"
#include "engine/base/caught.h"

namespace muster::eta {
namespace {

bool BindsParams(const Engine& engine) {
  const std::vector<Object> bindings = lab::Read(engine.Objects(ObjectKind::kPolicyBinding));
  return std::any_of(bindings.begin(), bindings.end(), [](const Object& binding) {
    return !std::get<PolicyBinding>(binding).params.empty();
  });
}

}  // namespace

Forks::Forks(const Engine& engine) : engine_(engine), beside_(!BindsParams(engine)) {}

Engine Forks::Take(bool others) {
  Engine fork = lab::Read(next_.valid() ? next_.get() : engine_.Fork(nullptr, std::move(used_)));
  if (!others || !beside_) return fork;
  try {
    next_ = std::async(std::launch::async, [&engine = engine_, used = std::move(used_)]() mutable {
      return Guarded([&] { return engine.Fork(nullptr, std::move(used)); });
    });
  } catch (const std::system_error&) {
    // The system gives no thread.
  }
  return fork;
}

void Forks::GiveBack(Engine fork) { used_ = std::move(fork); }

}  // namespace muster::eta
