"""What becomes of a run that is told to end, or whose files may not grow."""

import json
import os
import resource
import signal
import subprocess
import tempfile
import unittest

MUSTER = os.environ["MUSTER"]
QUEUES = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: red}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: red, namespace: lab}
spec: {clusterQueue: red}
"""
MANY_CYCLES = "2147483647"


def job(number):
    """A Workload that asks for little."""
    return f"""---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {{name: job-{number}, namespace: lab}}
spec:
  queueName: red
  podSets:
  - name: main
    count: 1
    template:
      spec: {{containers: [{{name: c, resources: {{requests: {{cpu: 1}}}}}}], restartPolicy: Never}}
"""


class Signals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ledger = os.path.join(folder.name, "cluster.ledger")

    def muster(self, *words, text="", **how):
        return subprocess.run([MUSTER, *words, "--db", self.ledger], input=text, text=True,
                              capture_output=True, check=False, **how)

    def interrupted(self, signal_sent, *words):
        """What is said by a run of cycles that the signal ends after the first of them."""
        self.assertEqual(self.muster("apply", "-f", "-", text=QUEUES + job(1)).returncode, 0)
        command = [MUSTER, "schedule", "--cycles", MANY_CYCLES, "--db", self.ledger, *words]
        with subprocess.Popen(command, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as run:
            first = run.stdout.readline()
            run.send_signal(signal_sent)
            rest = run.stdout.read()
            errors = run.stderr.read()
            run.wait(timeout=60)
        self.assertEqual(errors, "muster: interrupted\n")
        return run.returncode, first + rest

    def test_a_run_that_is_interrupted_ends_with_its_summary(self):
        code, said = self.interrupted(signal.SIGINT)
        self.assertEqual(code, 128 + signal.SIGINT)
        self.assertTrue(said.startswith("Cycle 1 at "), said[:80])
        self.assertRegex(said, r"\nSummary: \d+ cycles?, 1 admitted")

    def test_a_run_that_is_terminated_leaves_whole_json(self):
        code, said = self.interrupted(signal.SIGTERM, "-o", "json")
        self.assertEqual(code, 128 + signal.SIGTERM)
        self.assertIn("lab/job-1", json.loads(said)["steps"][0]["admitted"])

    def test_a_file_that_may_not_grow_is_a_write_that_fails(self):
        self.assertEqual(self.muster("apply", "-f", "-", text=QUEUES).returncode, 0)
        little = os.path.getsize(self.ledger) + 4096
        jobs = "".join(job(number) for number in range(200))
        refused = self.muster("submit", "-f", "-", text=jobs, preexec_fn=lambda:
                              resource.setrlimit(resource.RLIMIT_FSIZE, (little, little)))
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertIn(self.ledger, refused.stderr)
        self.assertEqual(self.muster("ledger", "verify").returncode, 0)
        self.assertNotIn("lab", self.muster("get", "workloads").stdout)
        self.assertEqual(self.muster("submit", "-f", "-", "--quiet", text=jobs).returncode, 0)


if __name__ == "__main__":
    unittest.main()
