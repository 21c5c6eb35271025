// Every kind of examples/kinds both ways: what it starts as once it is admitted, and what the
// status that its own controller writes then says of its workload. A kind without a row turns this
// red.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/manifest.h"
#include "bindings/manifest/observe_objects.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/start_objects.h"
#include "bindings/objects/kind.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::manifest {
namespace {

using PlainMap = objects::Value;

constexpr const char* kConditionRunning = "{conditions: [{type: Running, status: 'True'}]}";
constexpr const char* kConditionSucceeded = "{conditions: [{type: Succeeded, status: 'True'}]}";
constexpr const char* kConditionFailed = "{conditions: [{type: Failed, status: 'True'}]}";

/// What happens to it: nothing, it is started itself, or its pods are.
enum class Way { kNoWorkload, kItself, kByPods };

struct KindWay {
  const char* file;
  Way way = Way::kItself;
  const char* field = "";      ///< a part of the patch that lets it run
  const char* ready = "";      ///< a status by which all its pods are; empty: the kind has none
  const char* reclaimed = "";  ///< one by which some pods will not be made anew
  const char* finished = "";
  const char* failed = "";
};

const std::vector<KindWay>& KindWays() {
  static const std::vector<KindWay> kWays = {
      {"appwrapper", Way::kItself, "suspend", "{conditions: [{type: PodsReady, status: 'True'}]}",
       "", "{phase: Succeeded}", "{phase: Failed}"},
      {"cronjob", Way::kNoWorkload},
      {"deployment", Way::kItself, "nodeSelector"},
      {"inferencepool", Way::kNoWorkload},
      {"jaxjob", Way::kItself, "suspend", kConditionRunning, "", kConditionSucceeded,
       kConditionFailed},
      {"job", Way::kItself, "suspend", "{active: 3, ready: 3}", "{active: 2, succeeded: 4}",
       "{conditions: [{type: Complete, status: 'True'}]}", kConditionFailed},
      {"jobset", Way::kItself, "suspend",
       "{replicatedJobsStatus: [{name: leader, ready: 1}, {name: workers, ready: 2}]}",
       "{replicatedJobsStatus: [{name: leader, ready: 1}, {name: workers, ready: 1, succeeded: "
       "1}]}",
       "{conditions: [{type: Completed, status: 'True'}]}", kConditionFailed},
      {"leaderworkerset", Way::kByPods, "nodeSelector"},
      {"minicluster", Way::kItself, "nodeSelector"},
      {"mpijob", Way::kItself, "suspend", kConditionRunning, "", kConditionSucceeded,
       kConditionFailed},
      {"paddlejob", Way::kItself, "suspend", kConditionRunning, "", kConditionSucceeded,
       kConditionFailed},
      {"pod", Way::kItself, "nodeSelector",
       "{phase: Running, conditions: [{type: Ready, status: 'True'}]}", "", "{phase: Succeeded}",
       "{phase: Failed}"},
      {"podgroup", Way::kItself, "nodeSelector",
       "{phase: Running, conditions: [{type: Ready, status: 'True'}]}", "", "{phase: Succeeded}"},
      {"pytorchjob", Way::kItself, "suspend", kConditionRunning, "", kConditionSucceeded,
       kConditionFailed},
      {"raycluster", Way::kItself, "suspend", "{state: ready}"},
      {"rayjob", Way::kItself, "suspend",
       "{jobDeploymentStatus: Running, rayClusterStatus: {state: ready}}", "",
       "{jobDeploymentStatus: Complete, jobStatus: SUCCEEDED}",
       "{jobDeploymentStatus: Failed, jobStatus: FAILED}"},
      {"rayservice", Way::kItself, "suspend", "{conditions: [{type: Ready, status: 'True'}]}"},
      {"replicaset", Way::kItself, "nodeSelector"},
      {"sparkapplication", Way::kItself, "suspend",
       "{applicationState: {state: RUNNING}, executorState: {a: RUNNING, b: RUNNING, c: RUNNING}}",
       "", "{applicationState: {state: COMPLETED}}", "{applicationState: {state: FAILED}}"},
      {"statefulset", Way::kByPods, "nodeSelector"},
      {"tfjob", Way::kItself, "suspend", kConditionRunning, "", kConditionSucceeded,
       kConditionFailed},
      {"training", Way::kItself, "paused", "{phase: Running}", "",
       "{conditions: [{type: Done, status: 'True'}]}", "{phase: Lost}"},
      {"trainjob", Way::kItself, "suspend", "{jobsStatus: [{name: node, ready: 1}]}",
       "{jobsStatus: [{name: node, succeeded: 1}]}",
       "{conditions: [{type: Complete, status: 'True'}]}", kConditionFailed},
      {"xgboostjob", Way::kItself, "suspend", kConditionRunning, "", kConditionSucceeded,
       kConditionFailed},
  };
  return kWays;
}

std::filesystem::path KindsFolder() { return testing::SourceDir() / "examples" / "kinds"; }

std::string Example(const std::string& name) {
  return testing::ReadFile(KindsFolder() / (name + ".yaml"));
}

/// The example's room; its nodes have a label, so that a start has something to say.
std::string Room() {
  constexpr std::string_view kFlavor = "metadata: {name: any-node}\n";
  std::string text = Example("cluster");
  const std::size_t at = text.find(kFlavor);
  EXPECT_NE(at, std::string::npos);
  return text.insert(at + kFlavor.size(), "spec: {nodeLabels: {pool: any}}\n");
}

/// Where `after` has another part than `before`, or none; empty: nowhere. `suspend` may change.
std::string Lost(const PlainMap& before, const PlainMap& after, const std::string& path) {
  if (path.ends_with(".suspend") || path.ends_with(".paused")) return "";
  if (!before.IsMap() && !before.IsList()) return before == after ? "" : path;
  for (const auto& [key, child] : before.entries) {
    std::string lost = Lost(child, after.At(key), path + "." + key);
    if (!lost.empty()) return lost;
  }
  for (std::size_t i = 0; i < before.items.size(); ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    if (i >= after.items.size()) return at;
    std::string lost = Lost(before.items[i], after.items[i], at);
    if (!lost.empty()) return lost;
  }
  return "";
}

/// An engine with the example's workloads, admitted.
Engine AdmittedWith(const std::string& text) {
  Engine engine;
  const std::vector<Source> sources = {{"room.yaml", Room()}, {"job.yaml", text}};
  const Manifests read = Parse(sources);
  const Status applied = engine.Apply(read.objects, testing::kNoon);
  EXPECT_TRUE(applied.ok()) << applied.message();
  for (std::size_t i = 0; i < read.objects.size(); ++i) {
    EXPECT_TRUE(engine.RunCycle(testing::kNoon).ok());
  }
  return engine;
}

/// The example's jobs with `status` on each.
JobObjects WithStatus(const std::string& text, const std::string& status) {
  std::string with;
  const PlainMap said = ParsePlain(status, "status").documents.at(0);
  for (PlainMap& document : ParsePlain(text, "job.yaml").documents) {
    if (document.At({"metadata", "labels"}).Has("kueue.x-k8s.io/queue-name")) {
      document.Set("status", said);
    }
    with += "---\n" + objects::ToJson(document) + "\n";
  }
  const Source source{"job.yaml", with};
  return ReadJobObjects({&source, 1}, std::nullopt, testing::kNoon);
}

/// What the first workload is said to be.
std::string ResultOf(Engine* engine, const std::string& text, const std::string& status) {
  const auto observed = ObserveAll(engine, WithStatus(text, status), testing::kNoon);
  EXPECT_TRUE(observed.ok()) << observed.status().message();
  return observed.ok() ? observed->front().result : "";
}

std::size_t PodsAsked(const JobObject& job) {
  std::size_t pods = 0;
  for (const auto& set : job.workload.sets) pods += static_cast<std::size_t>(set.count);
  return pods;
}

/// A pod as its controller names it, in the group of its workload, and free to run.
void ExpectPodOf(const PlainMap& owner, const StartedObject& started) {
  EXPECT_EQ(started.of, owner.At("kind").text + " " + owner.At({"metadata", "name"}).text);
  EXPECT_EQ(started.object.At("kind").text, "Pod");
  const std::string& name = started.object.At({"metadata", "name"}).text;
  EXPECT_TRUE(name.starts_with(owner.At({"metadata", "name"}).text + "-")) << name;
  const std::string text = objects::ToJson(started.object);
  EXPECT_THAT(text, ::testing::HasSubstr("\"kueue.x-k8s.io/pod-group-name\""));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("\"name\":\"kueue.x-k8s.io/admission\"")));
}

