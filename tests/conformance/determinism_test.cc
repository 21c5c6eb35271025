// A recorded run decides the same and costs the same fuel compiled, interpreted and in another
// process. Every call of every hook is compared, and every event of the ledger; generations are
// replaced on the way, and those that fail go back by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/lab/scenario/scenario.h"
#include "bindings/luajit/lua_policy.h"
#include "bindings/manifest/manifest.h"
#include "tests/testing/command.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrintedRuns = "MUSTER_PRINTED_RUNS";  ///< set: print, for the one that waits

/// FNV-1a over everything that must not differ.
class Digest {
 public:
  void Add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001b3u;
  }
  void Add(std::string_view text) {
    Add(text.data(), text.size());
    Add("", 1);
  }
  void Add(double value) { Add(&value, sizeof value); }
  void AddFuel(std::int64_t fuel) {
    fuel_ += fuel;
    ++calls_;
    Add(static_cast<double>(fuel));
  }
  std::int64_t calls() const { return calls_; }
  std::string ToString() const {
    return std::to_string(hash_) + " after " + std::to_string(calls_) + " calls and " +
           std::to_string(fuel_) + " units of fuel";
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::int64_t calls_ = 0, fuel_ = 0;
};

/// Passes every call on and adds what came of it.
class WitnessedPolicy final : public Policy {
 public:
  WitnessedPolicy(std::shared_ptr<Policy> policy, Digest* digest)
      : policy_(std::move(policy)), digest_(digest) {}
  const PolicyInfo& info() const override { return policy_->info(); }
  HookOutcome Call(Hook hook, const muster_batch& batch, std::span<double> answers) override {
    HookOutcome outcome = policy_->Call(hook, batch, answers);
    digest_->Add(HookName(hook));
    digest_->AddFuel(outcome.fuel);
    digest_->Add(outcome.message);
    if (outcome.ok) digest_->Add(answers.data(), answers.size_bytes());
    for (const std::string& reason : outcome.reasons) digest_->Add(reason);
    return outcome;
  }
  HookOutcome Submit(const muster_batch& batch, SubmitAnswer* answer) override {
    HookOutcome outcome = policy_->Submit(batch, answer);
    digest_->Add(HookName(Hook::kSubmit));
    digest_->AddFuel(outcome.fuel);
    digest_->Add(outcome.message);
    if (!outcome.ok) return outcome;
    digest_->Add(answer->rejected.value_or(""));
    digest_->Add(answer->priority.value_or(0));
    digest_->Add(answer->queue.value_or(""));
    for (const auto& [name, value] : answer->labels) digest_->Add(name + "=" + value);
    return outcome;
  }

 private:
  std::shared_ptr<Policy> policy_;
  Digest* digest_;
};

