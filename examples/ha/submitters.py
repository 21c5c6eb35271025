"""Submitters that never stop, and what each of their calls came to."""

import collections
import http.client
import json
import threading
import time

TIMEOUT = 2  # seconds after which an answer is not waited for any longer
GIVES_UP = 4   # one job in so many is not sent again after its answer was lost

Call = collections.namedtuple("Call", "job sent ended came_to")
# What a call came to.
ANSWERED = "answered"  # the job is taken: it must be in the ledger once
REFUSED = "refused"    # it was told that it is not
UNKNOWN = "unknown"    # the answer was lost, or never made
ABSENT = "absent"      # no gateway took the connection


def job(name):
    """A small one of the first team."""
    container = {"name": "c", "image": "busybox",
                 "resources": {"requests": {"nvidia.com/gpu": "1"}}}
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": name, "namespace": "team-a",
                         "labels": {"kueue.x-k8s.io/queue-name": "jobs"}},
            "spec": {"template": {"spec": {"containers": [container],
                                           "restartPolicy": "Never"}}}}


def ask(address, method, path, body=None, kind="application/json"):
    """What the call came to, and the text that came back."""
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
    try:
        connection.connect()
    except OSError:
        connection.close()
        return ABSENT, b""
    try:
        connection.request(method, path, body, {"Content-Type": kind} if body else {})
        response = connection.getresponse()
        text = response.read()
        return (ANSWERED if response.status == 200 else REFUSED), text
    except (OSError, http.client.HTTPException):
        return UNKNOWN, b""
    finally:
        connection.close()


class Submitters:
    """Each sends one job after the other, again by its name until it is answered for."""

    def __init__(self, addresses, count=4, pause=0.02):
        self.addresses = addresses
        self.pause = pause
        self.calls = []  # appended to by all
        self.stopped = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(number,), daemon=True)
                        for number in range(count)]

    def start(self):
        """Until stop()."""
        for thread in self.threads:
            thread.start()

    def stop(self):
        """Waits for what is under way."""
        self.stopped.set()
        for thread in self.threads:
            thread.join()

    def answered(self):
        """How many calls so far."""
        return sum(call.came_to == ANSWERED for call in list(self.calls))

    def _run(self, number):
        at, count = 0, 0
        while not self.stopped.wait(self.pause):
            count += 1
            name = f"from-{number}-{count}"
            body = json.dumps(job(name))
            while not self.stopped.is_set():
                sent = time.monotonic()
                came_to, _ = ask(self.addresses[at], "POST", "/v1/submit", body)
                self.calls.append(Call(name, sent, time.monotonic(), came_to))
                if came_to == ANSWERED or (came_to == UNKNOWN and count % GIVES_UP == 0):
                    break
                at = (at + 1) % len(self.addresses)
                self.stopped.wait(self.pause)
