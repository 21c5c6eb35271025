"""A ledger that a few calls make by hand: one queue of 4 cpu, and jobs of it."""

import os
import subprocess

CLUSTER = """
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: l, namespace: a}
spec: {clusterQueue: q}
"""
JOB = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {{name: {name}, namespace: a}}
spec:
  queueName: l
  podSets:
  - name: main
    count: 1
    template: {{spec: {{containers: [{{name: c, resources: {{requests: {{cpu: {cpu}}}}}}}]}}}}
"""


class Story:
    """A ledger in a folder, which begins with the cluster at 10:00."""

    def __init__(self, muster, folder, name):
        self.muster, self.ledger = muster, os.path.join(folder, name)
        self.at("10:00:00", "apply", "-f", "-", stdin=CLUSTER)

    def ask(self, *words, stdin=None):
        """What a call prints."""
        said = subprocess.run([self.muster, *words, "--db", self.ledger], check=False,
                              capture_output=True, text=True, input=stdin)
        assert said.returncode == 0, f"{words}: {said.stderr}"
        return said.stdout

    def at(self, clock, *words, stdin=None):
        """A call at that time of the day."""
        return self.ask(*words, "--now", f"2026-03-02T{clock}Z", stdin=stdin)

    def submit(self, clock, name, cpu):
        """A job that asks for so many cpu, and cycles until nothing changes."""
        self.at(clock, "submit", "-f", "-", stdin=JOB.format(name=name, cpu=cpu))
        self.at(clock, "schedule", "--until-idle")
