"""A day of the command whose verbs print JSON: what `muster VERB ... -o json` says, by verb.

Two teams borrow, one makes room, a check answers, a policy is tried, the past is read. Each verb
that prints JSON is asked at least once, most in several states.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from racks import RACKS, host  # pylint: disable=wrong-import-position

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GANG = os.path.join(TOP, "tests", "scenarios", "gang", "all-or-nothing.yaml")
QUEUES = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},
 spec: {controllerName: finance}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high},
 value: 100}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: all}}
"""
QUEUE = """
---
{{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {{name: {name}}},
 spec: {{cohortName: all, namespaceSelector: {{}}, preemption: {{reclaimWithinCohort: Any,
  withinClusterQueue: LowerPriority}}, {more} resourceGroups: [{{coveredResources: [cpu], flavors: [
   {{name: default, resources: [{{name: cpu, nominalQuota: 4}}]}}]}}]}}}}
---
{{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
 metadata: {{namespace: {name}, name: jobs}}, spec: {{clusterQueue: {name}}}}}
"""
CHECKED = "admissionChecksStrategy: {admissionChecks: [{name: budget}]},"
JOB = """
---
apiVersion: batch/v1
kind: Job
metadata: {{namespace: {team}, name: {name}, labels: {{kueue.x-k8s.io/queue-name: {queue}}}}}
spec:
  parallelism: {cpus}
  template:
    spec:
      restartPolicy: Never
      containers: [{{name: main, image: none, resources: {{requests: {{cpu: 1}}}}}}]
"""


