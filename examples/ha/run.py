#!/usr/bin/env python3
"""Three databases under Patroni, two gateways, submitters that never stop; each is lost in turn.

    run.py     $MUSTER is the program; what it made is removed

Exit code 0: nothing was lost or doubled. 1: something was, or did not come back. 77: nothing was,
but the network was not cut, since that needs root and namespaces.
"""

import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

import cluster as machines
import submitters as load
from cluster import wait_until

HERE = pathlib.Path(__file__).resolve().parent
MUSTER = os.environ.get("MUSTER", "muster")
QUEUES = HERE.parent / "fifty-data-scientists" / "queues.yaml"
# A network, mounts and processes of its own: what is in there ends with the first of them.
APART = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
LEASE = 3  # seconds in which a gateway that is not heard of loses its ledger
NOT_CUT = 77


class Gateway:
    """A `muster serve`, started again a second after it ended, as by systemd."""

    def __init__(self, name, port, url, folder, *flags):
        self.name, self.url, self.address = name, url, f"127.0.0.1:{port}"
        self.log = pathlib.Path(folder) / f"gateway-{name}.log"
        self.flags = flags
        self.process = None
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._supervise, daemon=True)
        self.thread.start()
        wait_until(lambda: self.process, 10, f"gateway {name} is started")

    def _supervise(self):
        flags = self.flags
        while True:
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    [MUSTER, "serve", *flags, "--db", self.url, "--listen", self.address],
                    stdout=log, stderr=log)
            self.process.wait()
            flags = ("--standby",)
            if self.stopped.wait(1):
                return

    def serves(self):
        """Whether it says so."""
        return load.ask(self.address, "GET", "/readyz")[0] == load.ANSWERED

    def stop(self):
        """In order."""
        self.stopped.set()
        self.process.terminate()
        self.thread.join()


class Play:
    """The whole: what runs, and the drills."""

    def __init__(self, folder, network):
        self.cluster = machines.Cluster(folder, network)
        begin = time.monotonic()
        self.cluster.start()
        print(f"three databases after {time.monotonic() - begin:.0f} s; "
              f"{self.cluster.leader().name} leads", flush=True)
        url = self.cluster.url()
        self.gateways = [Gateway("A", 8481, url, folder)]
        wait_until(self.serving, 30, "A serves")
        told, text = load.ask(self.gateways[0].address, "POST", "/v1/apply", QUEUES.read_bytes(),
                              "application/yaml")
        assert told == load.ANSWERED, text
        self.gateways.append(Gateway("B", 8482, url, folder, "--standby"))
        self.submitters = load.Submitters([each.address for each in self.gateways])
        self.rows = []

    def serving(self):
        """The gateway that serves; None: none does."""
        return next((each for each in self.gateways if each.serves()), None)

    def drill(self, title, break_it, mend=lambda: None):
        """Breaks one thing, waits until submits are answered, mends it, waits until all is whole."""
        wait_until(lambda: self.serving() and self.cluster.is_whole(), 90, "all is whole")
        time.sleep(1)
        begin = time.monotonic()
        break_it()
        broken = time.monotonic()
        wait_until(lambda: any(call.came_to == load.ANSWERED and call.sent > broken + 0.5
                               for call in self.submitters.calls[-50:]), 120, "an answer")
        time.sleep(1)
        mend()
        wait_until(lambda: self.serving() and self.cluster.is_whole(), 120,
                   f"all is whole after: {title}")
        time.sleep(0.5)
        self.rows.append(self.judge(title, begin, time.monotonic()))
        print_row(self.rows[-1])

    def judge(self, title, begin, end):
        """A row: what was answered meanwhile, and the longest time without an answer."""
        calls = list(self.submitters.calls)
        answered = sorted(call.ended for call in calls if call.came_to == load.ANSWERED)
        times = [each for each in answered if begin - 1 <= each <= end]
        silence = max(after - before for before, after in zip(times, times[1:]))
        came_to = collections.Counter(call.came_to for call in calls if begin <= call.ended <= end)
        return (title, f"{silence:.1f} s", *(came_to[each] for each in (
            load.ANSWERED, load.REFUSED, load.UNKNOWN, load.NOBODY)))

    def run(self):
        """All drills, one after the other."""
        self.submitters.start()
        print_row(("lost", "no answer for", "answered", "refused", "unknown", "nobody there"))
        self.lose_the_database_machine()
        self.lose_the_gateway()

    def lose_the_database_machine(self):
        """All processes of the machine that leads are killed; later they start again."""
        leader = self.cluster.leader()
        self.drill("database leader, killed", leader.kill, lambda: self.cluster.restart(leader))

    def lose_the_gateway(self):
        """The process is killed; what starts it again lets it stand by."""
        self.drill("gateway, killed", lambda: self.serving().process.kill())

    def stop(self):
        """Gateways and submitters; the databases stay."""
        self.submitters.stop()
        for gateway in self.gateways:
            gateway.stop()