class EveryKind : public ::testing::TestWithParam<KindWay> {
 protected:
  std::string text_ = Example(GetParam().file);
  const Source source_{"job.yaml", text_};
  JobObjects read_ = ReadJobObjects({&source_, 1});
};

TEST_P(EveryKind, StartsWithAPatchAndAsAWhole) {
  const KindWay& way = GetParam();
  ASSERT_EQ(read_.jobs.empty(), way.way == Way::kNoWorkload);
  const Engine engine = AdmittedWith(text_);
  for (const JobObject& job : read_.jobs) {
    const auto started = StartObjects(engine, job.workload_key, {&source_, 1});
    ASSERT_TRUE(started.ok()) << started.status().message();
    ASSERT_EQ(started->size(), way.way == Way::kByPods ? PodsAsked(job) : job.objects.size());
    for (const StartedObject& each : *started) {
      const std::string patch = objects::ToJson(each.patch);
      EXPECT_THAT(patch, ::testing::HasSubstr(way.field));
      EXPECT_THAT(patch, ::testing::HasSubstr("\"pool\":\"any\""));
      if (way.way == Way::kByPods) ExpectPodOf(job.objects[0], each);
      PlainMap patched = each.object;
      objects::MergePatch(patched, each.patch);
      EXPECT_EQ(patched, each.object) << "the patch says nothing that the whole does not";
    }
  }
}

