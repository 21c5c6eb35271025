// The cases through the C library by the function for each call, with nothing but muster.h.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/c/include/muster.h"
#include "tests/hand_over/c_door.h"
#include "tests/hand_over/cases.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using Json = nlohmann::json;

/// The podsets of a command's workload, as a manifest has them.
std::string ManifestOf(const Json& workload) {
  Json sets = Json::array();
  for (const Json& each : workload["podSets"]) {
    Json containers = Json::array();
    for (const Json& one : each["pods"]["containers"]) {
      containers.push_back({{"name", one["name"]}, {"resources", {{"requests", one["requests"]}}}});
    }
    sets.push_back({{"name", each["name"]},
                    {"count", each["count"]},
                    {"template", {{"spec", {{"containers", containers}}}}}});
  }
  return Json{{"apiVersion", "kueue.x-k8s.io/v1beta2"},
              {"kind", "Workload"},
              {"metadata", {{"namespace", "team"}, {"name", "shape"}}},
              {"spec", {{"queueName", workload["queue"]}, {"podSets", sets}}}}
      .dump();
}

/// Texts that live as long as one call.
struct Named {
  explicit Named(const Json& key) : ns(key["namespace"]), name(key["name"]) {}
  std::string ns;
  std::string name;
};

/// Carries commands out by the functions for them; objects alone come as commands. Answers have
/// those fields of the wire that the functions tell.
class TypedCDoor : public CDoor {
 public:
  using CDoor::CDoor;

  Said Do(const std::string& text, std::int64_t at) override {
    const Json command = Json::parse(text);
    const std::string kind = command["command"];
    if (kind == "apply") return CDoor::Do(text, at);
    muster_error* error = nullptr;
    Json answer = Json::object();
    const muster_code code = Call(kind, command, at, &answer, &error);
    Said said{CodeText(code), code == MUSTER_OK ? answer.dump() : muster_error_message(error)};
    muster_error_free(error);
    return said;
  }

 private:
  muster_code Call(const std::string& kind, const Json& command, std::int64_t at, Json* answer,
                   muster_error** error) {
    if (command.contains("workloads") && kind != "submit") {
      return CallAboutNames(kind, command, at, error);
    }
    if (command.contains("workload")) return CallAboutOne(kind, command, at, answer, error);
    if (command.contains("consumer")) return CallOfConsumer(kind, command, at, answer, error);
    if (kind == "submit") return Submit(command["workloads"], at, answer, error);
    EXPECT_EQ(kind, "cycle");
    muster_cycle cycle = {};
    cycle.size = sizeof cycle;
    const muster_code code = muster_run_cycle(engine(), at, &cycle, nullptr, error);
    *answer = {{"admitted", std::vector<std::string>(static_cast<std::size_t>(cycle.admitted))},
               {"preempted", std::vector<std::string>(static_cast<std::size_t>(cycle.preempted))},
               {"atRest", cycle.at_rest != 0}};
    return code;
  }

  muster_code Submit(const Json& workloads, std::int64_t at, Json* answer, muster_error** error) {
    EXPECT_EQ(workloads.size(), 1U);
    const Json& workload = workloads.front();
    const Named key(workload["key"]);
    const std::string manifest = ManifestOf(workload);
    const std::string queue = workload["queue"];
    const std::string uid = workload.value("uid", "");
    muster_shape* shape = nullptr;
    EXPECT_EQ(muster_shape_parse(manifest.data(), manifest.size(), nullptr, &shape, error),
              MUSTER_OK);
    muster_job job = {};
    job.size = sizeof job;
    job.shape = shape;
    job.ns = key.ns.c_str();
    job.name = key.name.c_str();
    job.queue = queue.c_str();
    job.uid = uid.c_str();
    job.has_priority = workload.contains("priority") ? 1 : 0;
    job.priority = workload.value("priority", 0);
    std::size_t created = 0;
    const muster_code code = muster_submit(engine(), &job, 1, at, &created, error);
    muster_shape_free(shape);
    *answer = {{"objects", {created == 1 ? "created" : "unchanged"}}};
    return code;
  }

  muster_code CallAboutNames(const std::string& kind, const Json& command, std::int64_t at,
                             muster_error** error) {
    std::vector<Named> keys;
    for (const Json& each : command["workloads"]) keys.emplace_back(each);
    const auto uids = command.value("uids", std::vector<std::string>(keys.size()));
    const auto runs = command.value("runs", std::vector<std::int64_t>(keys.size()));
    std::vector<muster_name> names;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      names.push_back({sizeof(muster_name), 0, keys[i].ns.c_str(), keys[i].name.c_str(),
                       uids[i].c_str(), runs[i]});
    }
    if (kind == "ready") {
      return muster_ready(engine(), names.data(), names.size(), 1, at, error);
    }
    if (kind == "finish") {
      return muster_finish(engine(), names.data(), names.size(), 0, at, error);
    }
    if (kind == "evicted") return muster_evicted(engine(), names.data(), names.size(), at, error);
    EXPECT_EQ(kind, "cancel");
    return muster_cancel(engine(), names.data(), names.size(), at, error);
  }

  muster_code CallAboutOne(const std::string& kind, const Json& command, std::int64_t at,
                           Json* answer, muster_error** error) {
    const Named key(command["workload"]);
    const std::string uid = command.value("uid", "");
    const std::int64_t run = command.value("run", std::int64_t{0});
    const muster_name name = {sizeof name, 0, key.ns.c_str(), key.name.c_str(), uid.c_str(), run};
    if (kind == "evict") {
      return muster_evict_job(engine(), &name, command["reason"].get<std::string>().c_str(), at,
                              error);
    }
    if (kind == "update") {
      muster_changes changes = {};
      changes.size = sizeof changes;
      changes.ns = key.ns.c_str();
      changes.name = key.name.c_str();
      changes.has_priority = 1;
      changes.priority = command["priority"];
      changes.uid = uid.c_str();
      changes.run = run;
      return muster_update(engine(), &changes, at, error);
    }
    EXPECT_EQ(kind, "check");
    const std::int32_t state =
        command["state"] == "Ready" ? MUSTER_CHECK_READY : MUSTER_CHECK_RETRY;
    std::int32_t phase = 0;
    const muster_code code = muster_check_job(
        engine(), &name, command["check"].get<std::string>().c_str(), state, "", at, &phase, error);
    *answer = {{"phase", PhaseText(phase)}};
    return code;
  }

  muster_code CallOfConsumer(const std::string& kind, const Json& command, std::int64_t at,
                             Json* answer, muster_error** error) {
    const std::string consumer = command["consumer"];
    if (kind == "remove-consumer") {
      return muster_remove_consumer(engine(), consumer.c_str(), at, error);
    }
    muster_cursor cursor = {};
    cursor.size = sizeof cursor;
    const muster_code code =
        kind == "acknowledge"
            ? muster_acknowledge(engine(), consumer.c_str(), command["upto"], at, &cursor, error)
            : muster_register_consumer(engine(), consumer.c_str(),
                                       command.value("after", std::int64_t{-1}), at, &cursor,
                                       error);
    *answer = {{"acknowledged", cursor.acknowledged}, {"last", cursor.last}};
    return code;
  }
};

TEST(HandOverCases, ComeOutThroughTheTypedCallsOfC) {
  const Json file = HandOverCases();
  for (const auto& one : file["cases"]) {
    SCOPED_TRACE(NameOf(one));
    const TemporaryDirectory directory;
    TypedCDoor door((directory.path() / "ledger").string());
    Play(file, one, door);
  }
}

}  // namespace
}  // namespace muster::testing