def print_row(row):
    """One line of the table."""
    title, silence, *counts = row
    print(f"{title:32} {silence:>13}", *(f"{each:>12}" for each in counts), flush=True)


def muster(*words):
    """What a verb prints."""
    return subprocess.run([MUSTER, *words], capture_output=True, text=True, check=False)


def account(url, calls):
    """Compares what was answered with what is in the ledger; whether it is right."""
    exported = muster("ledger", "export", "--db", url)
    begun = collections.Counter()
    for line in exported.stdout.splitlines():
        event = json.loads(line)
        if event["kind"] == "Submitted":
            begun[event["subject"]] += 1
    names = collections.defaultdict(set)
    for call in calls:
        names[call.job].add(call.came_to)
    def count(name):
        return begun[f"team-a/job-{name}"]
    answered = [name for name, came_to in names.items() if load.ANSWERED in came_to]
    others = [name for name in names if name not in set(answered)]
    lost = [name for name in answered if count(name) == 0]
    doubled = [name for name in names if count(name) > 1]
    print(f"{len(names)} jobs were submitted, {len(answered)} answered for, of which "
          f"{sum(load.UNKNOWN in names[name] for name in answered)} after an answer that was lost")
    print(f"{len(others)} were given up, of which "
          f"{sum(count(name) == 1 for name in others)} are in the ledger all the same")
    print(f"answered for and lost: {len(lost)}, doubled: {len(doubled)}")
    verified = muster("ledger", "verify", "--replay", "--db", url)
    print(verified.stdout + verified.stderr, end="")
    return (exported.returncode == 0 and verified.returncode == 0 and bool(answered) and not lost
            and not doubled)


def perform(folder, network):
    """The exit code."""
    play = Play(folder, network)
    try:
        play.run()
    finally:
        play.stop()
    right = account(play.cluster.url(), play.submitters.calls)
    if not right:
        return 1
    if network.pull:
        return 0
    print("the network was not cut: that needs root, and namespaces")
    return NOT_CUT


def apart(folder):
    """In namespaces of its own, as their first process: it waits for the others that end."""
    performer = os.fork()
    if performer == 0:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        sys.exit(perform(folder, machines.Network()))
    while True:
        ended, status = os.wait()
        if ended == performer:
            return os.waitstatus_to_exitcode(status)


def main():
    """Makes the folder, goes where nothing else is, and leaves nothing."""
    if sys.argv[1:2] == ["--apart"]:
        return apart(sys.argv[2])
    if machines.missing():
        print(machines.missing(), file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="muster-ha-") as folder:
        os.chmod(folder, 0o755)
        alone = subprocess.run([*APART, "true"], check=False, stderr=subprocess.DEVNULL)
        if os.geteuid() == 0 and alone.returncode == 0:
            return subprocess.run([*APART, sys.executable, "-B", __file__, "--apart", folder],
                                  check=False).returncode
        return perform(folder, machines.Loopback())


if __name__ == "__main__":
    sys.exit(main())
