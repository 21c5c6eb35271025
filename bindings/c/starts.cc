// What needs the history of a ledger: when workloads will start, whose calls they were.
#include <algorithm>
#include <string>
#include <utility>

#include "bindings/c/handles.h"
#include "bindings/cli/world/expected_starts.h"
#include "bindings/lab/json.h"
#include "db/store.h"

namespace muster::c {
namespace {

using lab::Json;

constexpr std::int64_t kMostFutures = 100'000;

Status NeedLedger(const muster_engine& engine, const char* what) {
  if (engine.durable) return Status::Ok();
  return {StatusCode::kFailedPrecondition,
          std::string("an engine in memory ") + what + "; open a ledger with muster_open"};
}

/// A whole number from `least` on.
bool ReadCount(const Json& json, std::int64_t least, std::size_t* count) {
  if (!json.is_number_integer() || json < least || json > kMostFutures) return false;
  *count = json.get<std::size_t>();
  return true;
}

bool ReadWorkloads(const Json& json, std::vector<Key>* keys) {
  if (!json.is_array()) return false;
  for (const Json& each : json) {
    if (!each.is_string()) return false;
    const std::string name = each.get<std::string>();
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) return false;
    keys->push_back({name.substr(0, slash), name.substr(slash + 1)});
  }
  return true;
}

/// What `text` says about which workloads and how.
Status ReadAsked(std::string_view text, cli::StartsAsked* asked) {
  if (text.empty()) return Status::Ok();
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Misuse(R"(json is no object; write {"workloads": ["ns/name"]})");
  for (const auto& [name, value] : json.items()) {
    bool good = false;
    if (name == "workloads") {
      good = ReadWorkloads(value, &asked->workloads);
    } else if (name == "futures") {
      good = ReadCount(value, 1, &asked->estimate.futures);
    } else if (name == "questions") {
      good = ReadCount(value, 0, &asked->questions);
    } else if (name == "arrivals") {
      good = value.is_boolean();
      if (good) asked->estimate.arrivals = value.get<bool>();
    } else {
      return Misuse("json has a member '" + name +
                    "'; there are workloads, futures, questions, arrivals");
    }
    if (good) continue;
    return Misuse("json." + name +
                  " is wrong; workloads are [\"ns/name\"], futures and questions "
                  "whole numbers, arrivals true or false");
  }
  return Status::Ok();
}

}  // namespace
}  // namespace muster::c

using muster::Engine;
using muster::Result;
using muster::Status;
using muster::c::TextOf;

muster_code muster_eta(muster_engine* engine, const char* json, size_t size, int64_t now,
                       muster_bytes** answer, muster_error** error) {
  if (answer != nullptr) *answer = nullptr;
  return muster::c::With(engine, error, [&](Engine&) -> Status {
    if (Status none = muster::c::NeedLedger(*engine, "has no past to learn from"); !none.ok()) {
      return none;
    }
    muster::cli::StartsAsked asked;
    asked.now = muster::c::TimeOf(now);
    if (Status wrong = muster::c::ReadAsked(TextOf(json, size), &asked); !wrong.ok()) return wrong;
    const Result<muster::cli::ExpectedStarts> starts =
        muster::cli::ExpectStarts(engine->durable->ledger(), asked);
    if (!starts.ok()) return starts.status();
    muster::c::Give(muster::lab::JsonText(muster::cli::ExpectedStartsJson(*starts)), answer);
    return Status::Ok();
  });
}

muster_code muster_set_caller(muster_engine* engine, const char* caller, muster_error** error) {
  return muster::c::With(engine, error, [&](Engine&) -> Status {
    Status none = muster::c::NeedLedger(*engine, "keeps no commands");
    return none.ok() ? engine->durable->SetCaller(TextOf(caller)) : none;
  });
}
