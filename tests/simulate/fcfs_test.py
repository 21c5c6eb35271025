"""`muster simulate` against a naive first come, first served, job by job.

    fcfs_test.py MUSTER SHARED [all]     exit 77 when the log is not there
"""

import csv
import os
import subprocess
import sys
import tempfile
import unittest

from fcfs import first_come_first_served, jobs_of

MUSTER, SHARED = sys.argv[1:3]
FIRST = None if "all" in sys.argv[3:] else 4000
LOG = os.path.join(SHARED, "traces/swf/SDSC-BLUE-2000-4.2-cln.weeks01-26.swf.gz")
PROCESSORS = 1152
CLUSTER = f"""
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {{ name: nodes }}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {{ name: machine }}
spec:
  queueingStrategy: StrictFIFO
  namespaceSelector: {{}}
  resourceGroups:
  - coveredResources: ["cpu"]
    flavors:
    - name: nodes
      resources: [ {{ name: cpu, nominalQuota: {PROCESSORS} }} ]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {{ name: all, namespace: default }}
spec: {{ clusterQueue: machine }}
"""


class Fcfs(unittest.TestCase):
    """One queue, StrictFIFO, no priorities."""

    def test_a_log_by_hand(self):
        jobs = [("a", 0, 10, 3), ("b", 1, 5, 2), ("c", 2, 1, 1), ("d", 20, 1, 4)]
        self.assertEqual(first_come_first_served(jobs, 4),
                         {"a": (0, 10), "b": (10, 15), "c": (10, 11), "d": (20, 21)})

    def test_job_by_job(self):
        jobs = jobs_of(LOG, FIRST)
        wanted = first_come_first_served(jobs, PROCESSORS)
        got = self.simulated(jobs)
        self.assertEqual(len(got), len(jobs))
        wrong = [(name, got[name], span) for name, span in wanted.items() if got[name] != span]
        self.assertEqual(wrong, [])
        self.assertGreater(sum(start > submit for (_, submit, _, _), (start, _) in
                               zip(jobs, wanted.values())), len(jobs) // 20, "nothing waited")

    def simulated(self, jobs):
        """{id: (start, end)} as the program says."""
        with tempfile.TemporaryDirectory() as folder:
            cluster, each = os.path.join(folder, "cluster.yaml"), os.path.join(folder, "each.csv")
            with open(cluster, "w", encoding="utf-8") as file:
                file.write(CLUSTER)
            subprocess.run([MUSTER, "simulate", "-f", cluster, "--jobs", LOG, "--first",
                            str(len(jobs)), "--each-job", each], check=True,
                           stdout=subprocess.DEVNULL)
            with open(each, encoding="utf-8", newline="") as file:
                return {row["job"]: (int(row["started"]), int(row["ended"]))
                        for row in csv.DictReader(file)}


if __name__ == "__main__":
    if not os.path.exists(LOG):
        print("skipped: there is no", LOG)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
