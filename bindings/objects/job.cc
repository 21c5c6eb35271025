// batch/v1 Job: one podset `main` of as many pods as run at once.
#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod.h"

namespace muster::objects {
namespace {

const ValuePath kJobTemplate = {"spec", "template"};

void FillJob(Value& job) {
  Value& spec = job.Make("spec");
  if (!spec.Has("completions") && !spec.Has("parallelism")) {
    spec.Set("completions", Value::Number(1));
  }
  spec.Default("parallelism", Value::Number(1));
  spec.Default("completionMode", Value::Text("NonIndexed"));
  spec.Default("suspend", Value::Bool(false));
}

std::int64_t JobCount(const Value& job) {
  const Value& spec = job.At("spec");
  const std::int64_t parallelism = spec.At("parallelism").IntOr(1);
  return std::min(parallelism, spec.At("completions").IntOr(parallelism));
}

JobPodSets JobPodSetsOf(const Value& job, const Setting& setting) {
  JobPodSet set;
  set.name = "main";
  set.count = JobCount(job);
  set.place = kJobTemplate;
  set.field = "spec.template.metadata";
  set.pod_template = job.At(kJobTemplate);
  for (const std::string_view label :
       {"job-name", "controller-uid", "batch.kubernetes.io/controller-uid"}) {
    if (set.pod_template.At({"metadata", "labels", label}).IsNull()) continue;
    set.pod_template.Make({"metadata", "labels"}).Remove(label);
  }
  set.topology_labels =
      Value::Texts({{"podIndexLabel", "batch.kubernetes.io/job-completion-index"}});
  if (const auto least = WholeNumber(Annotation(job, mark::kMinParallelism));
      least && setting.GateIsOn("PartialAdmission")) {
    set.min_count = *least;
  }
  return {{std::move(set)}, ""};
}

/// From, to; both are in it.
using Indexes = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Adds the indexes below `end` that a text like "1,3-5" names.
void AddIndexes(std::string_view text, std::int64_t end, Indexes* indexes) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t dash = part.find('-');
    const auto first = WholeNumber(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : WholeNumber(part.substr(dash + 1));
    if (!first || !last) continue;
    const std::int64_t from = std::max<std::int64_t>(*first, 0);
    const std::int64_t to = std::min(*last, end - 1);
    if (from <= to) indexes->emplace_back(from, to);
  }
}

/// How many there are, each once.
std::int64_t CountOf(Indexes indexes) {
  std::sort(indexes.begin(), indexes.end());
  std::int64_t count = 0;
  std::int64_t next = 0;
  for (const auto& [from, to] : indexes) {
    if (to < next) continue;
    count += to - std::max(from, next) + 1;
    next = to + 1;
  }
  return count;
}

JobStatus JobStatusOf(const Value& job, const Setting&) {
  const Value& spec = job.At("spec");
  const Value& status = job.At("status");
  JobStatus out;
  const std::string_view condition = TrueCondition(job, {"Complete", "Failed"});
  out.finished = !condition.empty();
  out.success = condition == "Complete";
  const std::int64_t succeeded = status.At("succeeded").IntOr(0);
  const auto uncounted =
      static_cast<std::int64_t>(status.At({"uncountedTerminatedPods", "succeeded"}).items.size());
  out.pods_ready = succeeded + status.At("ready").IntOr(0) + uncounted >= JobCount(job);
  out.active = status.At("active").IntOr(0) != 0;
  out.pods_run = status.At("terminating").IntOr(0) != 0;  // they are not counted as active
  const std::int64_t parallelism = spec.At("parallelism").IntOr(1);
  const std::int64_t completions = spec.At("completions").IntOr(parallelism);
  std::int64_t done = succeeded;
  if (spec.TextAt("completionMode") == "Indexed") {
    Indexes indexes;
    AddIndexes(status.TextAt("completedIndexes"), completions, &indexes);
    AddIndexes(status.TextAt("failedIndexes"), completions, &indexes);
    done = CountOf(std::move(indexes));
  }
  out.reclaimable.emplace();
  const std::int64_t left = std::max<std::int64_t>(completions - done, 0);
  if (parallelism > 1 && done > 0 && left < parallelism) {
    out.reclaimable->push_back({"main", parallelism - left});
  }
  return out;
}

/// Whether completions follow parallelism; what is no truth value says no.
bool SyncsCompletions(const Value& job) {
  return TruthValue(Annotation(job, mark::kSyncCompletions)).value_or(false);
}

/// Whether it comes back as it runs: its parallelism is then what it was admitted with, which may
/// be the least.
bool IsStarted(const Value& job) {
  const Value& marks = job.At({"spec", "template", "metadata", "annotations"});
  return !marks.At(mark::kWorkload).IsNull();
}

void CheckMinParallelism(const Value& job, FieldErrors* errors) {
  const std::string least_field = AnnotationField(mark::kMinParallelism);
  if (HasAnnotation(job, mark::kMinParallelism)) {
    const auto least = WholeNumber(Annotation(job, mark::kMinParallelism));
    if (!least) {
      errors->push_back(Invalid(least_field, "must be a whole number", "write for example \"3\""));
    } else if (*least <= 0) {
      errors->push_back(Invalid(least_field, "must be at least 1", "write a number from 1"));
    } else if (*least > JobCount(job) || (*least == JobCount(job) && !IsStarted(job))) {
      errors->push_back(Invalid(least_field, "must be less than the number of pods",
                                "write a smaller number, or leave it out"));
    }
    if (Annotation(job, mark::kElastic) == "true") {
      errors->push_back(
          Invalid(least_field, "cannot stand beside elastic-job", "keep one of them"));
    }
  }
}

void CheckJobCreate(const Value& job, const Setting& setting, FieldErrors* errors) {
  const Value& spec = job.At("spec");
  const std::string sync_field = AnnotationField(mark::kSyncCompletions);
  if (HasAnnotation(job, mark::kSyncCompletions)) {
    const auto sync = TruthValue(Annotation(job, mark::kSyncCompletions));
    if (!sync) {
      errors->push_back(Invalid(sync_field, "must be true or false", "write \"true\""));
    }
    if (sync.value_or(false) && spec.TextAt("completionMode") != "Indexed") {
      errors->push_back(Invalid(sync_field, "needs completionMode: Indexed", "set that mode"));
    }
    if (sync.value_or(false) &&
        spec.At("parallelism").IntOr(1) != spec.At("completions").IntOr(1)) {
      errors->push_back(Invalid("spec.completions", "must equal parallelism",
                                "write the same number, or drop the annotation"));
    }
  }
  if (Annotation(job, mark::kElastic) == "true" &&
      setting.GateIsOn("ElasticJobsViaWorkloadSlices")) {
    for (const std::string_view level : {mark::kRequiredTopology, mark::kPreferredTopology}) {
      if (job.At({"spec", "template", "metadata", "annotations", level}).IsNull()) continue;
      errors->push_back(Forbidden("spec.template.metadata.annotations." + std::string(level),
                                  "cannot stand on an elastic job", "keep one of them"));
    }
  }
}

void CheckNewJob(const Value& job, const Setting& setting, FieldErrors* errors) {
  CheckMinParallelism(job, errors);
  CheckJobCreate(job, setting, errors);
}

void CheckJobUpdate(const Value& before, const Value& after, const Setting& setting,
                    FieldErrors* errors) {
  CheckJobCreate(after, setting, errors);
  if (Annotation(before, mark::kMinParallelism) != Annotation(after, mark::kMinParallelism)) {
    CheckMinParallelism(after, errors);
  }
  const auto running = [](const Value& job) { return !job.At({"spec", "suspend"}).IsTrue(); };
  if (HasAnnotation(before, mark::kMinParallelism) && running(before) &&
      before.At({"spec", "parallelism"}).IntOr(1) != after.At({"spec", "parallelism"}).IntOr(1)) {
    errors->push_back(Forbidden("spec.parallelism",
                                "cannot change while a job that may start smaller runs",
                                "suspend it first"));
  }
  if (running(before) && running(after) && SyncsCompletions(before) != SyncsCompletions(after)) {
    errors->push_back(Forbidden(AnnotationField(mark::kSyncCompletions),
                                "cannot change while the job runs", "suspend it first"));
  }
}

void PrepareJob(Value& job, const Setting& setting, bool) {
  if (Annotation(job, mark::kElastic) != "true" ||
      !setting.GateIsOn("ElasticJobsViaWorkloadSlices")) {
    return;
  }
  AddGate(job.Make(kJobTemplate), mark::kElastic);
}

std::string StartJob(Value& job, const JobPodSets&, std::span<const StartInfo> infos) {
  job.Make("spec").Set("suspend", Value::Bool(false));
  if (infos.size() != 1) return "the number of podsets does not match";
  const std::string conflict = MergeInto(job.Make(kJobTemplate), infos[0]);
  if (!conflict.empty()) return conflict;
  if (!HasAnnotation(job, mark::kMinParallelism)) return "";
  job.Make("spec").Set("parallelism", Value::Number(infos[0].count));
  if (SyncsCompletions(job)) {
    job.Make("spec").Set("completions", Value::Number(infos[0].count));
  }
  return "";
}

void StopJob(Value& job, const JobPodSets& sets) {
  job.Make("spec").Set("suspend", Value::Bool(true));
  if (sets.sets.size() != 1) return;
  if (HasAnnotation(job, mark::kMinParallelism)) {
    job.Make("spec").Set("parallelism", Value::Number(sets.sets[0].count));
    if (SyncsCompletions(job)) {
      job.Make("spec").Set("completions", Value::Number(sets.sets[0].count));
    }
  }
  Value before = sets.sets[0].pod_template;
  // The Job controller's labels stay.
  const Value labels = job.At({"spec", "template", "metadata", "labels"});
  for (const std::string_view label :
       {"job-name", "controller-uid", "batch.kubernetes.io/controller-uid"}) {
    if (labels.Has(label)) before.Make({"metadata", "labels"}).Set(label, labels.At(label));
  }
  RestoreTemplate(job.Make(kJobTemplate), before);
}

}  // namespace

KindRow JobRow() {
  KindRow row;
  row.framework = "batch/job";
  row.group = "batch";
  row.version = "v1";
  row.kind = "Job";
  row.suspend = {"spec", "suspend"};
  row.managed_by = {"spec", "managedBy"};
  row.own_manager = "kubernetes.io/job-controller";
  row.can_be_elastic = true;
  row.fill = FillJob;
  row.pod_sets = JobPodSetsOf;
  row.status = JobStatusOf;
  row.prepare = PrepareJob;
  row.check_create = CheckNewJob;
  row.update_checks_again = true;
  row.check_update = CheckJobUpdate;
  row.start = StartJob;
  row.stop = StopJob;
  return row;
}

}  // namespace muster::objects