/// Adds every event.
class WitnessedJournal final : public Journal {
 public:
  explicit WitnessedJournal(Digest* digest) : digest_(digest) {}
  Result<Ticket> Append(Commit commit) override {
    for (const Event& event : commit.events) {
      digest_->Add(EventName(event.kind));
      digest_->Add(event.subject);
      digest_->Add(event.payload);
    }
    return ++ticket_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

 private:
  Digest* digest_;
  Ticket ticket_ = 0;
};

/// The hooks of no two of one set overlap. Those of one package fail now and then.
std::vector<std::vector<std::string>> PackageSets() {
  return {{"policies/small-first", "policies/fair-tree", "policies/checkpoint-aware"},
          {"policies/fifo-priority", "policies/dominant-resource-fairness",
           "tests/conformance/native-preemption"},
          {"policies/interactive-first", "policies/gentle-preemption", "policies/project-boost",
           "policies/keep-free"},
          {"tests/conformance/often-failing"},
          {"tests/conformance/remembering"}};
}

/// Generation `number` of a package: the same rules in other bytes.
std::shared_ptr<Policy> LoadGeneration(const std::string& package, int number, bool compiled,
                                       Digest* digest) {
  luajit::SandboxOptions options;
  options.compiled = compiled;
  auto source = luajit::ReadPackage((testing::SourceDir() / package).string());
  EXPECT_TRUE(source.ok()) << source.status().message();
  for (luajit::PackageFile& file : source->files) {
    if (file.path == "policy.lua") file.bytes += "-- " + std::to_string(number) + "\n";
  }
  luajit::LoadedPackage loaded = luajit::Load(*source, {}, options);
  EXPECT_NE(loaded.policy, nullptr) << package;
  return std::make_shared<WitnessedPolicy>(loaded.policy, digest);
}

/// A package alone has a new generation after every third step.
Digest Play(const fs::path& input, const std::vector<std::string>& packages, bool compiled) {
  Digest digest;
  std::vector<std::shared_ptr<Policy>> policies;
  for (const std::string& package : packages) {
    policies.push_back(LoadGeneration(package, 0, compiled, &digest));
  }
  const manifest::Source source{input.filename().string(), testing::ReadFile(input)};
  const manifest::Manifests manifests = manifest::Parse(std::span(&source, 1));
  WitnessedJournal journal(&digest);
  Engine engine(&journal);
  for (const std::shared_ptr<Policy>& policy : policies) {
    const Status active = engine.ActivatePolicy(policy, /*now=*/0);
    EXPECT_TRUE(active.ok()) << active.message();
    PolicyBinding binding;
    binding.name = binding.policy = policy->info().name;
    for (const HookInfo& hook : policy->info().hooks) {
      binding.hooks.emplace_back(HookName(hook.hook));
    }
    const Object object = binding;
    const Status bound = engine.Apply(std::span(&object, 1), /*now=*/0);
    EXPECT_TRUE(bound.ok()) << bound.message();
  }
  int steps = 0;
  const auto reload = [&](Engine& running) {
    if (++steps % 3 != 0 || packages.size() > 1) return Status::Ok();
    return running.ActivatePolicy(LoadGeneration(packages[0], steps, compiled, &digest), /*now=*/0);
  };
  const auto outcome = lab::RunScenario(engine, manifests, /*now=*/0, /*trace_last=*/false, reload);
  digest.Add(outcome.status().message());
  digest.Add(*engine.StateHash());
  return digest;
}

struct RecordedRun {
  fs::path input;
  std::vector<std::string> packages;
};

/// Every `step`-th of all recorded cases, each with the next one of the sets of packages.
std::vector<RecordedRun> RecordedRuns(std::size_t step) {
  std::vector<RecordedRun> runs;
  std::size_t next = 0;
  const auto sets = PackageSets();
  for (const char* folder : {"cases", "more"}) {
    for (const fs::path& input :
         testing::FilesUnder(*testing::SharedDir() / "conformance" / folder, ".yaml")) {
      const std::size_t number = next++;
      if (number % step == 0) runs.push_back({input, sets[number / step % sets.size()]});
    }
  }
  return runs;
}

std::string Line(const RecordedRun& run, const Digest& digest) {
  return run.input.stem().string() + " with " + run.packages[0] + ": " + digest.ToString();
}

// Begins the program once more, which finds the variable set, prints its runs and ends.
void CheckRuns(std::size_t step) {
  if (!testing::SharedDir()) GTEST_SKIP() << testing::kSharedIsAbsent;
  if (std::getenv(kPrintedRuns) != nullptr) {
    for (const RecordedRun& run : RecordedRuns(step)) {
      std::cout << Line(run, Play(run.input, run.packages, true)) << "\n";
    }
    return;
  }
  testing::CommandOptions options;
  options.environment = {{kPrintedRuns, "1"}};
  const ::testing::TestInfo& self = *::testing::UnitTest::GetInstance()->current_test_info();
  const testing::CommandResult other = testing::RunCommand(
      {fs::read_symlink("/proc/self/exe").string(),
       std::string("--gtest_filter=") + self.test_suite_name() + "." + self.name()},
      options);
  ASSERT_EQ(other.exit_code, 0) << other.err;
  std::int64_t calls = 0;
  for (const RecordedRun& run : RecordedRuns(step)) {
    const Digest compiled = Play(run.input, run.packages, true);
    const std::string line = Line(run, compiled);
    EXPECT_EQ(line, Line(run, Play(run.input, run.packages, false))) << "interpreted";
    EXPECT_NE(other.out.find(line + "\n"), std::string::npos) << line << " in another process";
    calls += compiled.calls();
  }
  std::cout << RecordedRuns(step).size() << " runs, " << calls << " calls\n";
  EXPECT_GT(calls, 100);
}

TEST(Determinism, RecordedRunsAreTheSameCompiledInterpretedAndInAnotherProcess) { CheckRuns(97); }
TEST(LongDeterminism, RecordedRunsAreTheSameCompiledInterpretedAndInAnotherProcess) {
  CheckRuns(48);
}
TEST(NightDeterminism, RecordedRunsAreTheSameCompiledInterpretedAndInAnotherProcess) {
  CheckRuns(1);
}

}  // namespace
}  // namespace muster::conformance
