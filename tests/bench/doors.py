"""Prints the seconds of the processor that submitting 1,000 jobs so many times takes.

  doors.py BATCHES
"""

import sys
import time

import muster

QUEUE = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor,
 metadata: {name: default}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue,
 metadata: {name: team}, spec: {namespaceSelector: {}, resourceGroups: [
  {coveredResources: [cpu], flavors: [
    {name: default, resources: [{name: cpu, nominalQuota: 1}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
 metadata: {name: lq-team, namespace: default}, spec: {clusterQueue: team}}
"""
SHAPE = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload,
 metadata: {name: shape, namespace: default}, spec: {queueName: lq-team, podSets: [
  {name: main, count: 1,
   template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}]}}
"""
BATCH = 1000


def main():
    with muster.Engine() as engine:
        engine.apply(QUEUE)
        shape = muster.Shape(SHAPE)
        start = time.process_time()
        for batch in range(int(sys.argv[1])):
            first = batch * BATCH
            engine.submit([muster.Job(f"default/w-{i}", shape, queue="lq-team")
                           for i in range(first, first + BATCH)])
        print(time.process_time() - start)


if __name__ == "__main__":
    main()