class Day:
    """One folder, one ledger, and what was printed: (verb, value) in order."""

    def __init__(self, muster, folder):
        self.muster = muster
        self.folder = folder
        self.ledger = os.path.join(folder, "day.ledger")
        self.printed = []

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, *words, given=None, codes=(0,)):
        done = subprocess.run([self.muster, *words], input=given, capture_output=True, text=True,
                              timeout=120, check=False, cwd=self.folder)
        if done.returncode not in codes:
            raise AssertionError(f"{words}: exit code {done.returncode}\n"
                                 f"{done.stdout}{done.stderr}")
        return done.stdout

    def ask(self, verb, *words, codes=(0,), db=True):
        """Runs a verb and keeps what it prints."""
        on = ["--db", self.ledger] if db else []
        text = self.run(*verb.split(), *words, *on, "-o", "json", codes=codes)
        self.printed.append((verb, json.loads(text)))

    def ask_lines(self, verb, *words):
        """The same of one that prints a line for each value."""
        for line in self.run(*verb.split(), *words, "--db", self.ledger).splitlines():
            self.printed.append((verb, json.loads(line)))

    def submit(self, team, name, cpus, queue="jobs"):
        path = self.file(f"{name}.yaml", JOB.format(team=team, name=name, cpus=cpus, queue=queue))
        self.ask("submit", "-f", path)
        return path

    def begin(self):
        queues = self.file("queues.yaml", QUEUES + QUEUE.format(name="team-a", more="")
                           + QUEUE.format(name="team-b", more="")
                           + QUEUE.format(name="team-c", more=CHECKED))
        self.ask("apply", "-f", queues)
        self.ask("apply", "-f", queues)
        self.ask("apply", "-f", queues, "--quiet")
        self.ask("apply", "-f", queues, "--dry-run")
        self.ask("apply", "-f", queues, "--dry-run", "--quiet")
        other = self.file("other.yaml", QUEUE.format(name="team-d", more="") + JOB.format(
            team="team-d", name="new", queue="jobs", cpus=1))
        self.ask("apply", "-f", other, "--dry-run")
        self.ask("apply", "-f", other, "--dry-run", "--quiet")
        self.ask("consumer add", "gateway")
        self.submit("team-a", "borrows", 9)
        self.ask("schedule", "--until-idle")
        self.submit("team-b", "owns", 4)
        self.ask("schedule", "--cycles", "1")
        self.ask("explain", "team-b/job-owns")
        self.ask("eta")
        self.ask("explain", "team-b/job-owns", "--last-cycle")
        self.ask("decisions", "gateway")
        self.ask("acknowledge", "gateway", "1")

    def make_room(self):
        """Two racks, each with a job, and then with more hosts than these fill."""
        ledger, self.ledger = self.ledger, os.path.join(self.folder, "racks.ledger")
        self.run("apply", "-f", self.file("racks.yaml", RACKS + host("r0", "h0")
                                          + host("r1", "h0")), "--db", self.ledger)
        for name in ("here", "there"):
            self.submit("ml", name, 4, queue="q")
        self.run("schedule", "--until-idle", "--db", self.ledger)
        self.run("apply", "-f", self.file("hosts.yaml", "".join(
            host(rack, name) for rack in ("r0", "r1") for name in ("h1", "h2"))),
            "--db", self.ledger)
        self.ask("defrag")
        self.one_by_one(("nodes", "topologies"))
        self.ledger = ledger

    def report(self):
        for kind in ("cq", "cohorts", "lq", "wl", "flavors", "admissionchecks", "priorityclasses",
                     "consumers", "policies", "policybindings", "accounts", "namespaces", "nodes",
                     "topologies"):
            self.ask("get", kind)
        self.one_by_one(("cq", "cohorts", "lq", "wl", "flavors", "admissionchecks",
                         "priorityclasses", "consumers", "namespaces"))
        self.ask("explain", "team-a/job-borrows")
        self.ask("evicted", "team-a/job-borrows")
        self.ask("schedule", "--until-idle")
        self.ask("ready", "team-b/job-owns")
        self.ask("explain", "team-b/job-owns")
        self.ask("start-patch", "team-b/job-owns", "-f", os.path.join(self.folder, "owns.yaml"))
        self.ask("explain", "team-a/job-borrows")
        self.ask("update", "team-a/job-borrows", "--priority", "7")
        self.submit("team-c", "checked", 2)
        self.ask("schedule", "--until-idle")
        self.ask("check", "team-c/job-checked", "budget", "ready")
        self.ask("evict", "team-c/job-checked", "--reason", "Maintenance")
        self.ask("evicted", "--all")
        self.ask("what-if", "--quota", "team-a/default/cpu=9")
        self.ask("finish", "team-b/job-owns")
        self.ask("cancel", "team-c/job-checked")
        observed = self.file("observed.yaml", JOB.format(
            team="team-a", name="borrows", cpus=9, queue="jobs") + "status: {ready: 9}\n")
        self.ask("observe", "-f", observed)
        self.ask("stop", "team-a")
        self.ask("resume", "team-a")
        self.ask("schedule", "--until-idle")
        self.ask("eta")
        self.ask("usage")
        self.ask("ledger query", "SELECT namespace, name, phase FROM workloads")
        self.ask_lines("ledger export")
        self.ask_lines("ledger export", "--what", "commits")
        self.ask("consumer remove", "gateway")

    def one_by_one(self, kinds):
        """One object of each of the kinds, as a list has it and described."""
        for kind in kinds:
            first = json.loads(self.run("get", kind, "--db", self.ledger, "-o", "json"))["items"][0]
            named = first.get("metadata", first)
            place = ("-n", named["namespace"]) if "namespace" in named else ()
            for verb in ("get", "describe"):
                self.ask(verb, kind, named["name"], *place)

    def prove(self):
        queues = os.path.join(self.folder, "queues.yaml")
        policy = os.path.join(TOP, "policies", "small-first")
        self.ask("policy bench", policy, db=False)
        self.ask("policy test", policy, db=False)
        self.run("policy", "activate", policy, "--db", self.ledger)
        self.ask("policy list")
        self.ask("get", "policies")
        self.ask("schedule", "--cycles", "1", "--shadow",
                 os.path.join(TOP, "policies", "fifo-priority"))
        self.ask("policy diff", "native", policy, "--recorded")
        self.ask("get", "wl", "-n", "team-a", "--state", "pending")
        self.one_by_one(("policies",))
        self.run("policy", "rollback", "--db", self.ledger)
        self.run("policy", "activate", os.path.join(TOP, "policies", "cancelled-behind"),
                 "--db", self.ledger)
        self.submit("team-a", "gone", 1)
        self.ask("cancel", "team-a/job-gone")
        self.ask("get", "accounts")
        self.run("policy", "rollback", "--db", self.ledger)
        other = os.path.join(TOP, "policies", "fifo-priority")
        self.ask("policy diff", policy, other, "-f", queues, "-f",
                 os.path.join(self.folder, "borrows.yaml"), "-f",
                 self.file("more.yaml", "".join(
                     JOB.format(team="team-a", name=f"more-{i}", cpus=9 - i, queue="jobs")
                     for i in range(8))), db=False, codes=(0, 1))
        self.ask("test", "-f", GANG, db=False)
        with open(GANG, encoding="utf-8") as file:
            fails = file.read().replace("count: 16}]}}", "count: 15}]}}")
        self.ask("test", "-f", self.file("fails.yaml", fails), db=False, codes=(2,))
        self.ask("test", "-f", self.file("broken.yaml", "steps: []\n"), db=False, codes=(2,))
        trace = self.file("trace.csv", "id,submit,run,requested,size\n" + "".join(
            f"job-{i},{10 * i},{60 + i},120,{1 + i % 4}\n" for i in range(20)))
        self.ask("simulate", "-f", queues, "--jobs", trace, "--queue", "team-a/jobs",
                 "--policy", "native", "--policy", policy, db=False)
        self.ask("simulate", "-f", self.file("racks.yaml", RACKS + host("r0", "h0") +
                                             host("r1", "h0")), "--jobs", trace, db=False)
        self.ask("eta calibration", "-f", queues, "--jobs", trace, "--queue", "team-a/jobs",
                 db=False)
        self.ask("backtest")
        self.ask("convert", "-f", os.path.join(self.folder, "owns.yaml"), db=False)
        tokens = os.path.join(self.folder, "tokens")
        self.run("token", "create", "me", "--role", "admin", "--tokens", tokens)
        self.ask("token list", "--tokens", tokens, db=False)
        self.ask("version", db=False)
        self.ask("import kueue", "-f", queues, "--db", os.path.join(self.folder, "other.ledger"),
                 db=False)

    def between_services(self):
        """A queue goes from a ledger to another one, each with a service."""
        served, urls = [], []
        try:
            for name, team in (("here", "team-x"), ("there", "team-y")):
                ledger = os.path.join(self.folder, f"{name}.ledger")
                queues = self.file(f"{name}.yaml", QUEUES + QUEUE.format(name=team, more=""))
                self.run("apply", "-f", queues, "--db", ledger)
                served.append(subprocess.Popen(
                    [self.muster, "serve", "--db", ledger, "--listen", "127.0.0.1:0"],
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
                urls.append(served[-1].stdout.readline().split()[-1])
            for _ in range(2):
                self.ask("move", "team-x", "--server", urls[0], "--to", urls[1], db=False)
        finally:
            for service in served:
                service.terminate()
                service.communicate()

    def live(self):
        """All of it, in order."""
        self.begin()
        self.make_room()
        self.report()
        self.prove()
        self.between_services()
