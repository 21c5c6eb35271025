#!/usr/bin/env python3
"""A year of a cluster, played by `muster simulate`: time, memory, what a second thread is worth.

year_bench.py [--jobs N] [--gpus N] [--queues N] [--seed N] [--folder F] [--repetitions N]
              [--singly] MUSTER

A log of N jobs over a year, whose sizes and run times are drawn from the quantiles of Philly below
(the same bytes for the same seed), is offered to queues of one cohort that borrow, reclaim and
preempt. Run times are stretched until 97 % of all GPUs are asked for. The whole command is timed:
reading, playing under the native rules, and figures; no journal is kept.
  a policy           seconds on the clock and of processors, and most memory
  two side by side   the same policy twice, on two threads: twice the work. The scaling is twice the
                     time of one over the time of two; with --singly they are not played
Prints a table; exit 1 when a run fails.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

YEAR = 365 * 86400
LOAD = 0.97
# Of philly_gangs_2017-08_2017-10.csv (Jeon et al., ATC 2019, CC-BY-4.0): parts of a thousand jobs
# by GPUs, and every twentieth of the run times in seconds.
SIZES = ((1, 901), (2, 20), (4, 36), (8, 38), (16, 4), (32, 1))
RUNS = {
    1: (1, 48, 63, 73, 126, 299, 560, 769, 999, 1273, 1511, 1860, 2127, 2496, 2743, 3611, 5094,
        8113, 15013, 48548, 1000000),
    2: (2, 13, 17, 20, 35, 101, 211, 541, 962, 1695, 4154, 12467, 27359, 45085, 66471, 88504,
        129345, 190079, 275483, 472393, 1500000),
    8: (2, 44, 144, 380, 770, 1009, 1625, 3116, 5760, 11217, 18393, 33289, 51296, 81380, 114162,
        164903, 210364, 322881, 483486, 797955, 2000000),
}

HEAD = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
"""
QUEUE = """\
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  namespaceSelector: {{}}
  cohortName: all
  preemption: {{reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: default
      resources: [{{name: nvidia.com/gpu, nominalQuota: {quota}}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{name: {name}, namespace: default}}
spec: {{clusterQueue: {name}}}
"""


def run_time(draw, gpus):
    """Between two of the quantiles of jobs of its size, evenly."""
    quantiles = RUNS[1 if gpus == 1 else 2 if gpus < 8 else 8]
    at = draw.random() * (len(quantiles) - 1)
    below = quantiles[int(at)]
    return below + (quantiles[int(at) + 1] - below) * (at - int(at))


def write_log(path, options):
    """The jobs, in order of their arrival."""
    draw = random.Random(options.seed)
    gpus = [size for size, part in SIZES for _ in range(part)]
    sizes = [draw.choice(gpus) for _ in range(options.jobs)]
    runs = [run_time(draw, size) for size in sizes]
    asked = sum(size * run for size, run in zip(sizes, runs))
    span = YEAR * options.jobs // 1_000_000
    stretch = LOAD * options.gpus * span / asked
    arrivals = sorted(draw.random() * span for _ in sizes)
    with open(path, "w", encoding="utf-8") as out:
        out.write("id,submit,run,size,pods,queue\n")
        for number, (at, size, run) in enumerate(zip(arrivals, sizes, runs)):
            queue = int(options.queues * draw.random() ** 2)  # some ask for more than they have
            out.write(f"{number},{at:.0f},{max(1, run * stretch):.0f},{size},{max(1, size // 8)},"
                      f"q{queue}\n")


def write_cluster(path, options):
    """Queues of equal quota in one cohort."""
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD)
        for number in range(options.queues):
            out.write(QUEUE.format(name=f"q{number}", quota=options.gpus // options.queues))


def timed(command):
    """(seconds, of processors, most MB, what it printed)."""
    with tempfile.TemporaryFile() as said:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=said)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"year_bench.py: {' '.join(command)}: exit code {process.returncode}")
        said.seek(0)
        return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said.read().decode()


def print_row(name, runs):
    """Prints the medians of runs; returns that of the seconds."""
    seconds, processor, memory = (statistics.median(each[part] for each in runs)
                                  for part in range(3))
    print(f"{name:<17} {seconds:8.2f} s   {processor:8.2f} s of processors {memory:7.0f} MB")
    return seconds


def main():
    """Writes log and cluster, runs, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1_000_000)
    parser.add_argument("--gpus", type=int, default=10_000)
    parser.add_argument("--queues", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--singly", action="store_true")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--folder", help="keep the log and the cluster here")
    parser.add_argument("muster")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or made
        log, cluster = (os.path.join(folder, name) for name in ("year.csv", "cluster.yaml"))
        write_log(log, options)
        write_cluster(cluster, options)
        call = [options.muster, "simulate", "-f", cluster, "--jobs", log, "-o", "json"]
        native = ["--policy", "native"]
        ones = [timed(call + native) for _ in range(options.repetitions)]
        twos = [] if options.singly else [timed(call + native + native)
                                          for _ in range(options.repetitions)]
    said = json.loads(ones[0][3])["policies"][0]
    print(f"{options.jobs} jobs on {options.gpus} GPUs in {options.queues} queues")
    one = print_row("a policy", ones)
    if twos:
        print(f"scaling           {2 * one / print_row('two side by side', twos):8.2f}")
    print({key: said[key] for key in said if not isinstance(said[key], (list, dict))})


if __name__ == "__main__":
    main()
