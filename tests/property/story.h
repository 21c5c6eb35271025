// A story: a world and what happens in it, step by step. The same story is told to the engine and
// to the naive reference, and can be shown as a scenario file.
#ifndef MUSTER_TESTS_PROPERTY_STORY_H_
#define MUSTER_TESTS_PROPERTY_STORY_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"
#include "tests/oracle/history.h"
#include "tests/property/random_world.h"

namespace muster::testing {

struct Story {
  World world;  ///< what is there from the start
  std::vector<oracle::Step> steps;
  TimeNs now = kNow;
};

/// The story that a scenario file tells.
Story ReadStory(const manifest::Manifests& manifests);

/// The story as a file for `muster schedule -f`. A cancelled workload is shown as a comment:
/// scenarios have no such step.
std::string ToCase(const Story& story);

/// All that both sides can be asked for after a step, line by line: what waits where and why, what
/// holds what, the usage of every queue and cohort, and of LocalQueues; after a cycle also what it
/// decided.
using Picture = std::vector<std::string>;

class EngineTeller {
 public:
  /// `policy`, if any, is active from the start and decides all that it has hooks for. `journal`
  /// may be null.
  explicit EngineTeller(const Story& story, std::shared_ptr<Policy> policy = nullptr,
                        Journal* journal = nullptr);
  Picture Tell(const oracle::Step& step);
  /// From now on every cycle says why it decides so.
  void TraceCycles() { traced_ = true; }
  /// Of the last step, if it was one.
  const std::optional<CycleResult>& cycle() const { return cycle_; }
  const Engine& engine() const { return engine_; }
  Engine& engine() { return engine_; }

 private:
  Status Do(const oracle::Step& step);
  Picture Show() const;

  Engine engine_;
  TimeNs now_;
  bool traced_ = false;
  std::optional<CycleResult> cycle_;
};

class OracleTeller {
 public:
  explicit OracleTeller(const Story& story);
  Picture Tell(const oracle::Step& step);

 private:
  oracle::History history_;
};

/// nullopt when engine and reference agree after every step. Otherwise the smallest story found in
/// which they do not, as a case, and what each says after the step where they part.
std::optional<std::string> FindDisagreement(const Story& story);

/// `story` without the steps and objects that can go while `fails` stays true.
Story Shrink(Story story, const std::function<bool(const Story&)>& fails);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_STORY_H_
