#!/usr/bin/env python3
"""Questions on a live state: how long `explain`, `what-if` and `eta` take, as p50 and p99.

questions_bench.py [--live N] [--questions N] [--what-ifs N] [--forwards N]

With $MUSTER_LIBRARY and $PYTHONPATH as the tests have them. Four of five workloads run, the others
wait, in queues of one cohort that are full; then single questions are asked one after another, each
about another workload. For `eta` 1,000 wait beside a ledger that knows how long 2,000 ran; a
forward run is what each further future takes. Prints a row a kind of question, in milliseconds.
"""

import argparse
import os
import statistics
import tempfile
import time

import muster

GANG = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: shape, namespace: default}
spec:
  queueName: q0
  podSets:
  - name: main
    count: 1
    template: {spec: {containers: [{name: main, resources: {requests: {nvidia.com/gpu: 1}}}]}}
"""
CLUSTER = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: v1
kind: Namespace
metadata: {name: default}
"""
QUEUE = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: q{number}}}
spec:
  namespaceSelector: {{}}
  cohortName: all
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: default
      resources: [{{name: nvidia.com/gpu, nominalQuota: {quota}}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{name: q{number}, namespace: default}}
spec: {{clusterQueue: q{number}}}
"""
QUEUES = 100
NOW = 1_767_268_800 * 10**9
HOUR = 3600 * 10**9


def world(live, waiting, ledger=None):
    """An engine at rest with so many workloads, of which so many wait."""
    engine = muster.Engine(ledger)
    quota = (live - waiting) // QUEUES
    engine.apply(CLUSTER + "".join(QUEUE.format(number=i, quota=quota) for i in range(QUEUES)), NOW)
    shape = muster.Shape(GANG)
    engine.submit([muster.Job(f"default/j{i:07}", shape, queue=f"q{i % QUEUES}")
                   for i in range(live)], NOW)
    engine.cycles(NOW)
    return engine


def row(name, times):
    """Prints the quantiles of one kind of question, if it was asked."""
    if not times:
        return
    times.sort()
    print(f"{name:<44} {len(times):6} {1e3 * statistics.median(times):10.3f} "
          f"{1e3 * times[min(len(times) - 1, len(times) * 99 // 100)]:10.3f}", flush=True)


def ask(questions, call):
    """Seconds of each call."""
    times = []
    for number in range(questions):
        begin = time.perf_counter()
        call(number)
        times.append(time.perf_counter() - begin)
    return times


def world_with_a_past(live, ledger):
    """The same in a ledger, in which a thousand wait and 2,000 have ended, after up to an hour."""
    engine = world(live + 2000, 3000, ledger)
    for number in range(2000):
        now = NOW + (number + 1) * HOUR // 2000
        engine.finish([f"default/j{number:07}"], now=now)
    engine.cycles(NOW + HOUR)
    return engine


def forward_runs(engine, count):
    """Seconds of a forward run, as often: what eight futures more take, by eight."""
    job = engine.get("workloads", states=["pending"])[-1]["metadata"]
    name = f"{job['namespace']}/{job['name']}"

    def asked(futures):
        begin = time.perf_counter()
        engine.eta([name], NOW + HOUR, futures=futures, questions=0, arrivals=False)
        return time.perf_counter() - begin

    return [max(0, asked(16) - asked(8)) / 8 for _ in range(count)]


def name_of(number):
    """A workload as commands name it."""
    return {"namespace": "default", "name": f"j{number:07}"}


def main():
    """Builds the state and asks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--live", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--what-ifs", type=int, default=20)
    parser.add_argument("--forwards", type=int, default=5)
    options = parser.parse_args()
    engine = world(options.live, options.live // 5)
    last = options.live - 1
    print(f"{'question, ' + str(options.live) + ' live':<44} {'asked':>6} {'p50, ms':>10} "
          f"{'p99, ms':>10}")
    row("explain one that waits", ask(options.questions, lambda i: engine.explain(
        f"default/j{last - i % (options.live // 10):07}")))
    row("explain one that runs", ask(options.questions, lambda i: engine.explain(
        f"default/j{i % (options.live // 2):07}")))
    new = {"key": {"namespace": "default", "name": "new"}, "queue": "q3", "podSets": [
        {"name": "main", "count": 1, "pods": {"containers": [
            {"name": "main", "requests": {"nvidia.com/gpu": "1"}}]}}]}
    row("what if one more came", ask(options.what_ifs, lambda _: engine.what_if(
        [{"command": "submit", "workloads": [new]}], NOW)))
    row("what if one ended", ask(options.what_ifs, lambda i: engine.what_if(
        [{"command": "finish", "workloads": [name_of(i)]}], NOW)))
    engine.close()
    if options.forwards > 0:
        with tempfile.TemporaryDirectory() as folder:
            engine = world_with_a_past(options.live, os.path.join(folder, "past.ledger"))
            row("run forward, 1000 waiting", forward_runs(engine, options.forwards))
            engine.close()


if __name__ == "__main__":
    main()
