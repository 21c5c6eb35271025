// Comparing and shrinking stories.
#include <algorithm>
#include <set>

#include "tests/property/judge.h"
#include "tests/property/story.h"

namespace muster::testing {
namespace {

struct Parting {
  std::size_t steps = 0;  ///< told until the two differ, the last one included
  Picture engine;
  Picture oracle;
};

bool IsError(const Picture& picture) {
  return picture.size() == 1 && picture[0].starts_with("error: ");
}

std::optional<Parting> FindParting(const Story& story) {
  EngineTeller engine(story);
  OracleTeller oracle(story);
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    Parting parting{i + 1, engine.Tell(story.steps[i]), oracle.Tell(story.steps[i])};
    if (parting.engine != parting.oracle) return parting;
  }
  return std::nullopt;
}

// The lines of `picture` that `other` does not have.
std::string Difference(const Picture& picture, const Picture& other) {
  std::string text;
  for (const std::string& line : picture) {
    const bool shared = std::find(other.begin(), other.end(), line) != other.end();
    if (!shared) text += "  " + line + "\n";
  }
  return text;
}

std::set<Key> KeysOf(const World& world, ObjectKind kind) {
  std::set<Key> keys;
  for (const Object& object : world) {
    if (KindOf(object) == kind) keys.insert(KeyOf(object));
  }
  return keys;
}

// Takes out of `steps` what speaks of a workload that is not there any more.
std::vector<oracle::Step> KeepPossible(const Story& story) {
  std::set<Key> jobs = KeysOf(story.world, ObjectKind::kWorkload);
  const std::set<Key> queues = KeysOf(story.world, ObjectKind::kLocalQueue);
  std::vector<oracle::Step> steps;
  for (oracle::Step step : story.steps) {
    bool possible = true;
    if (auto* submit = std::get_if<oracle::Submit>(&step)) {
      std::erase_if(submit->workloads, [&](const Workload& job) {
        return !queues.contains({job.key.ns, job.queue});
      });
      for (const Workload& job : submit->workloads) jobs.insert(job.key);
      possible = !submit->workloads.empty();
    }
    if (auto* finish = std::get_if<oracle::Finish>(&step)) {
      std::erase_if(finish->workloads, [&](const Key& key) { return !jobs.contains(key); });
      possible = !finish->workloads.empty();
    }
    if (const auto* cancel = std::get_if<oracle::Cancel>(&step)) {
      possible = jobs.erase(cancel->workload) > 0;
    }
    if (const auto* apply = std::get_if<oracle::Apply>(&step)) {
      const std::set<Key> there = KeysOf(story.world, KindOf(apply->object));
      possible = there.contains(KeyOf(apply->object)) ||
                 KindOf(apply->object) == ObjectKind::kResourceFlavor;
    }
    if (const auto* ready = std::get_if<oracle::Ready>(&step)) {
      possible = jobs.contains(ready->workload);
    }
    if (const auto* update = std::get_if<WorkloadUpdate>(&step)) {
      possible = jobs.contains(update->workload);
    }
    if (possible) steps.push_back(step);
  }
  return steps;
}

// All stories that lack one step, one submitted workload or one object of `story`.
std::vector<Story> Shorten(const Story& story) {
  std::vector<Story> shorter;
  for (std::size_t i = story.steps.size(); i-- > 0;) {
    Story less = story;
    less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(i));
    shorter.push_back(less);
    const auto* submit = std::get_if<oracle::Submit>(&story.steps[i]);
    for (std::size_t j = 0; submit && submit->workloads.size() > 1 && j < submit->workloads.size();
         ++j) {
      less = story;
      auto& jobs = std::get<oracle::Submit>(less.steps[i]).workloads;
      jobs.erase(jobs.begin() + static_cast<std::ptrdiff_t>(j));
      shorter.push_back(less);
    }
  }
  for (std::size_t i = 0; i < story.world.size(); ++i) {
    if (!IsDroppable(story.world[i])) continue;
    shorter.push_back({Drop(story.world, i), story.steps, story.now});
  }
  for (Story& less : shorter) less.steps = KeepPossible(less);
  return shorter;
}

}  // namespace

std::optional<std::string> FindDisagreement(const Story& story) {
  const std::optional<Parting> parting = FindParting(story);
  if (!parting) return std::nullopt;
  Story until = story;
  until.steps.resize(parting->steps);
  // Half a story may be one that cannot be; a side that refuses it disagrees about nothing.
  const bool error = IsError(parting->engine);
  const auto parts = [&](const Story& s) {
    const std::optional<Parting> p = FindParting(s);
    return p && IsError(p->engine) == error;
  };
  Story small = Shrink(until, parts);
  const Parting last = FindParting(small).value_or(*parting);
  small.steps.resize(std::min(small.steps.size(), last.steps));
  return ToCase(small) + "# engine\n" + Difference(last.engine, last.oracle) + "# oracle\n" +
         Difference(last.oracle, last.engine);
}

Story Shrink(Story story, const std::function<bool(const Story&)>& fails) {
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (Story& shorter : Shorten(story)) {
      if (!fails(shorter)) continue;
      story = std::move(shorter);
      shrunk = true;
      break;
    }
  }
  return story;
}

}  // namespace muster::testing
