// Every corner of the public headers that is not in them alone: a ledger, calls ahead of the disk,
// a policy of the program's own, the log. Linked with the static libraries and with the shared one.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "muster/log.h"
#include "muster/muster.h"
#include "muster/pipeline.h"
#include "muster/policy_reloader.h"
#include "muster/queue_owner.h"

namespace {

// The smaller job goes first.
class SmallFirst final : public muster::Policy {
 public:
  SmallFirst() {
    info_.name = "small-first-in-cpp";
    info_.hash = std::string(64, 'a');
    info_.hooks = {muster::HookInfo{.hook = muster::Hook::kQueueOrder}};
  }
  const muster::PolicyInfo& info() const override { return info_; }
  muster::HookOutcome Call(muster::Hook, const muster_batch& batch,
                           std::span<double> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i) answers[i] = -batch.workloads[i].pods;
    return {};
  }

 private:
  muster::PolicyInfo info_;
};

bool Must(const muster::Status& status) {
  if (!status.ok()) std::printf("%s\n", status.message().c_str());
  return status.ok();
}

constexpr const char* kFlavor =
    "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}";

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::size_t said = 0;
  muster::SetLogLevel(muster::LogLevel::kInfo);
  muster::SetLogSink([&](muster::LogLevel, std::string_view) { ++said; });
  muster::Log(muster::LogLevel::kWarning, "from the program");
  const muster::TimeNs now = muster::WallClock();
  {
    auto opened = muster::DurableEngine::Open(argv[1]);
    if (!Must(opened.status())) return 1;
    if (!Must(muster::ApplyYaml((*opened)->engine(), kFlavor, now))) return 1;
    auto ahead = muster::Pipeline::Start(**opened);
    if (!Must(ahead.status())) return 1;
    auto cycle = (*ahead)->Call([&](muster::Engine& engine) { return engine.RunCycle(now); });
    if (!Must(cycle.Wait().status()) || !Must((*ahead)->Settle())) return 1;
  }
  auto read = muster::ReadLedger(argv[1]);
  if (!Must(read.status())) return 1;
  if (!Must(read->ActivatePolicy(std::make_shared<SmallFirst>(), now))) return 1;
  if (!Must(read->CheckInvariants()) || read->Policies()->size() != 1) return 1;
  const auto owner = muster::CheckQueueOwner(*read, {}, "team");
  if (!Must(owner.status()) || !owner->empty()) return 1;
  muster::PolicyReloader reloader(muster::ReloadOptions{.folder = "no-such-folder"});
  const muster::Text text = std::string("Admitted");
  const auto half = muster::Quantity::Parse("500m");
  std::printf("ledger, pipeline, policy; %s; %s; said %d\n", half->ToString().c_str(),
              text.str().c_str(), said > 0);
  muster::SetLogSink({});
  return said > 0 && !muster::LoadPolicy("no-such-folder").ok() && half->ToAmount("cpu") == 500
             ? 0
             : 1;
}
