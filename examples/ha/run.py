#!/usr/bin/env python3
"""Three databases under Patroni, two gateways, submitters that never stop; each is lost in turn.

    run.py [LOGS]     $MUSTER is the program; what it made is removed, but for logs in folder LOGS

Exit code 0: nothing was lost or doubled. 1: something was, or did not come back. 77: nothing was,
but the network was not cut, since that needs root and namespaces.
"""

import collections
import json
import os
import pathlib
import re
import shutil
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
MUSTER = os.path.abspath(shutil.which(os.environ.get("MUSTER", "muster")) or "muster")
QUEUES = HERE.parent / "fifty-data-scientists" / "queues.yaml"
# A network, mounts and processes of its own: what is in there ends with the first of them.
APART = ["unshare", "--net", "--mount", "--ipc", "--pid", "--fork", "--kill-child",
         "--mount-proc"]
NOT_CUT = 77
# Why a gateway ended, without what each machine of the database said.
ENDED = re.compile(r"error: the engine is closed: (.*?)(?:: connection to|;)"
                   r"|(?<=muster: )(ledger .* was there: .*)")


class Gateway:
    """A `muster serve`, started again a second after it ended, as by systemd."""

    def __init__(self, name, port, url, folder, *flags):
        self.name, self.address = name, f"127.0.0.1:{port}"
        self.url = f"{url}&application_name=gateway-{name}"
        self.folder = folder
        self.log = pathlib.Path(folder) / f"gateway-{name}.log"
        self.flags = flags
        self.process, self.started = None, 0.0
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
                    cwd=self.folder, stdout=log, stderr=log)
            self.started = time.monotonic()
            if self.stopped.is_set():
                self.process.terminate()
            self.process.wait()
            flags = ("--standby",)
            if self.stopped.wait(1):
                return

    def serves(self):
        """Whether it says so."""
        return load.ask(self.address, "GET", "/readyz")[0] == load.ANSWERED

    def stays(self):
        """Whether it has been running for a while, and so serves or stands by."""
        return self.process.poll() is None and time.monotonic() > self.started + 2

    def stop(self):
        """In order."""
        self.stopped.set()
        self.process.terminate()
        self.process.send_signal(signal.SIGCONT)
        self.thread.join()


