#!/usr/bin/env python3
"""A service under an open loop of submits: Poisson arrivals, keep-alive connections, listeners.

service_bench.py LOAD [--rate N] [--seconds N] [--connections N] [--listeners N]: runs $MUSTER serve
on a ledger of its own and LOAD (service_load) against it, and prints latencies beside the flush
floor of the same minute. Latencies are counted from the moment at which a request was due.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))

from service import Server  # noqa: E402  pylint: disable=wrong-import-position

# 64 queues, each with room for all, so that whatever is submitted is decided soon, and heard.
QUEUES = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
""" + "".join(f"""\
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: cq-{number}}}
spec:
  namespaceSelector: {{}}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{{name: cpu, nominalQuota: 1000000}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{name: main-{number}, namespace: team-a}}
spec: {{clusterQueue: cq-{number}}}
""" for number in range(64))


def parse(words):
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("load")
    parser.add_argument("--rate", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--listeners", type=int, default=20)
    parser.add_argument("--folder", help="where the ledger is made; default: a temporary one")
    return parser.parse_args(words)


def measure(asked, folder):
    """What the generator says, and how much memory the service had at the end, in MiB."""
    files = asked.connections + asked.listeners + 100
    resource.setrlimit(resource.RLIMIT_NOFILE,
                       (files, max(files, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    server = Server(folder)
    try:
        answer = server.ask("POST", "/v1/apply", QUEUES, {"Content-Type": "application/yaml"})
        assert answer.status == 200, answer.body
        server.ask("POST", "/v1/commands", {"command": "register-consumer", "consumer": "load"})
        said = subprocess.run([asked.load, str(server.port), str(asked.rate), str(asked.seconds),
                               str(asked.connections), str(asked.listeners), folder],
                              capture_output=True, text=True, check=True).stdout
        told = json.loads(said)
        with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
            sizes = dict(line.split(":", 1) for line in status)
        told["memoryMiB"] = int(sizes["VmHWM"].split()[0]) // 1024
        return told
    finally:
        if server.process.poll() is None:
            server.stop()
        server.verify()
        server.process.stdout.close()
        server.process.stderr.close()


def table(told):
    """For people."""
    print(f"{told['sent']} submits in {told['seconds']:.1f} s "
          f"({told['sent'] / told['seconds']:.0f} a second), answered "
          f"{told['statuses']}, {told['unanswered']} not; {told['memoryMiB']} MiB")
    if told["heard"]:
        print(f"{len(told['heard'])} listeners heard {min(told['heard'])} to {max(told['heard'])} "
              "decisions")
    print(f"{'':28}{'p50':>10}{'p99':>10}{'p99.9':>10}{'most':>10}")
    for name, text in (("latencyMs", "from due to answered, ms"), ("flushMs", "a flush, ms"),
                       ("lateMs", "the generator was late, ms")):
        row = told[name]
        parts = [row[part] for part in ("p50", "p99", "p99.9", "max")]
        print(f"{text:28}" + "".join(f"{part:10.2f}" for part in parts))


def main():
    """Prints the table."""
    asked = parse(sys.argv[1:])
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        table(measure(asked, folder))


if __name__ == "__main__":
    main()
