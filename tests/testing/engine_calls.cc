// See engine_calls.h.
#include "tests/testing/engine_calls.h"

#include <regex>

#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

// What a call returns is one of these: it can say that the engine is closed.
Status StatusOf(const Status& status) { return status; }
template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.status();
}

template <typename Call>
std::function<Status(Engine&)> Of(Call call) {
  return [call](Engine& engine) { return StatusOf(call(engine)); };
}

const Key kNobody{"default", "unknown"};
const std::span<const Key> kNobodies(&kNobody, 1);

WorkloadUpdate UpdateOfNobody() {
  WorkloadUpdate update;
  update.workload = kNobody;
  return update;
}

CheckUpdate CheckOfNobody() {
  CheckUpdate update;
  update.workload = kNobody;
  update.check = "c";
  return update;
}

}  // namespace

const EngineCalls& AllEngineCalls() {
  static const Workload job = MakeWorkload("unknown", "nowhere", Cpu(1));
  static const Object object = MakeFlavor("new");
  static const Command finish = command::Finish{{kNobody}, false};
  static const EngineCalls calls = {
      {"Restore", Of([](Engine& e) {
         return e.Restore([](const Engine::RowSink&) { return Status::Ok(); });
       })},
      {"StoredPolicyHashes", Of([](Engine& e) { return e.StoredPolicyHashes(); })},
      {"AttachPolicy", Of([](Engine& e) { return e.AttachPolicy(nullptr); })},
      {"Closed", Of([](Engine& e) { return e.Closed(); })},
      {"LimitTimeJumps", Of([](Engine& e) { return e.LimitTimeJumps(0, kNoTime); })},
      {"CheckTime", Of([](Engine& e) { return e.CheckTime(kNoon); })},
      {"Misfits", Of([](Engine& e) { return e.Misfits(job); })},
      {"Held", Of([](Engine& e) { return e.Held(); })},
      {"PolicyBindings", Of([](Engine& e) { return e.PolicyBindings(); })},
      {"DecidingHooks", Of([](Engine& e) { return e.DecidingHooks("p"); })},
      {"Validate", Of([](Engine& e) {
         return e.Validate({&object, 1});
       })},
      {"Do", Of([](Engine& e) { return e.Do(finish, kNoon); })},
      {"SetPolicyLoader", Of([](Engine& e) { return e.SetPolicyLoader(nullptr); })},
      {"Apply", Of([](Engine& e) {
         return e.Apply({&object, 1}, kNoon);
       })},
      {"Delete", Of([](Engine& e) {
         return e.Delete(ObjectKind::kCohort, {"", "none"}, kNoon);
       })},
      {"Submit", Of([](Engine& e) {
         return e.Submit({&job, 1}, kNoon);
       })},
      {"Update", Of([](Engine& e) { return e.Update(UpdateOfNobody(), kNoon); })},
      {"UpdateCheck", Of([](Engine& e) { return e.UpdateCheck(CheckOfNobody(), kNoon); })},
      {"Ready", Of([](Engine& e) { return e.Ready(kNobodies, kNoon); })},
      {"Finish", Of([](Engine& e) { return e.Finish(kNobodies, false, kNoon); })},
      {"Cancel", Of([](Engine& e) { return e.Cancel(kNobodies, kNoon); })},
      {"Evict", Of([](Engine& e) { return e.Evict(kNobody, "Why", kNoon); })},
      {"Evicted", Of([](Engine& e) { return e.Evicted(kNobodies, kNoon); })},
      {"Evicting", Of([](Engine& e) { return e.Evicting(); })},
      {"Advance", Of([](Engine& e) { return e.Advance(kNoon); })},
      {"NextDeadline", Of([](Engine& e) { return e.NextDeadline(); })},
      {"AtRest", Of([](Engine& e) { return e.AtRest(kNoon); })},
      {"RunCycle", Of([](Engine& e) { return e.RunCycle(kNoon); })},
      {"ActivatePolicy", Of([](Engine& e) { return e.ActivatePolicy(nullptr, kNoon); })},
      {"RollBackPolicy", Of([](Engine& e) { return e.RollBackPolicy("p", {}, kNoon); })},
      {"NoteStaged", Of([](Engine& e) { return e.NoteStaged("p", "hash", "", {}, kNoon); })},
      {"RegisterConsumer", Of([](Engine& e) { return e.RegisterConsumer("gateway", kNoon); })},
      {"Acknowledge", Of([](Engine& e) { return e.Acknowledge("gateway", 0, kNoon); })},
      {"RemoveConsumer", Of([](Engine& e) { return e.RemoveConsumer("gateway", kNoon); })},
      {"Consumers", Of([](Engine& e) { return e.Consumers(); })},
      {"Decisions", Of([](Engine& e) { return e.Decisions("gateway", 1); })},
      {"LiveBatches", Of([](Engine& e) { return e.LiveBatches({}, 10); })},
      {"ShadowPolicy", Of([](Engine& e) { return e.ShadowPolicy(nullptr); })},
      {"Shadow", Of([](Engine& e) { return e.Shadow(); })},
      {"Pending", Of([](Engine& e) { return e.Pending(); })},
      {"Workloads", Of([](Engine& e) { return e.Workloads(); })},
      {"WorkloadCount", Of([](Engine& e) { return e.WorkloadCount(); })},
      {"GetWorkload", Of([](Engine& e) { return e.GetWorkload(kNobody); })},
      {"PodSetUpdates", Of([](Engine& e) { return e.PodSetUpdates(kNobody); })},
      {"PodRequests", Of([](Engine& e) { return e.PodRequests(kNobody); })},
      {"ClusterQueues", Of([](Engine& e) { return e.ClusterQueues(); })},
      {"Cohorts", Of([](Engine& e) { return e.Cohorts(); })},
      {"LocalQueues", Of([](Engine& e) { return e.LocalQueues(); })},
      {"Objects", Of([](Engine& e) { return e.Objects(ObjectKind::kNamespace); })},
      {"Explain", Of([](Engine& e) { return e.Explain(kNobody); })},
      {"Fork", Of([](Engine& e) { return e.Fork(); })},
      {"Accounts", Of([](Engine& e) { return e.Accounts(); })},
      {"Policies", Of([](Engine& e) { return e.Policies(); })},
      {"PolicyUses", Of([](Engine& e) { return e.PolicyUses(); })},
      {"StateHash", Of([](Engine& e) { return e.StateHash(); })},
      {"CheckInvariants", Of([](Engine& e) { return e.CheckInvariants(); })},
  };
  return calls;
}

std::set<std::string> PublicNames(const std::string& path, const std::string& name) {
  std::string text = ReadFile(SourceDir() / path);
  const std::size_t begin = text.find("class " + name + " {");
  text = text.substr(begin, text.find("\n private:", begin) - begin);
  text = std::regex_replace(text, std::regex("//[^\n]*"), "");
  std::set<std::string> names;
  const std::regex declared(R"([ *&](\w+)\()");
  for (std::sregex_iterator it(text.begin(), text.end(), declared), end; it != end; ++it) {
    if ((*it)[1] != name) names.insert((*it)[1]);
  }
  return names;
}

}  // namespace muster::testing
