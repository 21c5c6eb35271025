"""Three machines on one: each has an etcd, a Patroni and a PostgreSQL, and an address of its own.

A machine is a network namespace behind a bridge, so that its cable can be pulled; where none may
be made it is an address of the loopback device. All processes of a machine work below its folder,
so what is to die with it is found by that.
"""

import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import time
import urllib.request

BIN = "/usr/lib/postgresql/15/bin"
TTL, LOOP_WAIT, RETRY_TIMEOUT = 20, 2, 8  # seconds; the first is the least that Patroni is made for
# What is asked of a connection whose other end has vanished without a word: without these the
# system goes on sending for a quarter of an hour.
IMPATIENT = ("connect_timeout=2&tcp_user_timeout=3000&keepalives_idle=1&keepalives_interval=1"
             "&keepalives_count=3")


def missing():
    """What has to be installed first; None: nothing."""
    lacking = [package for package, program in (
        ("patroni", "patroni"), ("etcd-server", "etcd"),
        ("postgresql-15", f"{BIN}/initdb")) if not shutil.which(program)]
    return f"not installed: {', '.join(lacking)}; make deps-dev installs them" if lacking else None


def wait_until(condition, seconds, what):
    """Seconds until it is true."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > seconds:
            raise SystemExit(f"not within {seconds} s: {what}")
        time.sleep(0.02)
    return time.monotonic() - begin


def run(*words):
    """A command that must do what it is told."""
    subprocess.run(words, check=True)


def processes_below(folder):
    """Numbers of those that work there."""
    for each in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            where = os.readlink(each / "cwd")
            state = (each / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and pathlib.Path(where).is_relative_to(folder):
            yield int(each.name)


def kill_below(folder):
    """All of them, also those that they start meanwhile."""
    while found := list(processes_below(folder)):
        for process in found:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)


class Network:
    """A bridge with the gateways and submitters on it, and a namespace for each machine."""

    def __init__(self):
        self.holders = []
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "switch", "type", "bridge")
        run("ip", "address", "add", "10.77.0.1/24", "dev", "switch")
        run("ip", "link", "set", "switch", "up")

    @staticmethod
    def address(number):
        """Of the machine with that number."""
        return f"10.77.0.{10 + number}"

    def attach(self, number):
        """The words before a command that runs it on the machine."""
        holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.holders.append(holder)
        own = os.readlink("/proc/self/ns/net")
        wait_until(lambda: os.readlink(f"/proc/{holder.pid}/ns/net") != own, 10, "a namespace")
        inside = ["nsenter", f"--net=/proc/{holder.pid}/ns/net"]
        run("ip", "link", "add", f"port{number}", "type", "veth", "peer", "name", "eth0", "netns",
            str(holder.pid))
        run("ip", "link", "set", f"port{number}", "master", "switch", "up")
        run(*inside, "ip", "link", "set", "lo", "up")
        run(*inside, "ip", "address", "add", f"{self.address(number)}/24", "dev", "eth0")
        run(*inside, "ip", "link", "set", "eth0", "up")
        return inside

    @staticmethod
    def pull(number):
        """The cable of a machine: what is sent is lost, and neither end is told."""
        run("ip", "link", "set", f"port{number}", "down")

    @staticmethod
    def plug(number):
        """It is in again."""
        run("ip", "link", "set", f"port{number}", "up")


class Loopback:
    """Addresses of this machine; they cannot be cut off from each other."""

    pull = plug = None

    @staticmethod
    def address(number):
        """Of the machine with that number."""
        return f"127.0.77.{10 + number}"

    @staticmethod
    def attach(_number):
        """Nothing goes before a command."""
        return []


class Machine:
    """One with its etcd, its Patroni and its PostgreSQL."""

    def __init__(self, number, folder, network):
        self.number, self.name = number, f"db{number}"
        self.address = network.address(number)
        self.folder = pathlib.Path(folder) / self.name
        self.folder.mkdir()
        self.inside = network.attach(number)
        self.patroni = None
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            postgres = pwd.getpwnam("postgres")
            os.chown(self.folder, postgres.pw_uid, postgres.pw_gid)
            self.inside += ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]

    def start_etcd(self, machines, state):
        """It keeps which machine leads; `state`: of the whole, "new" or "existing"."""
        members = ",".join(f"{each.name}=http://{each.address}:2380" for each in machines)
        self._start("etcd", [
            "etcd", "--name", self.name, "--data-dir", "etcd", "--logger", "zap", "--enable-v2",
            "--listen-peer-urls", f"http://{self.address}:2380",
            "--initial-advertise-peer-urls", f"http://{self.address}:2380",
            "--listen-client-urls", f"http://{self.address}:2379",
            "--advertise-client-urls", f"http://{self.address}:2379",
            "--initial-cluster", members, "--initial-cluster-state", state,
            "--heartbeat-interval", "200", "--election-timeout", "2000"])

    def start_patroni(self, machines):
        """It starts PostgreSQL, as leader or as a copy."""
        configuration = {
            "scope": "muster", "name": self.name,
            "restapi": {"listen": f"{self.address}:8008",
                        "connect_address": f"{self.address}:8008"},
            # Protocol 2 of etcd: with 3, Patroni 3.0.2 writes its name over that of the new leader.
            # One that was cut off leads again then, and what was confirmed meanwhile is lost.
            "etcd": {"hosts": [f"{each.address}:2379" for each in machines]},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL, "loop_wait": LOOP_WAIT, "retry_timeout": RETRY_TIMEOUT,
                    # A commit is answered when a copy has it, or waits until there is one.
                    "synchronous_mode": True, "synchronous_mode_strict": True,
                    "postgresql": {"use_pg_rewind": True,
                                   "parameters": {"shared_buffers": "16MB",
                                                  "wal_log_hints": "on",
                                                  # else a copy asks its new leader after 5 s
                                                  "wal_retrieve_retry_interval": "500ms",
                                                  # files below the folder, which go with it
                                                  "dynamic_shared_memory_type": "mmap"}}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}]},
            "postgresql": {
                "listen": f"{self.address}:5432", "connect_address": f"{self.address}:5432",
                "data_dir": str(self.folder / "data"), "bin_dir": BIN,
                "pgpass": str(self.folder / "pgpass"),
                "parameters": {"unix_socket_directories": str(self.folder)},
                # All that reach an address are trusted, which is right for an example alone.
                "pg_hba": ["host all all 0.0.0.0/0 trust",
                           "host replication all 0.0.0.0/0 trust"],
                "authentication": {"superuser": {"username": "muster"},
                                   "replication": {"username": "copies"}}}}
        file = self.folder / "patroni.yml"
        file.write_text(json.dumps(configuration, indent=1))  # JSON is YAML
        self.patroni = self._start("patroni", ["patroni", str(file)])

    def _start(self, name, words):
        with open(self.folder.parent / f"{self.name}-{name}.log", "ab") as log:
            return subprocess.Popen([*self.inside, *words], cwd=self.folder, stdout=log, stderr=log,
                                    stdin=subprocess.DEVNULL)

    def kill(self):
        """As if its power had failed."""
        kill_below(self.folder)

    def stop(self):
        """The same, but for shared memory: PostgreSQL gives it back."""
        self.patroni.kill()
        subprocess.run([*self.inside, f"{BIN}/pg_ctl", "-D", "data", "-m", "immediate", "stop"],
                       cwd=self.folder, check=False, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        kill_below(self.folder)


class Cluster:
    """The machines, and what Patroni says of them."""

    def __init__(self, folder, network):
        self.network = network
        self.machines = [Machine(number, folder, network) for number in (1, 2, 3)]

    def start(self):
        """Waits until there is a leader with a synchronous copy, and another copy."""
        for machine in self.machines:
            machine.start_etcd(self.machines, "new")
        for machine in self.machines:
            machine.start_patroni(self.machines)
        wait_until(self.is_whole, 90, "a leader and two copies")

    def url(self):
        """Names all machines; libpq finds the one that writes."""
        hosts = ",".join(machine.address for machine in self.machines)
        return f"postgresql://muster@{hosts}/postgres?target_session_attrs=read-write&{IMPATIENT}"

    def restart(self, machine):
        """After a kill."""
        machine.start_etcd(self.machines, "existing")
        machine.start_patroni(self.machines)

    def members(self):
        """What each of those that answer says of all: the newest view that has a leader."""
        for machine in self.machines:
            try:
                with urllib.request.urlopen(f"http://{machine.address}:8008/cluster",
                                            timeout=1) as answer:
                    members = json.load(answer)["members"]
            except (OSError, ValueError, KeyError):
                continue
            if any(each["role"] == "leader" for each in members):
                return members
        return []

    def leader(self):
        """The machine that leads; None: none is known."""
        leading = [each["name"] for each in self.members() if each["role"] == "leader"]
        return next((each for each in self.machines if each.name in leading), None)

    def is_whole(self):
        """Whether every copy follows, and one of them is synchronous."""
        members = self.members()
        return (sorted(each["role"] for each in members) == ["leader", "replica", "sync_standby"]
                and all(each["state"] in ("running", "streaming") and
                        each.get("lag", 0) in range(1 << 20) for each in members))

    def stop(self):
        """Nothing of it runs."""
        for machine in self.machines:
            machine.stop()
