#!/usr/bin/env python3
"""How long nothing is decided when a serving process is killed, and another stood by.

takeover_bench.py MUSTER [--live N] [--kills K]: fills a ledger in PostgreSQL with N admitted
workloads, kills the `muster serve` of it, and measures until its standby has admitted a workload
that was submitted to it; then another stands by, and so on. Prints p50, p99 and the most of the
whole and of its parts.
"""

import argparse
import http.client
import json
import os
import pathlib
import queue
import re
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "testing"))

from postgres_server import PostgresServer  # noqa: E402  pylint: disable=wrong-import-position

COHORTS, QUEUES_OF_EACH = 100, 10
PER_CALL = 5000  # workloads that are submitted in one call
PATIENCE = 120

PARTS = (  # what is seen, in order
    ("ended", "until the killed one has ended"),
    ("taken", "then until the ledger is taken"),
    ("opened", "then until its engine is filled"),
    ("listens", "then until it listens"),
    ("answered", "then until a submit is answered"),
    ("admitted", "then until that is admitted"),
)


def queues(namespace):
    """Queues with room for all."""
    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
    yield {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
           "metadata": {"name": "default"}}
    for number in range(COHORTS * QUEUES_OF_EACH):
        quota = [{"name": "cpu", "nominalQuota": 1_000_000}]
        yield {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
               "metadata": {"name": f"cq-{number}"},
               "spec": {"cohortName": f"cohort-{number % COHORTS}", "namespaceSelector": {},
                        "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
                            {"name": "default", "resources": quota}]}]}}
        yield {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
               "metadata": {"name": f"lq-{number}", "namespace": namespace},
               "spec": {"clusterQueue": f"cq-{number}"}}


def workload(name, number, namespace="team"):
    """One of one pod."""
    container = {"name": "c", "image": "x", "resources": {"requests": {"cpu": "1"}}}
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"queueName": f"lq-{number % (COHORTS * QUEUES_OF_EACH)}",
                     "podSets": [{"name": "main", "count": 1,
                                  "template": {"spec": {"containers": [container],
                                                        "restartPolicy": "Never"}}}]}}


