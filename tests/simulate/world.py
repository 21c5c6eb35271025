"""A cluster of two teams, and a log of jobs that is made up but the same every time."""

CLUSTER = """
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: { name: gpu }
""" + "".join(f"""
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {{ name: {name} }}
spec:
  cohort: all
  namespaceSelector: {{}}
  preemption: {{ reclaimWithinCohort: Any }}
  resourceGroups:
  - coveredResources: ["nvidia.com/gpu"]
    flavors:
    - name: gpu
      resources: [ {{ name: nvidia.com/gpu, nominalQuota: {quota} }} ]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {{ name: {name}, namespace: default }}
spec: {{ clusterQueue: {name} }}
""" for name, quota in (("red", 12), ("blue", 4)))


class Numbers:
    """Numbers that look random, the same from the same seed."""

    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        """One from 0 to count - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % count


def log_of(count):
    """A table of `count` jobs over ten days; one job has a name that tries to be markup."""
    rows, draw = ["job,at,seconds,gpus,team"], Numbers(1)
    for i in range(count):
        name = "<b>team" if i == count // 2 else f"job-{i}"
        run = 60 + draw.below(20000) * (1 + draw.below(3))
        size = 1 + draw.below(8) if draw.below(4) == 0 else 1
        rows.append(f"{name},{i * 1440},{run},{size},{'red' if draw.below(3) else 'blue'}")
    return "\n".join(rows) + "\n"
