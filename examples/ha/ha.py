"""Gateways on one ledger in PostgreSQL, of which one serves; each is lost in another way.

    ha.py      what it made is removed

A submitter sends jobs all the time to whichever answers, and keeps what was answered for. At the
end the ledger must have every one of them, once, and repeat to the state that it has.
"""

import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "testing"))
from postgres_server import PostgresServer  # pylint: disable=wrong-import-position

MUSTER = os.environ.get("MUSTER", "muster")
QUEUES = HERE.parent / "fifty-data-scientists" / "queues.yaml"
PATIENCE = 60


def job(number):
    """A small one of the first team."""
    container = {"name": "c", "image": "busybox", "resources": {"requests": {"cpu": "100m"}}}
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": f"job-{number}", "namespace": "team-a",
                         "labels": {"kueue.x-k8s.io/queue-name": "jobs"}},
            "spec": {"template": {"spec": {"containers": [container],
                                           "restartPolicy": "Never"}}}}


class Gateway:
    """A `muster serve --standby`: it serves when no other does."""

    def __init__(self, name, url):
        self.name = name
        self.address = None
        self.process = subprocess.Popen(
            [MUSTER, "serve", "--standby", "--db", url, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            found = re.fullmatch(r"listening on http://(\S+)\n", line)
            if found:
                self.address = found.group(1)

    def ask(self, method, path, body=None, kind="application/json"):
        """Status and text; None where it does not answer."""
        if not self.address:
            return None
        connection = http.client.HTTPConnection(self.address, timeout=2)
        try:
            connection.request(method, path, body, {"Content-Type": kind} if body else {})
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


class Submitter(threading.Thread):
    """Sends one job after the other until it is told to stop."""

    def __init__(self, gateways):
        super().__init__(daemon=True)
        self.gateways = gateways
        self.answered = []
        self.last = None  # the gateway that answered last
        self.stopped = False

    def run(self):
        number = 0
        while not self.stopped:
            number += 1
            body = json.dumps(job(number))
            while not self.stopped and not self.send(number, body):
                time.sleep(0.01)

    def send(self, number, body):
        """Whether one of the gateways answers for the job."""
        for gateway in list(self.gateways):
            said = gateway.ask("POST", "/v1/submit", body)
            # 409: it was taken by the one that could not answer any more.
            if said and said[0] in (200, 409):
                self.answered.append(f"job-job-{number}")
                self.last = gateway
                return True
        return False


def wait_until(condition, what):
    """Seconds until it is true."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > PATIENCE:
            raise SystemExit(f"not within {PATIENCE} s: {what}")
        time.sleep(0.005)
    return time.monotonic() - begin


def play(database, gateways, start):
    """One loss after the other."""
    first, second = start("A"), None
    wait_until(lambda: first.address, "A serves")
    first.ask("POST", "/v1/apply", QUEUES.read_bytes(), "application/yaml")
    second = start("B")
    submitter = Submitter(gateways)
    submitter.start()
    wait_until(lambda: submitter.last is first, "A answers")
    print("A serves, B stands by")
    time.sleep(1)

    first.process.kill()
    took = wait_until(lambda: submitter.last is second, "B answers")
    print(f"A is killed: B answers\n  after {took:.2f} s")

    third = start("C")
    time.sleep(1)
    database.crash()
    database.start()
    count = len(submitter.answered)
    took = wait_until(lambda: len(submitter.answered) > count, "the database is back")
    print(f"the database crashes and starts again: {submitter.last.name} answers\n"
          f"  after {took:.2f} s")

    second.process.send_signal(signal.SIGSTOP)
    took = wait_until(lambda: submitter.last is third, "C answers")
    print(f"B is stopped, as a machine that hangs: C answers\n  after {took:.2f} s")
    second.process.send_signal(signal.SIGCONT)
    _, err = second.process.communicate(timeout=PATIENCE)
    fenced = "was taken over by" in err
    print("B goes on, and finds that its ledger was taken over" if fenced else f"B: {err}")
    submitter.stopped = True
    submitter.join()
    return submitter.answered, fenced


def main():
    """Starts the database, plays, looks at what is left."""
    database = PostgresServer()
    try:
        return judge(database)
    finally:
        database.stop()


def judge(database):
    """The exit code: 0 when nothing was lost or doubled."""
    url = database.url("main")
    gateways = []

    def start(name):
        gateways.append(Gateway(name, url))
        return gateways[-1]
    try:
        answered, fenced = play(database, gateways, start)
    finally:
        for gateway in gateways:
            gateway.process.kill()
            gateway.process.wait()
    listed = subprocess.run([MUSTER, "get", "workloads", "--db", url, "-o", "json"],
                            capture_output=True, text=True, check=True).stdout
    names = [each["metadata"]["name"] for each in json.loads(listed)["items"]]
    lost = set(answered) - set(names)
    doubled = len(names) - len(set(names))
    print(f"  {len(answered)} jobs were answered for")
    print(f"answered for and lost: {len(lost)}, doubled: {doubled}")
    verified = subprocess.run([MUSTER, "ledger", "verify", "--replay", "--db", url],
                              capture_output=True, text=True, check=False)
    print("the ledger is whole, and repeats to the state that it has"
          if verified.returncode == 0 else verified.stderr)
    return 0 if fenced and not lost and not doubled and verified.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