class Server:
    """A `muster serve`, and when it said what."""

    def __init__(self, muster, url, name, *flags):
        self.name = name
        self.said = {}  # what, when
        self.events = queue.SimpleQueue()
        self.port = 0
        place, _, ledger = url.partition("#")
        self.process = subprocess.Popen(
            [muster, "serve", *flags, "--db", f"{place}&application_name={name}#{ledger}",
             "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "MUSTER_LOG": "info"})
        for pipe in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(pipe,), daemon=True).start()

    def _read(self, pipe):
        for line in pipe:
            now = time.monotonic()
            listening = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", line)
            if listening:
                self.port = int(listening.group(1))
                self.events.put(("listens", now))
            elif "opened after commit" in line:
                self.events.put(("opened", now))
        self.events.put(("ended", time.monotonic()))

    def listens(self):
        """Waits until it does and its log says that the ledger is open."""
        while not {"opened", "listens"} <= self.said.keys():
            what, when = self.events.get(timeout=PATIENCE)
            self.said[what] = when
            if what == "ended":
                raise SystemExit("muster serve ended")

    def ask(self, method, path, body=None):
        """A call that must succeed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, json.dumps(body) if body else None,
                           {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        text = response.read()
        connection.close()
        if response.status != 200:
            raise SystemExit(f"{path}: {response.status} {text[:300]}")
        return json.loads(text)

    def submit(self, objects):
        """All of them."""
        self.ask("POST", "/v1/submit", {"apiVersion": "v1", "kind": "List", "items": objects})

    def admitted(self, name, namespace="team"):
        """Whether it is."""
        said = self.ask("GET", f"/v1/workloads/{namespace}/{name}").get("status", {})
        return any(each["type"] == "Admitted" and each["status"] == "True"
                   for each in said.get("conditions", []))


class Psql:
    """A session that is asked many times."""

    def __init__(self, url):
        self.process = subprocess.Popen(
            ["psql", "--quiet", "--no-align", "--tuples-only", "--no-psqlrc", url.split("#")[0]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, sql):
        """The first row."""
        self.process.stdin.write(sql + ";\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self):
        """Ends it."""
        self.process.stdin.close()
        self.process.wait()


def wait_until(condition, pause=0.005):
    """The moment at which it is true."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > PATIENCE:
            raise SystemExit("it did not come to that in time")
        time.sleep(pause)
    return time.monotonic()


def wait_until_caught_up(psql, name):
    """The last thing that it asked was about the lease, and so for half a second."""
    reading = (f"SELECT coalesce(bool_and(query !~ 'muster_(batch|snapshot|base)'), false) "
               f"FROM pg_stat_activity WHERE application_name = '{name}'")
    quiet = 0
    begin = time.monotonic()
    while quiet < 10:
        time.sleep(0.05)
        quiet = quiet + 1 if psql.ask(reading) == "t" else 0
        if time.monotonic() - begin > PATIENCE:
            raise SystemExit("the standby did not catch up")


def fill(server, live, namespace="team"):
    """Submits and waits until all are admitted."""
    server.ask("POST", "/v1/apply",
               {"apiVersion": "v1", "kind": "List", "items": list(queues(namespace))})
    last = ""
    for first in range(0, live, PER_CALL):
        names = [(f"w-{number}", number) for number in range(first, min(live, first + PER_CALL))]
        server.submit([workload(*each, namespace) for each in names])
        last = names[-1][0]
    if last:
        wait_until(lambda: server.admitted(last, namespace), 0.1)


def take_over(server, standby, psql, turn):
    """Seconds of each part."""
    epoch = psql.ask("SELECT epoch FROM muster_shard")
    server.process.kill()
    begin = time.monotonic()
    server.process.wait()
    at = {"ended": time.monotonic()}
    at["taken"] = wait_until(lambda: psql.ask("SELECT epoch FROM muster_shard") != epoch)
    standby.listens()
    at["opened"], at["listens"] = standby.said["opened"], standby.said["listens"]
    name = f"first-of-{turn}"
    standby.submit([workload(name, turn)])
    at["answered"] = time.monotonic()
    at["admitted"] = wait_until(lambda: standby.admitted(name))
    parts, before = {}, begin
    for part, _ in PARTS:
        parts[part], before = at[part] - before, at[part]
    parts["whole"] = at["admitted"] - begin
    return parts


def percentile(values, share):
    """Of a list."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(live, taken, loads):
    """The table."""
    print(f"{live} live workloads, {len(taken)} kills, {os.cpu_count()} processors, "
          f"load {statistics.mean(loads):.1f} (1 minute, mean)")
    print(f"{'seconds':34}{'p50':>8}{'p99':>8}{'most':>8}")
    rows = (("whole", "kill to the first decision"), *PARTS)
    for part, said in rows:
        values = [each[part] for each in taken]
        print(f"{said:34}{percentile(values, .5):8.3f}{percentile(values, .99):8.3f}"
              f"{max(values):8.3f}")


def main():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("muster")
    parser.add_argument("--live", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    asked = parser.parse_args()
    database = PostgresServer()
    servers = []
    psql = Psql(database.url("main"))

    def start(*flags):
        servers.append(Server(asked.muster, database.url("main"), f"serve-{len(servers)}", *flags))
        return servers[-1]
    try:
        server = start()
        server.listens()
        begin = time.monotonic()
        fill(server, asked.live)
        print(f"filled in {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
        taken, loads = [], []
        for turn in range(asked.kills):
            standby = start("--standby")
            wait_until_caught_up(psql, standby.name)
            taken.append(take_over(server, standby, psql, turn))
            loads.append(os.getloadavg()[0])
            server = standby
            print(turn, {part: round(value, 3) for part, value in taken[-1].items()},
                  file=sys.stderr, flush=True)
        report(asked.live, taken, loads)
    finally:
        for each in servers:
            each.process.kill()
            each.process.wait()
        psql.close()
        database.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