class Play:
    """The whole: what runs, and the drills."""

    def __init__(self, folder, network):
        self.folder = folder
        self.cluster = machines.Cluster(folder, network)
        self.gateways, self.submitters, self.rows = [], None, []

    def begin(self):
        """Databases, gateways, queues."""
        begin = time.monotonic()
        self.cluster.start()
        print(f"three databases after {time.monotonic() - begin:.0f} s; "
              f"{self.cluster.leader().name} leads", flush=True)
        url = self.cluster.url()
        self.gateways.append(Gateway("A", 8481, url, self.folder))
        wait_until(self.serving, 30, "A serves")
        told, text = load.ask(self.gateways[0].address, "POST", "/v1/apply", QUEUES.read_bytes(),
                              "application/yaml")
        assert told == load.ANSWERED, text
        self.gateways.append(Gateway("B", 8482, url, self.folder, "--standby"))
        self.submitters = load.Submitters([each.address for each in self.gateways])

    def serving(self):
        """The gateway that serves; None: none does."""
        return next((each for each in self.gateways if each.serves()), None)

    def is_whole(self):
        """Whether one gateway serves, the other stands by, and the databases are whole."""
        return (all(each.stays() for each in self.gateways) and self.serving() is not None
                and self.cluster.is_whole())

    def drill(self, title, break_it, mend=lambda: None):
        """Breaks one thing, waits until submits are answered, mends it until all is whole."""
        wait_until(self.is_whole, 90, f"all is whole before: {title}")
        time.sleep(1)
        begin = time.monotonic()
        break_it()
        broken = time.monotonic()
        wait_until(lambda: any(call.came_to == load.ANSWERED and call.sent > broken + 0.5
                               for call in self.submitters.calls[-50:]), 120, "an answer")
        time.sleep(1)
        mend()
        wait_until(self.is_whole, 120, f"all is whole after: {title}")
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
        at = min(call.sent for call in calls)
        return (title, f"{begin - at:.0f} s", f"{silence:.1f} s", *(came_to[each] for each in (
            load.ANSWERED, load.REFUSED, load.UNKNOWN, load.ABSENT)))

    def run(self):
        """All drills, one after the other."""
        self.submitters.start()
        print_row(("what is lost", "at", "no answer for", "answered", "refused", "unknown",
                   "none there"))
        self.lose_sessions()
        self.lose_the_gateway()
        self.lose_a_gateway_that_comes_back()
        self.lose_the_database_machine()
        if self.cluster.network.pull:
            self.lose_the_network()

    def lose_sessions(self):
        """The database ends those of the gateways, wherever in a commit they are."""
        self.drill("gateways' sessions, ended", lambda: subprocess.run(
            ["psql", "--quiet", "--output=/dev/null", self.cluster.url(), "--command",
             "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
             "WHERE application_name LIKE 'gateway-%'"], check=True))

    def lose_the_gateway(self):
        """The process is killed; what starts it again lets it stand by."""
        self.drill("gateway, killed", self.serving().process.kill)

    def lose_a_gateway_that_comes_back(self):
        """It is stopped until another has its ledger, then goes on as if nothing had been."""
        gateway = self.serving()

        def go_on():
            gateway.process.send_signal(signal.SIGCONT)
            wait_until(lambda: "taken over by" in gateway.log.read_text(), 30, "it finds out")
        self.drill("gateway, stopped, goes on", lambda: gateway.process.send_signal(signal.SIGSTOP),
                   go_on)

    def lose_the_database_machine(self):
        """All processes of the machine that leads are killed; later they start again."""
        leader = self.cluster.leader()
        self.drill("database leader, killed", leader.kill, lambda: self.cluster.restart(leader))

    def lose_the_network(self):
        """The machine that leads is cut off; later it is back, and follows the new one."""
        leader = self.cluster.leader()
        network = self.cluster.network
        self.drill("database leader, cut off", lambda: network.pull(leader.number),
                   lambda: network.plug(leader.number))

    def stop(self):
        """Gateways and submitters; the databases stay."""
        if self.submitters:
            self.submitters.stop()
        for gateway in self.gateways:
            gateway.stop()


def print_row(row):
    """One line of the table."""
    title, at, silence, *counts = row
    print(f"{title:26}{at:>6}{silence:>15}", *(f"{each:>10}" for each in counts), flush=True)


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


def said(folder):
    """Why gateways ended."""
    for log in sorted(pathlib.Path(folder).glob("gateway-*.log")):
        for line in log.read_text().splitlines():
            found = ENDED.search(line)
            if found:
                print(f"{log.stem} ended: {found.group(1) or found.group(2)}")


def perform(folder, network):
    """The exit code."""
    play = Play(folder, network)
    try:
        try:
            play.begin()
            play.run()
        finally:
            play.stop()
            said(folder)
        right = account(play.cluster.url(), play.submitters.calls)
    finally:
        play.cluster.stop()
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
        sys.exit(perform(folder, machines.Network()))
    try:
        while True:
            ended, status = os.wait()
            if ended == performer:
                return os.waitstatus_to_exitcode(status)
    except KeyboardInterrupt:
        return 130


def main():
    """Makes the folder, goes where nothing else is, and leaves nothing."""
    if sys.argv[1:2] == ["--apart"]:
        return apart(sys.argv[2])
    lacking = machines.missing() or (
        None if os.access(MUSTER, os.X_OK) else f"no program {MUSTER}; $MUSTER names it")
    if lacking:
        print(lacking, file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="muster-ha-") as folder:
        os.chmod(folder, 0o755)
        alone = subprocess.run([*APART, "true"], check=False, stderr=subprocess.DEVNULL)
        try:
            if os.geteuid() != 0 or alone.returncode != 0:
                return perform(folder, machines.Loopback())
            return subprocess.run([*APART, sys.executable, "-B", __file__, "--apart", folder],
                                  check=False).returncode
        except KeyboardInterrupt:
            return 130
        finally:
            machines.kill_below(folder)
            for logs in sys.argv[1:]:
                os.makedirs(logs, exist_ok=True)
                for log in pathlib.Path(folder).glob("*.log"):
                    shutil.copy(log, logs)


if __name__ == "__main__":
    sys.exit(main())
