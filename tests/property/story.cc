// Reading and showing stories.
#include "tests/property/story.h"

#include <algorithm>
#include <set>

#include "tests/property/judge.h"

namespace muster::testing {
namespace {

using manifest::Manifests;

WorkloadUpdate ReadUpdate(const Manifests& manifests, const manifest::Step& step,
                          std::size_t index) {
  const auto& workload = std::get<Workload>(manifests.step_objects[index]);
  const auto& active = step.sets_active;
  WorkloadUpdate update;
  update.workload = workload.key;
  update.priority = workload.priority;
  if (std::count(active.begin(), active.end(), index) > 0) update.active = workload.active;
  if (!workload.status.reclaimable_pods.empty()) {
    update.reclaimable_pods = workload.status.reclaimable_pods;
  }
  return update;
}

void Read(const Manifests& manifests, const manifest::Step& step,
          const std::map<Key, Workload>& held_back, std::vector<oracle::Step>& steps) {
  for (int i = 0; i < step.cycles; ++i) steps.emplace_back(oracle::Cycle{});
  if (step.advance >= 0) steps.emplace_back(oracle::Pass{step.advance});
  if (!step.submit.empty()) {
    oracle::Submit submit;
    for (const Key& key : step.submit) submit.workloads.push_back(held_back.at(key));
    steps.emplace_back(submit);
  }
  if (!step.finish.empty()) steps.emplace_back(oracle::Finish{step.finish});
  for (const Key& key : step.ready) steps.emplace_back(oracle::Ready{key, true});
  for (const Key& key : step.not_ready) steps.emplace_back(oracle::Ready{key, false});
  if (step.evicted) steps.emplace_back(oracle::CompleteEvictions{});
  for (const std::size_t index : step.apply) {
    const Object& object = manifests.step_objects[index];
    if (std::holds_alternative<Workload>(object)) {
      steps.emplace_back(ReadUpdate(manifests, step, index));
    } else {
      steps.emplace_back(oracle::Apply{object});
    }
  }
}

// Every line of `text` two levels further in, the first as an item of a list.
std::string AsItem(const std::string& text) {
  std::string item = "  - ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    item += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) item += "    ";
  }
  return item + (item.ends_with('\n') ? "" : "\n");
}

std::string KeysOf(const std::vector<Key>& keys) {
  std::string list;
  for (const Key& key : keys) list += (list.empty() ? "" : ", ") + key.ToString();
  return "[" + list + "]";
}

std::string Show(const oracle::Submit& step) {
  std::vector<Key> keys;
  for (const Workload& workload : step.workloads) keys.push_back(workload.key);
  return "- submit: " + KeysOf(keys) + "\n";
}
std::string Show(const oracle::Cycle&) { return "- cycle: 1\n"; }
std::string Show(const oracle::Pass& step) {
  return "- advance: " + std::to_string(step.time / kSecond) + "s\n";
}
std::string Show(const oracle::Finish& step) {
  return "- finish: " + KeysOf(step.workloads) + "\n";
}
std::string Show(const oracle::Cancel& step) {
  return "# cancel: " + step.workload.ToString() + "\n";
}
std::string Show(const oracle::CompleteEvictions&) { return "- evicted: true\n"; }
std::string Show(const oracle::Ready& step) {
  return std::string(step.ready ? "- ready: " : "- notReady: ") + KeysOf({step.workload}) + "\n";
}
std::string Show(const oracle::Apply& step) {
  return "- apply:\n" + AsItem(manifest::ToYaml(step.object));
}
std::string Show(const WorkloadUpdate& step) {
  std::string text = "- apply:\n  - apiVersion: kueue.x-k8s.io/v1beta2\n    kind: Workload\n";
  text += "    metadata: {name: " + step.workload.name + ", namespace: " + step.workload.ns + "}\n";
  std::string spec;
  if (step.priority) spec += "priority: " + std::to_string(*step.priority);
  if (step.active) {
    spec += std::string(spec.empty() ? "" : ", ") + "active: " + (*step.active ? "true" : "false");
  }
  if (!spec.empty()) text += "    spec: {" + spec + "}\n";
  if (step.reclaimable_pods) {
    std::string list;
    for (const ReclaimablePods& pods : *step.reclaimable_pods) {
      list += std::string(list.empty() ? "" : ", ") + "{name: " + pods.pod_set +
              ", count: " + std::to_string(pods.count) + "}";
    }
    text += "    status: {reclaimablePods: [" + list + "]}\n";
  }
  return text;
}

}  // namespace

bool Story::ChangesObjects() const {
  return std::any_of(steps.begin(), steps.end(), [](const oracle::Step& step) {
    return std::holds_alternative<oracle::Apply>(step) ||
           std::holds_alternative<WorkloadUpdate>(step);
  });
}

Story ReadStory(const Manifests& manifests) {
  std::set<Key> submitted;
  for (const manifest::Step& step : manifests.scenario->steps) {
    submitted.insert(step.submit.begin(), step.submit.end());
  }
  Story story;
  std::map<Key, Workload> held_back;
  for (const Object& object : manifests.objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload && submitted.contains(workload->key)) {
      held_back[workload->key] = *workload;
    } else {
      story.world.push_back(object);
    }
  }
  story.now = manifests.scenario->now;
  for (const manifest::Step& step : manifests.scenario->steps) {
    Read(manifests, step, held_back, story.steps);
  }
  return story;
}

std::string ToCase(const Story& story) {
  std::string text;
  World world = story.world;
  for (const oracle::Step& step : story.steps) {
    const auto* submit = std::get_if<oracle::Submit>(&step);
    if (submit) world.insert(world.end(), submit->workloads.begin(), submit->workloads.end());
  }
  for (const Object& object : world) {
    const std::string yaml = manifest::ToYaml(object);
    text += yaml + (yaml.ends_with('\n') ? "" : "\n") + "---\n";
  }
  text += "apiVersion: muster.dev/v1\nkind: Scenario\nnow: '" + manifest::FormatTime(story.now) +
          "'\nsteps:\n";
  for (const oracle::Step& step : story.steps) {
    text += std::visit([](const auto& what) { return Show(what); }, step);
  }
  return text;
}

}  // namespace muster::testing
