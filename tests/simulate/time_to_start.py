"""The table of docs/time-to-start.md: how well expected starts held on published logs.

    time_to_start.py MUSTER TRACES [--questions N] [NAME...]

Each log is played on queues of the size that its cluster had. Takes minutes for each of them.
"""

import argparse
import json
import os
import subprocess
import tempfile

FLAVOR = """apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: { name: default }
---
apiVersion: v1
kind: Namespace
metadata: { name: default }
"""
QUEUE = """---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{ name: "{name}" }}
spec:
  namespaceSelector: {{}}
  cohortName: all
  preemption: {{ reclaimWithinCohort: Any }}
  resourceGroups:
  - coveredResources: [ nvidia.com/gpu ]
    flavors:
    - name: default
      resources: [ {{ name: nvidia.com/gpu, nominalQuota: {quota} }} ]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{ name: "{name}", namespace: default }}
spec: {{ clusterQueue: "{name}" }}
"""

# Name of a log -> its file, and the quota of each of its queues.
LOGS = {
    "SDSC-SP2": ("swf/SDSC-SP2-1998-4.2-cln.swf.gz", {"all": 128}),
    "SDSC-BLUE": ("swf/SDSC-BLUE-2000-4.2-cln.weeks01-26.swf.gz", {"all": 1152}),
    "Helios Venus": ("helios-venus/helios_venus_2vc_sept.csv", {"vcvgl": 160, "vcvly": 16}),
    "Lublin 1": ("swf/lublin_256.swf.gz", {"all": 256}),
    "Lublin 2": ("swf/lublin_256_new2.swf.gz", {"all": 256}),
    # A quarter of each virtual cluster, as what was recorded asks for little of the whole.
    "Philly": ("philly/philly_2017-09_2017-10.csv.gz",
               {"6214e9": 128, "b436b2": 128, "ee9e8c": 128, "7f04ca": 64, "6c71a0": 64,
                "0e4a51": 64, "11cb48": 32, "e13805": 32, "2869ce": 32, "ed69ec": 16,
                "103959": 16, "23dbec": 16}),
    "Philly gangs": ("philly/philly_gangs_2017-08_2017-10.csv.gz", {"all": 1200}),
}


def span(seconds):
    """As people write it."""
    size = abs(seconds)
    for unit, name in ((86400, "d"), (3600, "h"), (60, "min")):
        if size >= 2 * unit:
            return f"{seconds / unit:.1f} {name}"
    return f"{seconds} s"


def rows_of(muster, file, quotas, questions, folder):
    """A row of figures for each estimate."""
    cluster = os.path.join(folder, "cluster.yaml")
    with open(cluster, "w", encoding="utf-8") as out:
        out.write(FLAVOR + "".join(QUEUE.format(name=name, quota=quota)
                                   for name, quota in quotas.items()))
    words = ["-f", cluster, "--jobs", file, "--questions", str(questions), "-o", "json"]
    if "all" in quotas:
        words += ["--queue", "all"]
    said = subprocess.run([muster, "eta", "calibration", *words], check=True, capture_output=True,
                          text=True)
    for each in json.loads(said.stdout)["estimates"]:
        answers = max(1, each["answers"])
        parts = [f"{100 * each[name] / answers:.0f} %"
                 for name in ("within50", "within90", "beforeP50", "beforeP90")]
        yield [each["estimate"], str(each["answers"]), *parts,
               *(span(each[name]) for name in ("medianWidth50Seconds", "medianWidth90Seconds",
                                               "medianLateSeconds"))]


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("muster")
    parser.add_argument("traces")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    print("| log | estimate | answers | in 50 % | in 90 % | before P50 | before P90 "
          "| width 50 % | width 90 % | late |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or LOGS:
            file, quotas = LOGS[name]
            for row in rows_of(options.muster, os.path.join(options.traces, file), quotas,
                               options.questions, folder):
                print("| " + " | ".join([name, *row]) + " |", flush=True)


if __name__ == "__main__":
    main()
