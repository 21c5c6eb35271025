"""A `muster serve` of its own for each test, on a free port of this machine, and what talks to it.

The program is $MUSTER. What a test leaves behind is repeated from its ledger, which must agree.
"""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

MUSTER = os.environ.get("MUSTER", "muster")
# Seconds in which a service that is told to stop has ended. It takes two at most where it has a
# processor; a machine that compiles beside it may leave it none.
IN_TIME = 6

QUEUES = """\
apiVersion: v1
kind: Namespace
metadata: {name: team-a, labels: {team: a}}
---
apiVersion: v1
kind: Namespace
metadata: {name: team-b, labels: {team: b}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
""" + "".join(f"""\
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: team-{team}-cq}}
spec:
  cohortName: all
  namespaceSelector: {{matchLabels: {{team: {team}}}}}
  preemption: {{reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{{name: cpu, nominalQuota: 4}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{name: main, namespace: team-{team}}}
spec: {{clusterQueue: team-{team}-cq}}
""" for team in "ab")


def workload(name, cpu="1", ns="team-a", queue="main", priority=0):
    """A Workload of one pod as a manifest in JSON."""
    container = {"name": "c", "image": "x", "resources": {"requests": {"cpu": cpu}}}
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
            "metadata": {"name": name, "namespace": ns},
            "spec": {"queueName": queue, "priority": priority,
                     "podSets": [{"name": "main", "count": 1,
                                  "template": {"spec": {"containers": [container],
                                                        "restartPolicy": "Never"}}}]}}


def manifest_list(objects):
    """Several objects in one document."""
    return {"apiVersion": "v1", "kind": "List", "items": objects}


class Answer:
    """What came back: a status, fields in lower case, a body."""

    def __init__(self, status, fields, body):
        self.status = status
        self.fields = {name.lower(): value for name, value in fields}
        self.body = body

    @property
    def json(self):
        """The body read as JSON."""
        return json.loads(self.body)


class Event:
    """One event of a stream."""

    def __init__(self, fields):
        self.name = fields.get("event")
        self.id = fields.get("id")
        self.data = fields.get("data", "")

    @property
    def json(self):
        """Its data read as JSON."""
        return json.loads(self.data)


def muster(*words, text=None, env=None):
    """One command line: code, stdout, stderr. What the shell says of MUSTER_ is left out."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
    done = subprocess.run([MUSTER, *words], input=text, capture_output=True, text=True,
                          check=False, env={**own, **(env or {})})
    return done.returncode, done.stdout, done.stderr


class Stream:
    """A listener to a stream of events."""

    def __init__(self, server, target, last=None, token=None, window=None):
        self.connection = server.connect()
        if window:
            self.connection.sock = socket.socket()
            self.connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
            self.connection.sock.settimeout(20)
            self.connection.sock.connect(("127.0.0.1", server.port))
        fields = {"Accept": "text/event-stream"}
        if last is not None:
            fields["Last-Event-ID"] = str(last)
        if token or server.token:
            fields["Authorization"] = f"Bearer {token or server.token}"
        self.connection.request("GET", target, headers=fields)
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        self.whole = False  # it ended as the service meant it to

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Leaves."""
        self.response.close()
        self.connection.close()

    def line(self):
        """The next line without its end; None: there is none."""
        try:
            line = self.response.readline()
        except (http.client.IncompleteRead, ConnectionResetError):
            return None
        if not line:
            self.whole = self.response.isclosed()  # the last chunk has come
            return None
        return line.decode().rstrip("\n")

    def event(self):
        """The next event; None: the stream has ended."""
        fields = {}
        while True:
            line = self.line()
            if line is None:
                return None
            if line == "" and fields:
                return Event(fields)
            name, colon, value = line.partition(": ")
            if colon and name:
                fields[name] = value


