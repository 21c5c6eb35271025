"""muster move: a queue and what waits in it go from ledger to ledger, killed at any step."""

import http.server
import json
import os
import signal
import subprocess
import threading
import unittest

from service import MUSTER, QUEUES, ServiceTest, manifest_list, muster, workload

APPLY = [("Content-Type", "application/yaml")]
FLAVOR = QUEUES.split("---\n")[2]
THERE = FLAVOR + """---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: lab-cq}
spec:
  cohortName: labs
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 1}]
"""
# Its quota is 4; a second LocalQueue is on hold before anything moves.
HERE = "---\n".join(text for text in QUEUES.split("---\n") if "team-b" not in text) + """---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: later, namespace: team-a, labels: {colour: red}}
spec: {clusterQueue: team-a-cq, stopPolicy: Hold}
"""


class Gate(http.server.BaseHTTPRequestHandler):
    """Stands before a service, and counts what changes it."""

    def log_message(self, *_):  # pylint: disable=arguments-differ
        """Says nothing."""

    def forward(self):
        """Asks the service; what is left of the journey may be cut by the test."""
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size) if size else None
        fields = [(name, self.headers[name]) for name in ("Content-Type",) if name in self.headers]
        writes = self.command == "POST"
        if writes and self.server.test.cut("before", self.path, body):
            return
        answer = self.server.service.ask(self.command, self.path, body, fields)
        if writes and self.server.test.cut("after", self.path, body):
            return
        self.send_response(answer.status)
        for name, value in answer.fields.items():
            if name in ("content-type", "location"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST = forward


class Moves(ServiceTest):
    """From a tree with cohort `all` to one with cohort `labs`."""

    def begin(self):
        self.victim, self.calls, self.cut_at = None, [], None
        self.here = self.there = None
        self.withdrawn = ()

    def fresh(self, number):
        """A pair of services; jobs wait in the first."""
        for server in (self.here, self.there):
            if server:
                server.stop()
                server.verify()
        self.here = self.serve(db=f"here-{number}.ledger")
        self.there = self.serve(db=f"there-{number}.ledger")
        self.server = self.here
        self.apply(self.here, HERE)
        self.apply(self.there, THERE)
        jobs = [workload("ended", "1")]
        self.submit(jobs)
        self.here.wait_for(lambda: self.here.states() == {"ended": "admitted"})
        self.command(self.here, self.named("finish", "ended"))
        jobs = [workload(f"large-{i}", "9", priority=i % 3) for i in range(5)]
        jobs[1]["metadata"]["uid"] = "5d1b"
        jobs += [workload(f"held-{i}", "1", queue="later") for i in range(3)]
        self.submit(jobs)
        self.command(self.here, {"command": "update", "active": False,
                                 "workload": {"namespace": "team-a", "name": "large-0"}})
        self.here.wait_for(lambda: self.jobs(self.here)["large-0"][5])  # it was told to leave
        self.before = self.jobs(self.here)
        self.assertEqual(len(self.before), 8)
        for server in (self.here, self.there):
            gate = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Gate)
            gate.test, gate.service = self, server
            threading.Thread(target=gate.serve_forever, daemon=True).start()
            self.addCleanup(gate.server_close)
            self.addCleanup(gate.shutdown)
            server.gate = f"http://127.0.0.1:{gate.server_address[1]}"

    def apply(self, server, text):
        """Applies manifests."""
        done = server.ask("POST", "/v1/apply", text, APPLY)
        self.assertEqual(done.status, 200, done.body)

    def submit(self, jobs):
        """Submits jobs where they are first."""
        done = self.here.ask("POST", "/v1/submit", manifest_list(jobs))
        self.assertEqual(done.status, 200, done.body)

    def command(self, server, command):
        """Does one command."""
        done = server.ask("POST", "/v1/commands", command)
        self.assertEqual(done.status, 200, done.body)

    @staticmethod
    def named(command, *names):
        """A command about jobs of team-a."""
        return {"command": command,
                "workloads": [{"namespace": "team-a", "name": name} for name in names]}

    @staticmethod
    def jobs(server):
        """What counts of the jobs that have not ended, by name."""
        items = server.ask("GET", "/v1/workloads?output=json").json["items"]
        jobs = {}
        for item in items:
            conditions = item["status"].get("conditions", [])
            if any(each["type"] == "Finished" and each["status"] == "True" for each in conditions):
                continue
            meta, spec = item["metadata"], item["spec"]
            jobs[meta["name"]] = (meta["creationTimestamp"], spec["queueName"], spec["priority"],
                                  spec.get("active", True), json.dumps(spec["podSets"]),
                                  item["status"].get("schedulingStats"),
                                  meta["uid"] if meta["name"] == "large-1" else None)
        return jobs

    @staticmethod
    def queue(server, kind, name):
        """A queue as manifest; None: it is not there."""
        answer = server.ask("GET", f"/v1/{kind}/{name}")
        return answer.json if answer.status == 200 else None

    def cut(self, when, path, body):
        """Notes a call, looks at both ledgers, and kills the command where it is to die."""
        if when == "before":
            self.calls.append(path)
        else:
            self.check()
        if self.cut_at != (len(self.calls), when):
            return False
        self.victim.send_signal(signal.SIGKILL)
        self.victim.wait()
        return True

    def check(self):
        """No job is lost, and none can start there while it is here."""
        here, there = self.jobs(self.here), self.jobs(self.there)
        there = {name: job for name, job in there.items() if name not in self.withdrawn}
        if {**there, **here} != self.before:
            self.found.append(f"{here} and {there}, once {self.before}")
        if self.queue(self.here, "clusterqueues", "team-a-cq"):
            spec = self.queue(self.there, "clusterqueues", "team-a-cq")
            if spec and "cohortName" in spec["spec"]:
                self.found.append("its quota is lent there")
            if "admitted" in self.there.states().values():
                self.found.append("a job has started there")

    def move(self, *flags):
        """Runs it: code, stdout, stderr."""
        self.found = []
        own = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
        self.victim = subprocess.Popen(
            [MUSTER, "move", "team-a-cq", "--server", self.here.gate, "--to", self.there.gate,
             "--cohort", "labs", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=own)
        out, err = self.victim.communicate(timeout=60)
        self.assertEqual(self.found, [])
        return self.victim.returncode, out, err

    def assert_moved(self):
        """All is there, as it was, and nothing here."""
        self.assertEqual(self.jobs(self.there), self.before)
        self.assertEqual(self.jobs(self.here), {})
        self.assertIsNone(self.queue(self.here, "clusterqueues", "team-a-cq"))
        self.assertIsNone(self.queue(self.here, "localqueues", "team-a/main"))
        spec = self.queue(self.there, "clusterqueues", "team-a-cq")["spec"]
        self.assertEqual((spec["cohortName"], spec.get("stopPolicy", "None")), ("labs", "None"))
        for name, policy, labels in (("main", "None", {}), ("later", "Hold", {"colour": "red"})):
            local = self.queue(self.there, "localqueues", f"team-a/{name}")
            self.assertEqual(local["spec"].get("stopPolicy", "None"), policy)
            self.assertEqual(local["metadata"].get("labels", {}), labels)
        # They start there, the most urgent first, in the order in which they came.
        self.command(self.there, self.named("cancel", *(f"large-{i}" for i in range(5))))
        done = self.there.ask("POST", "/v1/stop-policy", {
            "stopPolicy": "None", "queues": [{"namespace": "team-a", "name": "later"}]})
        self.assertEqual(done.status, 200, done.body)
        self.there.wait_for(lambda: set(self.there.states().values()) == {"admitted"})
        self.assertEqual(set(self.there.states()), {"held-0", "held-1", "held-2"})

    def test_is_whole_whatever_call_it_is_killed_at(self):
        self.fresh(0)
        code, out, err = self.move()
        self.assertEqual(code, 0, err)
        self.assertIn("moved", out)
        self.assert_moved()
        calls = len(self.calls)
        self.assertGreaterEqual(calls, 7, self.calls)
        for number in range(1, calls + 1):
            for when in ("before", "after"):
                with self.subTest(number=number, when=when):
                    self.fresh(f"{number}{when}")
                    self.calls, self.cut_at = [], (number, when)
                    self.assertEqual(self.move()[0], -signal.SIGKILL)
                    self.cut_at = None
                    code, out, err = self.move()
                    self.assertEqual(code, 0, err)
                    self.assert_moved()

    def test_waits_for_what_runs_or_evicts_it(self):
        for flags, word in (((), "ha(s|ve) ended"), (("--drain",), "ha(s|ve) left")):
            with self.subTest(flags):
                self.fresh("-".join(("runs", *flags)))
                self.submit([workload(name, "1", priority=5) for name in ("runs", "leaves")])
                self.here.wait_for(lambda: list(self.here.states().values()).count("admitted") == 2)
                self.before = self.jobs(self.here)
                done = threading.Thread(target=self.end_what_holds, args=(flags,))
                done.start()
                code, out, err = self.move_unwatched(*flags)
                done.join()
                self.assertEqual(code, 0, err)
                # None where all were gone before they were counted.
                for line in err.splitlines():
                    self.assertRegex(line, f"^waiting until [12] jobs? of team-a-cq {word}$")
                names = set(self.jobs(self.there))
                self.assertEqual(names & {"runs", "leaves"}, {"runs", "leaves"} if flags else set())
                # Once more it says that all is done.
                code, out, _ = self.move_unwatched("-o", "json")
                self.assertEqual((code, json.loads(out)["result"]), (0, "unchanged"))

    def move_unwatched(self, *flags):
        """As move, past the gates."""
        return muster("move", "team-a-cq", "--server", f"http://127.0.0.1:{self.here.port}", "--to",
                      f"http://127.0.0.1:{self.there.port}", "--cohort", "labs", *flags)

    def end_what_holds(self, drained):
        """What a gateway does once the queue has stopped."""
        spec = {}
        while "stopPolicy" not in spec:
            spec = self.queue(self.here, "clusterqueues", "team-a-cq")["spec"]
        word = "evicted" if drained else "finish"
        self.command(self.here, self.named(word, "runs"))
        self.command(self.here, self.named(word, "leaves"))

    def test_is_refused_where_it_cannot_be_there_and_changes_nothing(self):
        queue = "---\n".join(QUEUES.split("---\n")[3:5])
        for number, (text, more, said) in enumerate((
                ("", (), "no ResourceFlavor default"),
                (FLAVOR, (), "no cohort labs"),
                (THERE, ("--cohort", "elsewhere"), "no cohort elsewhere"),
                (THERE + "---\n" + queue, (), "has a ClusterQueue team-a-cq of its own"),
                (THERE + "---\n" + queue.replace("team-a-cq", "other-cq"), (),
                 "has a LocalQueue team-a/main of its own"))):
            with self.subTest(said):
                here, there = self.serve(db=f"{number}.here"), self.serve(db=f"{number}.there")
                self.apply(here, HERE)
                if text:
                    self.apply(there, text)
                flags = more or ("--cohort", "labs")
                code, out, err = muster(
                    "move", "team-a-cq", "--server", f"http://127.0.0.1:{here.port}", "--to",
                    f"http://127.0.0.1:{there.port}", *flags)
                self.assertEqual((code, out), (2, ""), err)
                self.assertIn(said, err)
                self.assertNotIn("stopPolicy",
                                 self.queue(here, "clusterqueues", "team-a-cq")["spec"])
        code, _, err = muster("move", "nothing", "--server", f"http://127.0.0.1:{here.port}",
                              "--to", f"http://127.0.0.1:{there.port}")
        self.assertEqual(code, 2)
        self.assertIn("has ClusterQueue nothing", err)
        self.assertEqual(muster("move", "team-a-cq", "--to", "b")[0], 1)

    def test_what_is_withdrawn_meanwhile_is_withdrawn_there(self):
        self.fresh("withdrawn")
        cut = self.cut

        def withdraw(when, path, body):
            cancels = when == "before" and body and b'"cancel"' in body
            if cancels and "large-2" in self.jobs(self.here):
                self.command(self.here, self.named("cancel", "large-2"))
                del self.before["large-2"]
                self.withdrawn = ("large-2",)
            return cut(when, path, body)
        self.cut = withdraw
        code, _, err = self.move()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.jobs(self.there), self.before)  # without that one


if __name__ == "__main__":
    unittest.main()
