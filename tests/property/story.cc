// Reading and showing stories.
#include "tests/property/story.h"

#include <utility>

#include "tests/property/judge.h"

namespace muster::testing {
namespace {

using manifest::Manifests;

/// What the naive reference is told of a step; it knows no other commands.
struct StepReader {
  DurationNs after;
  std::vector<oracle::Step>& steps;

  void operator()(const command::Cycle&) { steps.emplace_back(oracle::Cycle{}); }
  void operator()(const command::Advance&) { steps.emplace_back(oracle::Pass{after}); }
  void operator()(const command::Finish& c) { steps.emplace_back(oracle::Finish{c.workloads}); }
  void operator()(const command::Evicted&) { steps.emplace_back(oracle::CompleteEvictions{}); }
  void operator()(const WorkloadUpdate& c) { steps.emplace_back(c); }
  void operator()(const command::Ready& c) {
    for (const Key& key : c.workloads) steps.emplace_back(oracle::Ready{key, c.ready});
  }
  void operator()(const command::Apply& c) {
    oracle::Submit submit;
    for (const Object& object : c.objects) {
      if (const auto* workload = std::get_if<Workload>(&object)) {
        submit.workloads.push_back(*workload);
      } else {
        steps.emplace_back(oracle::Apply{object});
      }
    }
    if (!submit.workloads.empty()) steps.emplace_back(std::move(submit));
  }
  template <typename Other>
  void operator()(const Other&) {}
};

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

Story ReadStory(const Manifests& manifests) {
  Story story;
  for (const Object& object : manifests.objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload == nullptr || !manifests.scenario->arrivals.contains(workload->key)) {
      story.world.push_back(object);
    }
  }
  story.now = manifests.scenario->now;
  for (const manifest::Step& step : manifests.scenario->steps) {
    for (int i = 0; i < step.times; ++i) {
      for (const Command& command : step.commands) {
        std::visit(StepReader{step.after, story.steps}, command);
      }
    }
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
