#!/usr/bin/env python3
"""A service under an open loop of submits: Poisson arrivals, keep-alive connections, listeners.

service_bench.py LOAD [--rate N] [--seconds N] [--connections N] [--listeners N] [--finish]: runs
$MUSTER serve on a ledger of its own and LOAD (service_load) against it, and prints latencies beside
the flush floor of the same minute. Latencies are counted from the moment at which a request was
due. With --finish a gateway reads the decisions and reports each job that starts as finished, so
that as much ends as comes; then the memory of the service is told from tenth to tenth of the time.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))

from service import Server  # noqa: E402  pylint: disable=wrong-import-position

# With --finish: jobs that have ended are forgotten, as a service that runs for long is told to.
RETENTION = """\
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
objectRetentionPolicies: {workloads: {afterFinished: 5s}}
---
"""
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


class Gateway:
    """Finishes what starts, and says that it has, until it is told to end."""

    def __init__(self, server):
        self.server = server
        self.finished = 0
        self.trouble = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.command("register-consumer", consumer="gateway")

    def command(self, name, **fields):
        """A command of the gateway's, carried out or told of by an exception."""
        answer = self.server.ask("POST", "/v1/commands", {"command": name, **fields})
        if answer.status != 200:
            raise RuntimeError(f"{name}: {answer.status} {answer.body[:500]}")

    def run(self):
        """The loop of a gateway, on one thread."""
        try:
            while not self.over.is_set():
                told = self.server.ask(
                    "GET", "/v1/decisions?consumer=gateway&wait=1&limit=5000").json["decisions"]
                started = [each["workload"] for each in told if each["kind"] == "start"]
                if started:
                    self.command("finish", workloads=started)
                    self.command("acknowledge", consumer="gateway", upto=told[-1]["number"])
                self.finished += len(started)
        except (OSError, RuntimeError, KeyError, ValueError) as error:
            self.trouble = error


class Memory:
    """How much memory a process has, looked at from time to time."""

    def __init__(self, process, pause):
        self.status = f"/proc/{process}/status"
        self.pause = pause
        self.over = threading.Event()
        self.seen = []
        self.thread = threading.Thread(target=self.run)

    def now(self, field):
        """A field of the process's status, in MiB."""
        with open(self.status, encoding="ascii") as status:
            sizes = dict(line.split(":", 1) for line in status)
        return int(sizes[field].split()[0]) // 1024

    def run(self):
        """Looks until it is told to end."""
        while not self.over.wait(self.pause):
            self.seen.append(self.now("VmRSS"))


def parse(words):
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("load")
    parser.add_argument("--rate", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--listeners", type=int, default=20)
    parser.add_argument("--finish", action="store_true", help="each job ends once it has started")
    parser.add_argument("--folder", help="where the ledger is made; default: a temporary one")
    return parser.parse_args(words)


def end(helpers):
    """Threads that go on until they are told."""
    for helper in helpers:
        helper.over.set()
        helper.thread.join()


def measure(asked, folder):
    """What the generator says, and how much memory the service had at the end, in MiB."""
    files = asked.connections + asked.listeners + 100
    resource.setrlimit(resource.RLIMIT_NOFILE,
                       (files, max(files, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    server = Server(folder)
    helpers = []
    try:
        answer = server.ask("POST", "/v1/apply", (RETENTION if asked.finish else "") + QUEUES,
                            {"Content-Type": "application/yaml"})
        assert answer.status == 200, answer.body
        memory = Memory(server.process.pid, asked.seconds / 10)
        if asked.finish:
            helpers = [memory, Gateway(server)]
        else:  # decisions are kept for consumers alone
            server.ask("POST", "/v1/commands", {"command": "register-consumer", "consumer": "load"})
        for helper in helpers:
            helper.thread.start()
        said = subprocess.run([asked.load, str(server.port), str(asked.rate), str(asked.seconds),
                               str(asked.connections), str(asked.listeners), folder],
                              capture_output=True, text=True, check=True).stdout
        told = json.loads(said)
        told["memoryMiB"] = memory.now("VmHWM")
        end(helpers)
        if asked.finish:
            gateway = helpers[1]
            if gateway.trouble:
                raise RuntimeError("the gateway stopped") from gateway.trouble
            told["finished"], told["memoryByTenthsMiB"] = gateway.finished, memory.seen
        return told
    finally:
        end(helpers)
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
    if "finished" in told:
        print(f"{told['finished']} finished; memory by tenths of the time, MiB: " +
              " ".join(map(str, told["memoryByTenthsMiB"])))
    if told["heard"]:
        print(f"{len(told['heard'])} listeners heard {min(told['heard'])} to {max(told['heard'])} "
              f"decisions, the last of them {told['behindMs'] / 1000:.1f} s after the last answer")
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
