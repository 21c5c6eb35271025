// See queue_move.h.
#include "bindings/cli/world/queue_move.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>

#include "bindings/stop/queue_stop.h"
#include "engine/model/limits.h"
#include "engine/model/names.h"
#include "muster/command.h"

namespace muster::cli {
namespace {

constexpr const char* kStopLabel = "muster.dev/moving-stop-policy";
constexpr const char* kCohortLabel = "muster.dev/moving-cohort";
constexpr std::size_t kInACall = 200;  ///< workloads
constexpr std::chrono::milliseconds kBetweenCounts{500};
/// Digits of a uid that an engine gave.
constexpr std::size_t kGivenDigits = 20;

bool IsMarked(const LocalQueue& queue) { return queue.labels.contains(kStopLabel); }

/// What it had before it was marked.
StopPolicy MarkedPolicy(const LocalQueue& queue) {
  const std::string& name = queue.labels.find(kStopLabel)->second;
  for (const StopPolicy policy : {StopPolicy::kHold, StopPolicy::kHoldAndDrain}) {
    if (EnumName(policy) == name) return policy;
  }
  return StopPolicy::kNone;
}

bool HoldsQuota(const WorkloadView& workload) {
  return workload.phase == WorkloadPhase::kReserved || workload.phase == WorkloadPhase::kAdmitted ||
         workload.phase == WorkloadPhase::kEvicting;
}

/// A uid that no submitter gave says only when the job came to its engine, and another job may have
/// it in another one.
bool IsGivenByEngine(std::string_view uid) {
  return uid.size() == kGivenDigits &&
         uid.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether the one there is what was moved, also where the one here was updated since.
bool AreOne(const Workload& here, const Workload& there) {
  return here.queue == there.queue && here.created == there.created &&
         (here.uid == there.uid || IsGivenByEngine(here.uid));
}

/// As it came: by its time and, within a second, by the uid that its engine gave.
bool CameBefore(const Workload& a, const Workload& b) {
  return std::tuple(a.created, a.uid.view(), a.key) < std::tuple(b.created, b.uid.view(), b.key);
}

std::vector<Key> KeysIn(const std::vector<Workload>& workloads) {
  std::vector<Key> keys;
  for (const Workload& each : workloads) keys.push_back(each.key);
  return keys;
}

/// The names of what a list of the service shows.
int NamesIn(const Service& service, const std::string& kind, Io& io, std::set<std::string>* names) {
  std::vector<Object> objects;
  const int code = service.List(kind, {}, io, &objects);
  for (const Object& object : objects) names->insert(KeyOf(object).name);
  return code;
}

int ReadSide(const Service& service, const std::string& name, Io& io,
             std::optional<ClusterQueue>* queue, std::map<Key, LocalQueue>* locals) {
  queue->reset();
  locals->clear();
  for (const char* const kind : {"clusterqueues", "localqueues"}) {
    std::vector<Object> objects;
    if (const int code = service.List(kind, {}, io, &objects); code != kDone) return code;
    for (const Object& object : objects) {
      const auto* const found = std::get_if<ClusterQueue>(&object);
      if (found != nullptr && found->name == name) *queue = *found;
      const auto* const local = std::get_if<LocalQueue>(&object);
      if (local != nullptr) locals->emplace(local->key, *local);
    }
  }
  return kDone;
}

}  // namespace

std::string QueueMove::CohortThere() const {
  if (asked_.cohort) return *asked_.cohort;
  if (here_.queue) return here_.queue->cohort;
  for (const auto& [key, local] : there_.locals) {
    const auto label = local.labels.find(kCohortLabel);
    if (IsMarked(local) && label != local.labels.end()) return label->second;
  }
  return "";
}

std::vector<Key> QueueMove::Marked() const {
  std::vector<Key> marked;
  for (const auto& [key, local] : there_.locals) {
    if (local.cluster_queue == asked_.queue && IsMarked(local)) marked.push_back(key);
  }
  return marked;
}

int QueueMove::Run(Io& io, QueueMoved* moved) {
  if (const int code = Look(io); code != kDone) return code;
  if (!here_.queue && !there_.queue) {
    return io.Fail(kNo, "neither " + source_.url() + " nor " + destination_.url() +
                            " has ClusterQueue " + asked_.queue);
  }
  if (here_.queue) {
    using Step = int (QueueMove::*)(Io&) const;
    for (const Step step : {Step(&QueueMove::CheckDestination), Step(&QueueMove::CheckObjects),
                            Step(&QueueMove::CheckCohort), Step(&QueueMove::CheckBindings),
                            Step(&QueueMove::Prepare)}) {
      if (const int code = (this->*step)(io); code != kDone) return code;
    }
    if (const int code = Look(io); code != kDone) return code;
    for (const Step step : {Step(&QueueMove::Stop), Step(&QueueMove::WaitForHolders)}) {
      if (const int code = (this->*step)(io); code != kDone) return code;
    }
    if (const int code = MoveJobs(io, moved); code != kDone) return code;
    if (const int code = RemoveLocals(io); code != kDone) return code;
    // What came in before its LocalQueue was gone; nothing comes after it.
    if (const int code = MoveJobs(io, moved); code != kDone) return code;
    if (const int code = RemoveQueue(io); code != kDone) return code;
  }
  moved->queues = Marked();
  moved->was_there = moved->queues.empty();
  return moved->was_there ? int{kDone} : Finish(io);
}

int QueueMove::Look(Io& io) {
  int code = ReadSide(source_, asked_.queue, io, &here_.queue, &here_.locals);
  std::erase_if(here_.locals,
                [this](const auto& each) { return each.second.cluster_queue != asked_.queue; });
  if (code == kDone) {
    code = ReadSide(destination_, asked_.queue, io, &there_.queue, &there_.locals);
  }
  return code;
}

int QueueMove::CheckDestination(Io& io) const {
  const std::string& url = destination_.url();
  if (there_.queue && Marked().empty()) {
    return io.Fail(kNo, url + " has a ClusterQueue " + asked_.queue +
                            " of its own; delete it there, or give one of the two another name");
  }
  for (const auto& [key, local] : here_.locals) {
    const auto found = there_.locals.find(key);
    if (found == there_.locals.end()) continue;
    if (found->second.cluster_queue == asked_.queue && IsMarked(found->second)) continue;
    return io.Fail(kNo, url + " has a LocalQueue " + key.ToString() +
                            " of its own; delete it there, or give one of the two another name");
  }
  if (here_.locals.empty() && Marked().empty()) {
    return io.Fail(kNo, "ClusterQueue " + asked_.queue +
                            " has no LocalQueue, so nothing waits in it: delete it at " +
                            source_.url() + " and apply it to " + url);
  }
  if (here_.queue->concurrent_admission) {
    return io.Fail(kNo, "ClusterQueue " + asked_.queue +
                            " has concurrentAdmission, whose variants are not moved; leave that "
                            "out of its spec until it is there");
  }
  return kDone;
}

int QueueMove::CheckObjects(Io& io) const {
  std::set<std::string> flavors;
  for (const ResourceGroup& group : here_.queue->resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) flavors.insert(flavor.name);
  }
  std::set<std::string> checks;
  for (const AdmissionCheckRule& rule : here_.queue->admission_checks) checks.insert(rule.name);
  std::set<std::string> classes;
  Jobs jobs;
  if (const int code = JobsOf(source_, io, &jobs); code != kDone) return code;
  for (const auto& [key, job] : jobs) {
    if (job.priority_source != PriorityClassSource::kWorkloadPriorityClass) continue;
    classes.insert(job.priority_class.str());
  }
  for (const auto& [kind, list, needed] :
       {std::tuple{"ResourceFlavor", "flavors", &flavors},
        std::tuple{"AdmissionCheck", "admissionchecks", &checks},
        std::tuple{"WorkloadPriorityClass", "priorityclasses", &classes}}) {
    if (needed->empty()) continue;
    std::set<std::string> names;
    if (const int code = NamesIn(destination_, list, io, &names); code != kDone) return code;
    for (const std::string& name : *needed) {
      if (names.contains(name)) continue;
      return io.Fail(kNo, destination_.url() + " has no " + kind + " " + name +
                              ", which the queue or a job of it names; apply it there first");
    }
  }
  return kDone;
}

int QueueMove::CheckCohort(Io& io) const {
  const std::string cohort = CohortThere();
  if (cohort.empty()) return kDone;
  if (cohort.size() > kMaxShortNameLength && !asked_.cohort) {
    return io.Fail(kNo, "the name of cohort " + cohort +
                            " is too long to be kept with the queues; write --cohort " + cohort);
  }
  std::vector<Object> objects;
  int code = destination_.List("cohorts", {}, io, &objects);
  if (code == kDone) {
    std::vector<Object> queues;
    code = destination_.List("clusterqueues", {}, io, &queues);
    objects.insert(objects.end(), queues.begin(), queues.end());
  }
  if (code != kDone) return code;
  const bool known = std::any_of(objects.begin(), objects.end(), [&](const Object& object) {
    const auto* const queue = std::get_if<ClusterQueue>(&object);
    if (queue != nullptr) return queue->cohort == cohort && queue->name != asked_.queue;
    const auto* const other = std::get_if<Cohort>(&object);
    return other != nullptr && (other->name == cohort || other->parent == cohort);
  });
  if (known) return kDone;
  return io.Fail(kNo, destination_.url() + " has no cohort " + cohort +
                          "; name one that it has with --cohort NAME, or apply a Cohort there");
}

int QueueMove::CheckBindings(Io& io) const {
  std::vector<Object> objects;
  const int code = source_.List("policybindings", {}, io, &objects);
  for (const Object& object : objects) {
    const auto* const binding = std::get_if<PolicyBinding>(&object);
    if (binding == nullptr) continue;
    std::set<std::string> names(binding->cluster_queues.begin(), binding->cluster_queues.end());
    bool names_it = names.contains(asked_.queue);
    for (const std::string& name : binding->local_queues) {
      names_it = names_it || std::any_of(here_.locals.begin(), here_.locals.end(),
                                         [&](const auto& e) { return e.first.ToString() == name; });
    }
    if (!names_it) continue;
    return io.Fail(kNo, "PolicyBinding " + binding->name +
                            " names the queue; take the queue out of it, and bind it at " +
                            destination_.url() + " once it is there");
  }
  return code;
}

int QueueMove::AddNamespaces(Io& io, std::vector<Object>* objects) const {
  std::set<std::string> known;
  if (const int code = NamesIn(destination_, "namespaces", io, &known); code != kDone) return code;
  std::vector<Object> here;
  if (const int code = source_.List("namespaces", {}, io, &here); code != kDone) return code;
  for (Object& object : here) {
    const std::string name = KeyOf(object).name;
    const bool used = std::any_of(here_.locals.begin(), here_.locals.end(),
                                  [&](const auto& each) { return each.first.ns == name; });
    if (used && !known.contains(name)) objects->push_back(std::move(object));
  }
  return kDone;
}

/// All in one command, so that the queue is never there without what holds it back.
int QueueMove::Prepare(Io& io) const {
  std::vector<Object> objects;
  if (const int code = AddNamespaces(io, &objects); code != kDone) return code;
  ClusterQueue queue = *here_.queue;
  queue.cohort.clear();
  if (there_.queue) queue.stop_policy = there_.queue->stop_policy;  // here it is stopped by now
  objects.emplace_back(std::move(queue));
  const std::string cohort = CohortThere();
  for (const auto& [key, local] : here_.locals) {
    LocalQueue held = local;
    const auto found = there_.locals.find(key);
    held.labels[kStopLabel] = found == there_.locals.end()
                                  ? std::string(EnumName(local.stop_policy))
                                  : found->second.labels.find(kStopLabel)->second;
    if (!cohort.empty() && cohort.size() <= kMaxShortNameLength) held.labels[kCohortLabel] = cohort;
    held.stop_policy = StopPolicy::kHold;
    objects.emplace_back(std::move(held));
  }
  std::vector<muster::Answer> answers;
  return destination_.Do({command::Apply{std::move(objects)}}, io, &answers);
}

int QueueMove::Stop(Io& io) const {
  const bool drained = here_.queue->stop_policy == StopPolicy::kHoldAndDrain;
  const StopPolicy policy = asked_.drain || drained ? StopPolicy::kHoldAndDrain : StopPolicy::kHold;
  if (here_.queue->stop_policy == policy) return kDone;
  Json answer;
  return source_.PostJson("/v1/stop-policy", stop::ToJson({{{"", asked_.queue}}, policy}), io,
                          &answer);
}

int QueueMove::WaitForHolders(Io& io) const {
  std::size_t told = 0;
  std::set<std::string> namespaces;
  for (const Key& key : Marked()) namespaces.insert(key.ns);
  while (true) {
    std::size_t holders = 0;
    for (const std::string& ns : namespaces) {
      std::vector<WorkloadView> all;
      if (const int code = source_.Workloads({{"namespace", ns}}, io, &all); code != kDone) {
        return code;
      }
      holders += static_cast<std::size_t>(
          std::count_if(all.begin(), all.end(), [this](const WorkloadView& each) {
            const Workload& spec = each.spec;
            return HoldsQuota(each) && spec.status.admission &&
                   spec.status.admission->cluster_queue == asked_.queue;
          }));
    }
    if (holders == 0) return kDone;
    if (holders != told) {
      io.err << "waiting until " << holders << (holders == 1 ? " job" : " jobs") << " of "
             << asked_.queue << (holders == 1 ? " has " : " have ")
             << (asked_.drain ? "left" : "ended") << std::endl;
      told = holders;
    }
    std::this_thread::sleep_for(kBetweenCounts);
  }
}

/// Those that have not ended.
int QueueMove::JobsOf(const Service& service, Io& io, Jobs* jobs) const {
  std::set<Key> queues;
  for (const auto& [key, local] : here_.locals) queues.insert(key);
  for (const Key& key : Marked()) queues.insert(key);
  std::set<std::string> namespaces;
  for (const Key& key : queues) namespaces.insert(key.ns);
  jobs->clear();
  for (const std::string& ns : namespaces) {
    std::vector<WorkloadView> all;
    if (const int code = service.Workloads({{"namespace", ns}}, io, &all); code != kDone) {
      return code;
    }
    for (WorkloadView& each : all) {
      const Key queue{ns, each.spec.queue.str()};
      if (each.phase == WorkloadPhase::kFinished || !queues.contains(queue)) continue;
      jobs->emplace(each.spec.key, std::move(each.spec));
    }
  }
  return kDone;
}

int QueueMove::MoveJobs(Io& io, QueueMoved* moved) const {
  Jobs here;
  if (const int code = JobsOf(source_, io, &here); code != kDone) return code;
  Jobs there;
  if (const int code = JobsOf(destination_, io, &there); code != kDone) return code;
  std::vector<Workload> ordered;
  for (const auto& [key, job] : here) {
    const auto found = there.find(key);
    if (found != there.end() && !AreOne(job, found->second)) {
      return io.Fail(kNo, destination_.url() + " has another job " + key.ToString() +
                              "; cancel one of the two, and run this again");
    }
    ordered.push_back(job);
  }
  std::sort(ordered.begin(), ordered.end(), CameBefore);
  for (std::size_t begin = 0; begin < ordered.size(); begin += kInACall) {
    const std::size_t end = std::min(begin + kInACall, ordered.size());
    const std::vector<Workload> some(ordered.begin() + static_cast<std::ptrdiff_t>(begin),
                                     ordered.begin() + static_cast<std::ptrdiff_t>(end));
    if (const int code = MoveSome(some, io, moved); code != kDone) return code;
  }
  return kDone;
}

int QueueMove::MoveSome(const std::vector<Workload>& jobs, Io& io, QueueMoved* moved) const {
  command::Submit submit{jobs, Submission::kTaken};
  for (Workload& each : submit.workloads) {
    if (IsGivenByEngine(each.uid)) each.uid = {};
  }
  std::vector<muster::Answer> answers;
  if (const int code = destination_.Do({submit}, io, &answers); code != kDone) return code;
  std::vector<Workload> left = jobs;
  while (!left.empty()) {
    command::Cancel cancel{KeysIn(left)};
    for (const Workload& each : left) cancel.uids.push_back(each.uid.str());
    bool gone = false;
    if (const int code = source_.DoUnlessGone(cancel, io, &gone); code != kDone) return code;
    if (!gone) break;
    // One of them was withdrawn here meanwhile, so it is withdrawn there, too.
    Jobs here;
    if (const int code = JobsOf(source_, io, &here); code != kDone) return code;
    command::Cancel withdrawn;
    std::erase_if(left, [&](const Workload& each) {
      if (here.contains(each.key)) return false;
      withdrawn.workloads.push_back(each.key);
      return true;
    });
    if (withdrawn.workloads.empty()) {
      return io.Fail(kRefused, source_.url() + " says that a job is not there that it shows");
    }
    bool nowhere = false;
    const int code = destination_.DoUnlessGone(withdrawn, io, &nowhere);
    if (code != kDone) return code;
  }
  moved->workloads += left.size();
  return kDone;
}

/// With force: jobs that have ended still name them.
int QueueMove::RemoveLocals(Io& io) const {
  for (const auto& [key, local] : here_.locals) {
    bool gone = false;
    const command::Delete remove{ObjectKind::kLocalQueue, key, true};
    if (const int code = source_.DoUnlessGone(remove, io, &gone); code != kDone) return code;
  }
  return kDone;
}

/// Without force: it is refused where something holds quota all the same.
int QueueMove::RemoveQueue(Io& io) const {
  bool gone = false;
  const command::Delete remove{ObjectKind::kClusterQueue, {"", asked_.queue}, false};
  return source_.DoUnlessGone(remove, io, &gone);
}

int QueueMove::Finish(Io& io) const {
  std::vector<Object> objects;
  ClusterQueue queue = *there_.queue;
  queue.cohort = CohortThere();
  objects.emplace_back(std::move(queue));
  for (const Key& key : Marked()) {
    LocalQueue local = there_.locals.find(key)->second;
    local.stop_policy = MarkedPolicy(local);
    local.labels.erase(kStopLabel);
    local.labels.erase(kCohortLabel);
    objects.emplace_back(std::move(local));
  }
  std::vector<muster::Answer> answers;
  return destination_.Do({command::Apply{std::move(objects)}}, io, &answers);
}

}  // namespace muster::cli
