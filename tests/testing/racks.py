"""A cluster of racks as manifests: a queue over one flavor of a topology, and hosts."""

RACKS = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: dc}
spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: hosts}
spec: {topologyName: dc, nodeLabels: {block: b}}
---
apiVersion: v1
kind: Namespace
metadata: {name: ml}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: ml}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: hosts, resources: [{name: cpu, nominalQuota: 100}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: q, namespace: ml}
spec: {clusterQueue: ml}
"""


def host(rack: str, name: str, cordoned: bool = False) -> str:
    """Host `RACKNAME` of 4 cpus."""
    return f"""\
---
apiVersion: v1
kind: Node
metadata:
  name: {rack}{name}
  labels: {{block: b, rack: {rack}, kubernetes.io/hostname: {rack}{name}}}
spec: {{unschedulable: {str(cordoned).lower()}}}
status: {{allocatable: {{cpu: 4, pods: 10}}, conditions: [{{type: Ready, status: "True"}}]}}
"""


def two_by_two(cordoned: bool = False) -> str:
    """Two racks of two hosts, with the queue."""
    return RACKS + "".join(host(rack, name, cordoned)
                           for rack in ("r0", "r1") for name in ("h0", "h1"))
