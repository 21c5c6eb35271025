#!/usr/bin/env python3
"""Questions on a live state: how long `what-if` and `explain` take, as p50 and p99.

questions_bench.py [--live N] [--questions N] [--what-ifs N]

With $MUSTER_LIBRARY and $PYTHONPATH as the tests have them. Four of five workloads run, the others
wait, in queues of one cohort that are full; then single questions are asked one after another, each
about another workload. Prints a row a kind of question, in milliseconds.
"""

import argparse
import statistics
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


def world(live):
    """An engine at rest with so many workloads."""
    engine = muster.Engine()
    quota = live * 4 // 5 // QUEUES
    engine.apply(CLUSTER + "".join(QUEUE.format(number=i, quota=quota) for i in range(QUEUES)), NOW)
    shape = muster.Shape(GANG)
    engine.submit([muster.Job(f"default/j{i:07}", shape, queue=f"q{i % QUEUES}")
                   for i in range(live)], NOW)
    engine.cycles(NOW)
    return engine


def row(name, times):
    """Prints the quantiles of one kind of question."""
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


def name_of(number):
    """A workload as commands name it."""
    return {"namespace": "default", "name": f"j{number:07}"}


def main():
    """Builds the state and asks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--live", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--what-ifs", type=int, default=20)
    options = parser.parse_args()
    engine = world(options.live)
    last = options.live - 1
    print(f"{'question, ' + str(options.live) + ' live':<44} {'asked':>6} {'p50, ms':>10} "
          f"{'p99, ms':>10}")
    row("explain one that waits", ask(options.questions, lambda i: engine.explain(
        f"default/j{last - i % (options.live // 10):07}")))
    new = {"key": {"namespace": "default", "name": "new"}, "queue": "q3", "podSets": [
        {"name": "main", "count": 1, "pods": {"containers": [
            {"name": "main", "requests": {"nvidia.com/gpu": "1"}}]}}]}
    row("what if one more came", ask(options.what_ifs, lambda _: engine.what_if(
        [{"command": "submit", "workloads": [new]}], NOW)))
    row("what if one ended", ask(options.what_ifs, lambda i: engine.what_if(
        [{"command": "finish", "workloads": [name_of(i)]}], NOW)))


if __name__ == "__main__":
    main()