class Server:
    """A running service and its ledger."""

    def __init__(self, folder, *flags, db="test.ledger", token=None, port=0):
        self.db = db if "://" in db else os.path.join(folder, db)
        self.token = token
        self.process = subprocess.Popen(
            [MUSTER, "serve", "--db", self.db, "--listen", f"127.0.0.1:{port}", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.port = 0
        if "--standby" not in flags:
            self.listens()

    def listens(self):
        """Waits until it says where it listens."""
        line = self.process.stdout.readline()
        if line.startswith("standing by for "):
            line = self.process.stdout.readline()
        found = re.fullmatch(r"listening on https?://127\.0\.0\.1:(\d+)\n", line)
        if not found:
            self.process.kill()
            raise AssertionError(f"it said {line!r}, then {self.process.communicate()[1]!r}")
        self.port = int(found.group(1))
        self.trusted = None  # a file of the certificate, where it speaks TLS

    def connect_raw(self, timeout=20):
        """A socket to it."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def connect(self, timeout=20):
        """A connection that may ask several times."""
        if self.trusted:
            return http.client.HTTPSConnection(
                "127.0.0.1", self.port, timeout=timeout,
                context=ssl.create_default_context(cafile=self.trusted))
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, target, body=None, fields=(), connection=None, token=None):
        """One request; a body that is no bytes or text goes as JSON."""
        own = connection or self.connect()
        fields = dict(fields)
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if body is not None:
            fields.setdefault("Content-Type", "application/json")
        token = token or self.token
        if token:
            fields.setdefault("Authorization", f"Bearer {token}")
        own.request(method, target, body=body, headers=fields)
        response = own.getresponse()
        answer = Answer(response.status, response.getheaders(), response.read())
        if connection is None:
            own.close()
        return answer

    def status_of_length(self, target, size):
        """What a POST of a body that long is answered, of which nothing is sent."""
        connection = self.connect()
        connection.putrequest("POST", target)
        for field, value in (("Authorization", f"Bearer {self.token}"),
                             ("Content-Type", "application/json"), ("Content-Length", str(size))):
            connection.putheader(field, value)
        connection.endheaders()
        status = connection.getresponse().status
        connection.close()
        return status

    def raw(self, data, timeout=20, pause=None):
        """Sends bytes as they are, each after `pause`; what came back until the end."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            try:
                for part in data if isinstance(data, list) else [data]:
                    connection.sendall(part)
                    if pause:
                        time.sleep(pause)
            except (BrokenPipeError, ConnectionResetError):
                pass
            received = b""
            try:
                while True:
                    part = connection.recv(65536)
                    if not part:
                        return received
                    received += part
            except (ConnectionResetError, socket.timeout):
                return received

    def wait_for(self, condition, seconds=10):
        """Asks `condition` until it is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.02)
        raise AssertionError("it did not come to that in time")

    def states(self, ns="team-a"):
        """Name and state of each workload, as its conditions say."""
        states = {}
        for item in self.ask("GET", f"/v1/workloads?namespace={ns}").json["items"]:
            conditions = {c["type"]: c["status"] for c in item["status"].get("conditions", [])}
            states[item["metadata"]["name"]] = (
                "finished" if conditions.get("Finished") == "True" else
                "admitted" if conditions.get("Admitted") == "True" else "pending")
        return states

    def kill(self):
        """As a power cut would."""
        self.process.kill()
        self.process.communicate()

    def stop(self):
        """Seconds until it has ended by SIGTERM; it must have ended well."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=10)
        if self.process.returncode != 0:
            raise AssertionError(f"it ended with {self.process.returncode}: {err}")
        return time.monotonic() - begin

    def verify(self):
        """The ledger repeats to what it holds."""
        done = subprocess.run([MUSTER, "ledger", "verify", self.db, "--replay"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)


class ServiceTest(unittest.TestCase):
    """Has a folder, and servers that end with the test."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.begin()

    def begin(self):
        """The first service."""
        self.server = self.serve()

    def serve(self, *flags, **named):
        """One more, which is stopped and whose ledger is repeated when the test is over."""
        server = Server(self.folder, *flags, **named)

        def end():
            if server.process.poll() is None:
                server.stop()
                server.verify()
            server.process.stdout.close()
            server.process.stderr.close()
        self.addCleanup(end)
        return server

    def apply_queues(self, server=None):
        """Two teams of 4 cpu each in one cohort."""
        answer = (server or self.server).ask("POST", "/v1/apply", QUEUES,
                                             {"Content-Type": "application/yaml"})
        self.assertEqual(answer.status, 200, answer.body)
        return answer

    def submit(self, *workloads):
        """All in one call, which must be taken."""
        answer = self.server.ask("POST", "/v1/submit", manifest_list(workloads))
        self.assertEqual(answer.status, 200, answer.body)
        return answer

    def assert_refused(self, answer, status, word=""):
        """A refusal has its four parts, and says `word`."""
        self.assertEqual(answer.status, status, answer.body)
        for part in ("code", "message", "place", "cure"):
            self.assertIn(part, answer.json)
        self.assertIn(word, answer.json["message"] + answer.json["cure"])
