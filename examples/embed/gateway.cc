// A gateway: it takes jobs, asks Muster which may start, starts and stops pods, and reports what it
// saw. It keeps nothing itself: killed at any moment and started again, it goes on from its ledger.
//
//   example_embed LEDGER QUEUES [HH:MM]     killed (SIGKILL) at HH:MM
#include <algorithm>
#include <csignal>

#include "cluster.h"

// Submitting again what was submitted changes nothing, so nothing has to be remembered.
void Submit(muster::Engine& engine, const Cluster& cluster, const muster::Workload& job) {
  std::vector<muster::Applied> applied;
  Must(engine.Submit({&job, 1}, cluster.now(), &applied));
  if (applied.front() == muster::Applied::kCreated) cluster.Say(job.key, "submitted");
}

// One cycle; false when nothing more will happen for now.
bool Decide(muster::Engine& engine, Cluster& cluster) {
  const muster::Result<muster::CycleResult> cycle = engine.RunCycle(cluster.now());
  Must(cycle.status());
  for (const muster::AdmittedWorkload& job : cycle->admitted) {
    cluster.Say(job.workload,
                "starts " + std::to_string(job.admission.pod_sets[0].count) + " pods");
    cluster.Run(engine.GetWorkload(job.workload)->spec);
  }
  for (const muster::PreemptedWorkload& job : cycle->preempted) {
    cluster.Say(job.workload, "has to make room for " + job.by.name);
    cluster.Stop(job.workload);
  }
  return !cycle->idle();
}

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  const muster::TimeNs kill = argc > 3 ? At(std::atoi(argv[3]), std::atoi(argv[3] + 3)) : -1;
  const auto ledger = muster::DurableEngine::Open(argv[1]);
  Must(ledger.status());
  muster::Engine& engine = (*ledger)->engine();
  Cluster cluster(std::max(*(*ledger)->last_time(), At(9, 0)));
  Must(muster::ApplyFile(engine, argv[2], cluster.now()));  // what is there stays as it is
  for (const muster::WorkloadView& job : *engine.Workloads()) {
    if (job.phase == muster::WorkloadPhase::kAdmitted) cluster.Run(job.spec);
  }

  while (cluster.now() < At(10, 10)) {
    Submit(engine, cluster, Job("sweep", "batch", 8, 30));  // borrows what production leaves idle
    if (cluster.now() >= At(9, 10)) Submit(engine, cluster, Job("train", "production", 4, 20));
    cluster.PassAMinute();
    const std::vector<muster::Key> gone = *engine.Evicting();
    for (const muster::Key& job : gone) cluster.Say(job, "its pods are gone");
    Must(engine.Evicted(gone, cluster.now()));
    const std::vector<muster::Key> ended = cluster.TakeEnded();
    for (const muster::Key& job : ended) cluster.Say(job, "has finished");
    Must(engine.Finish(ended, /*failed=*/false, cluster.now()));
    while (Decide(engine, cluster)) continue;
    if (cluster.now() == kill) std::raise(SIGKILL);
  }
}
