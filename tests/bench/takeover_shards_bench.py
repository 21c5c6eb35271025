#!/usr/bin/env python3
"""How long nothing is decided in the ledgers of an instance of muster serve --shards that is lost.

takeover_shards_bench.py MUSTER [--live N] [--trees T] [--kills K] [--cold]: fills T ledgers of one
database in PostgreSQL with N admitted workloads together, and lets two instances share them that
stand by for each other. One is killed with all its processes. For each of its ledgers it is
measured until the front of the other has sent a new workload on and that is admitted; then another
one comes. Prints p50, p99 and the most. --cold: the instances do not stand by.
"""

import argparse
import http.client
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

from takeover_bench import (PATIENCE, PostgresServer, Server, fill, percentile, wait_until,
                            workload)

EVERY = 0.005  # seconds between two tries of a client


def ask(url, method="GET", body=None):
    """Status and answer; where it is sent on, of the place that answers. None: nothing answers."""
    for _ in range(3):
        there = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(there.hostname, there.port, timeout=PATIENCE)
        try:
            target = there.path + (f"?{there.query}" if there.query else "")
            connection.request(method, target, json.dumps(body) if body else None,
                               {"Content-Type": "application/json"} if body else {})
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            return None, None
        finally:
            connection.close()
        if answer.status != 307:
            return answer.status, json.loads(text) if answer.status == 200 else None
        url = answer.getheader("Location")
    return None, None


class Instance:
    """A `muster serve --shards` with its processes."""

    def __init__(self, muster, place, *flags):
        self.process = subprocess.Popen(
            [muster, "serve", "--shards", *flags, "--db", place, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, text=True, start_new_session=True)
        found = re.fullmatch(r"listening on (.*)\n", self.process.stdout.readline())
        self.url = found.group(1)
        self.said = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.said.append(line)

    def kill(self):
        """It and all its processes."""
        os.killpg(self.process.pid, signal.SIGKILL)

    def ledgers(self):
        """As `muster get shards`."""
        status, told = ask(self.url + "/v1/shards")
        return told["items"] if status == 200 else []

    def own(self):
        """Names of the ledgers that it serves."""
        group = self.process.pid
        mine = []
        for item in self.ledgers():
            holder = re.match(r"process (\d+) on ", item["holder"])
            try:
                if item["state"] == "served" and os.getpgid(int(holder.group(1))) == group:
                    mine.append(item["name"])
            except (AttributeError, ProcessLookupError):
                continue
        return mine


def decided(front, ledger, name, begin, took):
    """Seconds until a workload of that ledger is admitted that was sent through `front`."""
    namespace = f"team-{ledger}"
    body = workload(name, 0, namespace)

    def submitted():
        return ask(front.url + "/v1/submit", "POST", body)[0] == 200

    def admitted():
        status, told = ask(f"{front.url}/v1/workloads/{namespace}/{name}")
        return status == 200 and any(
            each["type"] == "Admitted" and each["status"] == "True"
            for each in told.get("status", {}).get("conditions", []))
    wait_until(submitted, EVERY)
    took[ledger] = wait_until(admitted, EVERY) - begin


def take_over(killed, front, turn):
    """Seconds for each ledger of the one that is killed, and how many had an engine ready."""
    lost = killed.own()
    before = len(front.said)
    begin = time.monotonic()
    killed.kill()
    took = {}
    name = f"first-of-{turn}"
    clients = [threading.Thread(target=decided, args=(front, ledger, name, begin, took))
               for ledger in lost]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    killed.process.wait()
    if len(took) != len(lost):
        raise SystemExit("a ledger was not taken")

    def told():
        return [line for line in front.said[before:]
                if line.startswith(tuple(f"serving ledger {ledger}" for ledger in lost))]
    wait_until(lambda: len(told()) >= len(lost), 0.1)
    return took, sum("whose engine was kept ready" in line for line in told())


def wait_until_even(instances, trees, standbys):
    """Each serves its share, and each ledger is stood by for."""
    def even():
        shares = [len(each.own()) for each in instances]
        return (sum(shares) == trees and max(shares) - min(shares) <= 1 and
                all(len(item["standbys"]) == standbys for item in instances[0].ledgers()))
    wait_until(even, 0.1)


def report(asked, taken, ready, loads):
    """The table."""
    print(f"{asked.live} live workloads in {asked.trees} ledgers, {asked.kills} kills, "
          f"{len(taken)} ledgers lost, {ready} taken by an engine that was kept ready, "
          f"{os.cpu_count()} processors, load {statistics.mean(loads):.1f} (1 minute, mean)")
    print(f"{'seconds':34}{'p50':>8}{'p99':>8}{'most':>8}")
    print(f"{'kill to the first decision':34}{percentile(taken, .5):8.3f}"
          f"{percentile(taken, .99):8.3f}{max(taken):8.3f}")


def fill_all(asked, database):
    """Each ledger with its part."""
    for tree in range(asked.trees):
        server = Server(asked.muster, database.url(f"t{tree}"), f"fill-{tree}")
        server.listens()
        fill(server, asked.live // asked.trees, f"team-t{tree}")
        server.process.terminate()
        server.process.wait()


def main():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("muster")
    parser.add_argument("--live", type=int, default=100_000)
    parser.add_argument("--trees", type=int, default=4)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--cold", action="store_true")
    asked = parser.parse_args()
    flags = [] if asked.cold else ["--standby"]
    database = PostgresServer()
    place = database.url("").rstrip("#")
    instances, all_instances = [], []

    def start():
        instances.append(Instance(asked.muster, place, *flags))
        all_instances.append(instances[-1])
    try:
        fill_all(asked, database)
        start()
        wait_until_even(instances, asked.trees, 0)
        taken, ready, loads = [], 0, []
        for turn in range(asked.kills):
            start()
            wait_until_even(instances, asked.trees, 0 if asked.cold else 1)
            took, kept = take_over(instances.pop(0), instances[-1], turn)
            taken += took.values()
            ready += kept
            loads.append(os.getloadavg()[0])
            print(turn, {name: round(value, 3) for name, value in sorted(took.items())},
                  file=sys.stderr, flush=True)
        report(asked, taken, ready, loads)
    finally:
        for each in all_instances:
            if each.process.poll() is None:
                each.kill()
                each.process.wait()
        database.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