/// Asks for another amount wherever it asks for some.
void AskForOther(PlainMap& value) {
  for (auto& [key, child] : value.entries) {
    if (key == "requests" && child.IsMap()) {
      child.Set("cpu", PlainMap::Text("7"));
    } else if (key == "coreRequest" || key == "cpus") {
      child = PlainMap::Text("7");
    } else {
      AskForOther(child);
    }
  }
  for (PlainMap& item : value.items) AskForOther(item);
}

TEST_P(EveryKind, StartsNothingThatAsksForOtherThanWasAdmitted) {
  if (GetParam().way == Way::kNoWorkload) return;
  const Engine engine = AdmittedWith(text_);
  std::string changed;
  for (PlainMap& document : ParsePlain(text_, "job.yaml").documents) {
    AskForOther(document);
    changed += "---\n" + objects::ToJson(document) + "\n";
  }
  const Source source{"job.yaml", changed};
  for (const JobObject& job : read_.jobs) {
    const auto started = StartObjects(engine, job.workload_key, {&source, 1});
    ASSERT_FALSE(started.ok()) << changed;
    EXPECT_EQ(started.status().code(), StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(started.status().message()), ::testing::HasSubstr("cannot start"));
  }
}

TEST_P(EveryKind, KeepsWhatIsFreeInItAsItWasWritten) {
  if (GetParam().way != Way::kItself) return;
  const Engine engine = AdmittedWith(text_);
  int compared = 0;
  for (const JobObject& job : read_.jobs) {
    const auto started = StartObjects(engine, job.workload_key, {&source_, 1});
    ASSERT_TRUE(started.ok()) << started.status().message();
    for (const StartedObject& each : *started) {
      const std::string name(each.object.At({"metadata", "name"}).text);
      for (const PlainMap& written : ParsePlain(text_, "job.yaml").documents) {
        if (!each.of.empty()) {  // the pod of a template
          EXPECT_EQ(Lost(written.At({"spec", "template"}), each.object, name), "");
        } else if (written.At({"metadata", "name"}).text != name) {
          continue;
        } else {
          EXPECT_EQ(Lost(written, each.object, name), "");
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 0);
}

TEST_P(EveryKind, IsReadBackFromItsStatus) {
  const KindWay& way = GetParam();
  if (way.way == Way::kNoWorkload) return;
  Engine engine = AdmittedWith(text_);
  EXPECT_EQ(ResultOf(&engine, text_, "{}"), "unchanged");
  if (*way.ready != '\0') {
    EXPECT_EQ(ResultOf(&engine, text_, way.ready), "ready");
    EXPECT_EQ(ResultOf(&engine, text_, way.ready), "unchanged") << "saying it twice";
    if (*way.reclaimed != '\0') {
      EXPECT_EQ(ResultOf(&engine, text_, way.reclaimed), "reclaimed");
      EXPECT_EQ(ResultOf(&engine, text_, way.reclaimed), "unchanged");
    }
    EXPECT_EQ(ResultOf(&engine, text_, "{}"), "not ready");
  }
  if (*way.failed != '\0') {
    Engine other = AdmittedWith(text_);
    EXPECT_EQ(ResultOf(&other, text_, way.failed), "failed");
  }
  if (*way.finished != '\0') {
    EXPECT_EQ(ResultOf(&engine, text_, way.finished), "finished");
    EXPECT_EQ(ResultOf(&engine, text_, way.finished), "unchanged");
  }
}

std::string NameOfKind(const ::testing::TestParamInfo<KindWay>& param) { return param.param.file; }

INSTANTIATE_TEST_SUITE_P(Examples, EveryKind, ::testing::ValuesIn(KindWays()), NameOfKind);

TEST(EveryKindOfTheTable, HasAnExampleAndARowHere) {
  std::set<std::string> rows;
  for (const KindWay& way : KindWays()) rows.insert(way.file);
  std::set<std::string> kinds;
  for (const auto& path : testing::FilesUnder(KindsFolder(), ".yaml")) {
    const std::string name = path.stem().string();
    const std::string text = testing::ReadFile(path);
    EXPECT_TRUE(text.starts_with("# ")) << name << " begins with a line on what happens";
    EXPECT_EQ(rows.contains(name), name != "cluster") << name;
    for (const PlainMap& each : ParsePlain(text, name).documents) {
      kinds.insert(std::string(each.TextAt("kind")));
    }
  }
  for (const objects::KindRow& row : objects::KindTable()) {
    EXPECT_TRUE(kinds.contains(std::string(row.kind))) << row.kind << " has no example";
  }
  for (const char* kind : {"CronJob", "ReplicaSet", "InferencePool", "MiniCluster", "JobKind"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
}

}  // namespace
}  // namespace muster::manifest
