// See door.h.
#include "bindings/lab/door.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "bindings/lab/read.h"
#include "bindings/manifest/names.h"
#include "engine/base/join.h"
#include "engine/base/shown.h"

namespace muster::lab {
namespace {

struct Doorman {
  const Engine& engine;

  template <typename C>
  Status operator()(const C&) const {
    return Status::Ok();
  }

  Status operator()(const command::Evict& c) const {
    if (manifest::IsReason(c.reason)) return Status::Ok();
    return Status(StatusCode::kInvalidArgument,
                  "reason takes one word such as NodeMaintenance, not \"" + Shown(c.reason) + "\"");
  }

  Status operator()(const command::NoteStaged& c) const {
    constexpr std::size_t kDigits = 64;
    const bool is_hash = c.hash.size() == kDigits &&
                         c.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (is_hash) return Status::Ok();
    return Status(
        StatusCode::kInvalidArgument,
        "hash takes the 64 hexadecimal digits of a package, not \"" + Shown(c.hash) + "\"");
  }

  Status operator()(const command::RollBackPolicy& c) const {
    std::vector<std::string> active;
    for (const PolicyInfo& policy : Read(engine.Policies())) active.push_back(policy.name);
    if (std::find(active.begin(), active.end(), c.package) != active.end()) return Status::Ok();
    return Status(StatusCode::kNotFound,
                  "no policy package \"" + Shown(c.package) + "\" is active; " +
                      (active.empty() ? "none is" : "active: " + Join(active)));
  }

  Status operator()(const command::Delete& c) const {
    if (c.kind == ObjectKind::kConfiguration) return CheckThere<Configuration>(c.kind);
    if (c.kind == ObjectKind::kEngineConfiguration) return CheckThere<EngineConfiguration>(c.kind);
    return Status::Ok();
  }

  template <typename T>
  Status CheckThere(ObjectKind kind) const {
    for (const Object& object : Read(engine.Objects(kind))) {
      if (std::get<T>(object) != T()) return Status::Ok();
    }
    return Status(StatusCode::kNotFound,
                  "there is no " + std::string(KindName(kind)) + ": the defaults count already");
  }
};

}  // namespace

Status CheckAtDoor(const Engine& engine, const Command& command) {
  return std::visit(Doorman{engine}, command);
}

}  // namespace muster::lab
