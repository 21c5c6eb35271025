"""`muster what-if` and the certificates of `muster explain`, as a user meets them.

    cli_test.py MUSTER
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

MUSTER = sys.argv[1]
NOW = ["--now", "2026-03-02T10:00:00Z"]

QUEUE = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  cohortName: both
  namespaceSelector: {{}}
  preemption: {{reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: a100
      resources: [{{name: nvidia.com/gpu, nominalQuota: 4, borrowingLimit: {limit}}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{name: {name}, namespace: team}}
spec: {{clusterQueue: {name}}}
---
"""
CLUSTER = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: a100}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
""" + QUEUE.format(name="red", limit=1) + QUEUE.format(name="blue", limit=4)

JOB = """
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
  namespace: team
  labels: {{kueue.x-k8s.io/queue-name: {queue}}}
spec:
  parallelism: {pods}
  completions: {pods}
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: c
        image: i
        resources: {{requests: {{nvidia.com/gpu: 1}}, limits: {{nvidia.com/gpu: 1}}}}
---
"""


class WhatIf(unittest.TestCase):
    """A job of 5 waits behind one of 3 in a queue of 4 and 1 more."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.state = ["-f", self.write("cluster.yaml", CLUSTER), self.write(
            "jobs.yaml", JOB.format(name="runs", queue="red", pods=3)
            + JOB.format(name="waits", queue="red", pods=5)), *NOW]
        self.ledger = os.path.join(self.folder.name, "day.ledger")

    def write(self, name, text):
        """The path of a file with this text."""
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def muster(self, *words, code=0):
        """What one call came to."""
        said = subprocess.run([MUSTER, *words], check=False, capture_output=True, text=True)
        self.assertEqual(said.returncode, code, said.stdout + said.stderr)
        return said

    def ask(self, *words):
        """The changes of an answer, by workload."""
        answer = json.loads(self.muster("what-if", *words, "-o", "json").stdout)
        self.assertEqual(answer["different"], len(answer["changes"]))
        return {change["workload"]: change["change"] for change in answer["changes"]}

    def make_ledger(self):
        """The same state on disk, and its options."""
        if not os.path.exists(self.ledger):
            self.muster("apply", *self.state[:3], "--db", self.ledger, *NOW)
            self.muster("schedule", "--db", self.ledger, *NOW, "--until-idle")
        return ["--db", self.ledger, *NOW]

    def test_the_smallest_change_helps_and_one_less_does_not(self):
        told = json.loads(self.muster("explain", "team/waits", *self.state, "-o", "json").stdout)
        ways = {each["field"]: each for [each] in told["smallestChanges"]}
        self.assertEqual(ways["borrowingLimit"]["more"], "3")
        self.assertEqual(ways["borrowingLimit"]["to"], "4")
        self.assertEqual(ways["nominalQuota"]["more"], "3")
        self.assertEqual(told["mostPods"], [{"podSet": "main", "fits": 2, "asked": 5}])
        quota = "red/a100/nvidia.com/gpu="
        self.assertEqual(self.ask("--quota", quota + "+3", *self.state),
                         {"team/job-waits": "starts"})
        self.assertEqual(self.ask("--quota", quota + "+2", *self.state), {})
        self.assertEqual(self.ask("--quota", quota + ways["nominalQuota"]["to"], *self.state),
                         {"team/job-waits": "starts"})

    def test_a_misspelt_quota_is_told_what_there_is(self):
        cluster = self.write("two-flavors.yaml", CLUSTER.replace(
            "[nvidia.com/gpu]", "[cpu, nvidia.com/gpu]").replace(
                "resources: [", "resources: [{name: cpu, nominalQuota: 8}, ").replace(
                    "    - name: a100", """    - name: spot
      resources: [{name: cpu, nominalQuota: 8}, {name: nvidia.com/gpu, nominalQuota: 1}]
    - name: a100""") + """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
""")
        for word, cure in (("a100/gpu", 'write "a100/nvidia.com/gpu"'),
                           ("a100/nvidia.com/gpus", 'write "a100/nvidia.com/gpu"'),
                           ("a10/nvidia.com/gpu", 'write "a100/nvidia.com/gpu"'),
                           ("a10/gpu", 'write "a100/nvidia.com/gpu"'),
                           ("spott/cpu", 'write "spot/cpu"'),
                           ("a100/memory", "write one of a100/cpu, a100/nvidia.com/gpu"),
                           ("other/cpu", "write one of spot/cpu, a100/cpu"),
                           ("other/memory", "its flavors are spot, a100")):
            said = self.muster("what-if", "--quota", f"red/{word}=1", "-f", cluster, code=2).stderr
            self.assertIn(f"there is no quota in ClusterQueue red for {word}; {cure}\n", said)

    def test_a_start_that_no_future_has_is_told_with_the_futures_there_were(self):
        ledger = self.make_ledger()
        told = json.loads(self.muster("eta", *ledger, "-o", "json").stdout)
        [waits] = told["workloads"]
        self.assertTrue(waits["unknown"], "of what runs no time is known")
        self.assertEqual((told["futures"], waits["futuresWithoutStart"]),
                         (waits["futures"], waits["futures"]))
        self.assertLess(told["futures"], 39)
        self.assertIn(f"{told['futures']} futures from 2026", said := self.muster(
            "eta", *ledger).stdout)
        self.assertIn(" instead of 39, as nothing that was asked about starts in them, with", said)

    def test_certificates_are_printed(self):
        said = self.muster("explain", "team/waits", *self.state).stdout
        self.assertIn("- 3 more nvidia.com/gpu of flavor a100 in nominalQuota of ClusterQueue red "
                      "(4 -> 7)", said)
        self.assertIn("2 of 5 pods of podset main", said)

    def test_each_change_is_asked_about(self):
        job = self.write("more.yaml", JOB.format(name="more", queue="blue", pods=4))
        commands = self.write("commands.json", json.dumps(
            [{"command": "finish", "workloads": [{"namespace": "team", "name": "job-runs"}]}]))
        for words, expected in (
                (["--with", job], {"team/job-more": "starts"}),
                (["--with", job, "--drain", "blue"], {"team/job-more": "waits"}),
                (["--drain", "red"], {"team/job-runs": "leaves"}),
                (["--priority", "team/waits=100"], {}),
                (["--priority", "waits=100", "-n", "team", "--quota", "red/a100/nvidia.com/gpu=5"],
                 {"team/job-runs": "leaves", "team/job-waits": "starts"}),
                (["--finish", "team/runs", "--quota", "red/a100/nvidia.com/gpu=5"],
                 {"team/job-runs": "ends", "team/job-waits": "starts"}),
                (["--cancel", "team/runs"],
                 {"team/job-runs": "is gone", "team/job-waits": "starts"}),
                (["--commands", commands],
                 {"team/job-runs": "ends", "team/job-waits": "starts"}),
                (["--activate", "native"], {})):
            for state in (self.state, None):
                state = state or self.make_ledger()
                self.assertEqual(self.ask(*words, *state), expected, words)

    def test_the_ledger_is_only_read(self):
        state = self.make_ledger()
        with open(self.ledger, "rb") as file:
            before = file.read()
        said = self.muster("what-if", "--finish", "team/runs", *state).stdout
        self.assertIn("Nothing was written.", said)
        with open(self.ledger, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_mistakes_are_told_with_what_to_write(self):
        bad = self.write("bad.json", '[{"command":"finish",\n"workloads":[{"nam":"x"}]}]')
        absent = self.write("absent.json", json.dumps(
            {"command": "finish", "workloads": [{"namespace": "team", "name": "none"}]}))
        for words, code, told in (
                ([], 1, "say what changes"),
                (["--quota", "red"], 1, "QUEUE/FLAVOR/RESOURCE=N"),
                (["--quota", "red/a100/nvidia.com/gpu=lots"], 1, "QUEUE/FLAVOR/RESOURCE=N"),
                (["--quota", "red/a100/nvidia.com/gpu=-9"], 2, "it has only 4"),
                (["--quota", "rad/a100/nvidia.com/gpu=9"], 2, 'write "red"'),
                (["--quota", "red/a10/nvidia.com/gpu=9"], 2, 'write "a100/nvidia.com/gpu"'),
                (["--drain", "green"], 2, "no ClusterQueue green"),
                (["--priority", "team/waits"], 1, "team-a/job-train=1000"),
                (["--priority", "team/waits=soon"], 1, "not 'team/waits=soon'"),
                (["--priority", "team/none=1"], 2, "there is no workload 'team/none'"),
                (["--finish", "team/none"], 2, "there is no workload 'team/none'"),
                (["--finish", "waits"], 1, "waits"),
                (["--commands", bad], 2, "bad.json:2:15: "),
                (["--commands", absent], 2, "command finish was refused"),
                (["--with", self.write("bad.yaml", CLUSTER.replace("4,", "-4,"))], 2,
                 "bad.yaml:"),
                (["--activate", "policies/none-such"], 1, "none-such")):
            said = self.muster("what-if", *words, *self.state, code=code)
            self.assertIn(told, said.stderr, words)
            self.assertEqual(said.stdout, "", words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
