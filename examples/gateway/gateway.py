"""The same gateway with Muster: queues, quotas, priorities and preemption come from queues.yaml.

    gateway.py STATE [QUEUES.yaml]

It may be killed at any moment. What it knows is in STATE: the ledger, and a folder for each run.
"""

import json
import secrets
import sys
import time
from pathlib import Path

import muster
from door import Door
from runs import Runs

HERE = Path(__file__).parent
SHAPE = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: any, name: shape}
spec:
  queueName: jobs
  podSets:
  - name: main
    count: 1
    template:
      spec:
        restartPolicy: Never
        containers:
        - {name: main, image: none, resources: {requests: {cpu: 1}}}
"""


class Gateway:
    """Acts on the engine's decisions, and tells it what became of them."""

    def __init__(self, state, queues):
        self.runs = Runs(state / "runs")
        self.jobs = state / "jobs"  # what each job runs, by uid
        self.jobs.mkdir(exist_ok=True)
        self.checkpoints = state / "checkpoints"
        self.engine = muster.Engine(state / "ledger", lock_wait=10)
        self.engine.apply(queues.read_text("utf-8"), name=queues.name)
        self.engine.register("gateway")
        self.shape = muster.Shape(SHAPE)
        self.door = Door(state / "socket", self.take)

    def take(self, job):
        """Stores what the job runs, then queues it. Saying it twice changes nothing.

        What it runs is kept under a uid that no other job has: what is refused, or was there
        already, changes nothing of the one that has the name. The uids rise: of jobs that are
        created in the same second, the one with the smaller uid comes first.
        """
        uid, created = f"{time.time_ns()}-{secrets.token_hex(4)}", 0
        (self.jobs / uid).write_text(json.dumps(job), "utf-8")
        try:
            created = self.engine.submit([muster.Job(job["name"], self.shape, count=job["cpus"],
                                                     priority=job.get("priority", 0), uid=uid)])
        finally:
            if not created:
                (self.jobs / uid).unlink()
        return {"created": created}

    def step(self):
        """One turn of the loop."""
        self.engine.cycles()
        for decision in self.engine.hand_over("gateway"):
            self.act(decision)
        for run in self.runs.unreported():
            self.report(run)

    def act(self, decision):
        """Acts on a decision; one that comes again after a crash has the same number."""
        if decision.starts:
            job = json.loads((self.jobs / decision.uid).read_text("utf-8"))
            job["uid"], job["run"] = decision.uid, decision.run
            checkpoint = self.checkpoints / decision.uid  # stays from run to run
            checkpoint.mkdir(parents=True, exist_ok=True)
            job["checkpoint"] = str(checkpoint)
            self.runs.start(f"{decision.number:09}", job)
        elif decision.stop:
            self.runs.stop(self.newest(decision.uid))

    def newest(self, uid):
        return [run for run in self.runs if run.job["uid"] == uid][-1]

    def report(self, run):
        """Tells the engine of a run that is over. After a crash it is told again.

        It may come late: the job was withdrawn, and another has its name by now, or it was started
        again. So uid and run say which one is meant.
        """
        name, meant = run.job["name"], {"uids": [run.job["uid"]], "runs": [run.job["run"]]}
        left = run.read("stop") is not None and run.exit < 0
        try:
            if left:
                self.engine.evicted([name], **meant)
            else:
                self.engine.finish([name], failed=run.exit != 0, **meant)
        except (muster.FailedPrecondition, muster.NotFound):
            pass  # it was told before the crash, or the job is gone
        run.mark("reported")


def main():
    state = Path(sys.argv[1])
    gateway = Gateway(state, Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "queues.yaml")
    while True:
        gateway.step()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
