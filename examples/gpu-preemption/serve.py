"""The two teams of this example as a service with a day of jobs, to look at in a browser.

    serve.py [--port PORT]     stops by Ctrl-C; what it made is removed

It plays the submitters and the cluster: jobs come, those that were admitted end after a while, and
the pods of evicted ones are gone a second later.
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
JOBS = [("train", 3, 1, (20, 60)), ("eval", 1, 1, (5, 15)), ("prepare", 2, 0, (5, 20)),
        ("sweep", 1, 0, (3, 10))]
MOST_WAITING = 12


class Service:
    """What talks to the service."""

    def __init__(self, url):
        self.address = url.removeprefix("http://")

    def ask(self, method, path, body=None, kind="application/json"):
        """The answer's JSON; None where it was refused."""
        connection = http.client.HTTPConnection(self.address, timeout=10)
        connection.request(method, path, body, {"Content-Type": kind} if body else {})
        response = connection.getresponse()
        text = response.read()
        connection.close()
        return json.loads(text) if response.status == 200 else None

    def report(self, command, names):
        """One command about several workloads of one namespace."""
        for namespace, name in names:
            self.ask("POST", "/v1/commands", json.dumps({
                "command": command, "workloads": [{"namespace": namespace, "name": name}]}))

    def workloads(self, state):
        """Namespace and name of those in that state."""
        page = self.ask("GET", f"/v1/workloads?state={state}") or {"items": []}
        return [(each["metadata"]["namespace"], each["metadata"]["name"])
                for each in page["items"]]


def job(number, chance):
    """A job of one of the teams."""
    kind, cpus, gpus, _ = chance.choice(JOBS)
    team = chance.choice("ab")
    requests = {"cpu": str(cpus), **({"nvidia.com/gpu": gpus} if gpus and team == "a" else {})}
    priority = chance.choice(["prod-priority", "dev-priority", "dev-priority"])
    container = {"name": "app", "image": "busybox", "resources": {"requests": requests,
                                                                  "limits": requests}}
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": f"{kind}-{number}", "namespace": f"team-{team}",
                         "labels": {"kueue.x-k8s.io/queue-name": "local-queue",
                                    "kueue.x-k8s.io/priority-class": priority}},
            "spec": {"template": {"spec": {"containers": [container],
                                           "restartPolicy": "Never"}}}}


def play(service):
    """For ever: what submitters and the cluster do, a turn a second."""
    chance = random.Random(7)
    ends = {}
    for number in range(1, sys.maxsize):
        now = time.monotonic()
        service.report("evicted", service.workloads("evicting"))
        running = service.workloads("admitted")
        for key in running:
            ends.setdefault(key, now + chance.uniform(*chance.choice(JOBS)[3]))
        service.report("finish", [key for key in running if ends[key] <= now])
        ends = {key: end for key, end in ends.items() if key in running and end > now}
        over = service.workloads("finished")
        if len(over) > 50:
            service.report("cancel", over[:25])
        if len(service.workloads("pending")) < MOST_WAITING and chance.random() < 0.6:
            service.ask("POST", "/v1/submit", json.dumps(job(number, chance)))
        time.sleep(1)


def main():
    """Starts the service, then plays until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8484)
    port = parser.parse_args().port
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [os.environ.get("MUSTER", "muster"), "serve", "--db", os.path.join(folder, "l.ledger"),
             "--listen", f"127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True,
            start_new_session=True)
        try:
            found = re.fullmatch(r"listening on (\S+)\n", process.stdout.readline())
            if not found:
                return 1
            service = Service(found.group(1))
            for name in ("cluster.yaml", "queues.yaml"):
                service.ask("POST", "/v1/apply", (HERE / name).read_bytes(), "application/yaml")
            print(f"open {found.group(1)} in a browser; Ctrl-C ends it", flush=True)
            play(service)
        except (KeyboardInterrupt, OSError):
            pass
        finally:
            for each in (signal.SIGINT, signal.SIGTERM):  # it ends now, however often it is told
                signal.signal(each, signal.SIG_IGN)
            process.terminate()
            process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
