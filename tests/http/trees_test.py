"""Two ledgers in one database, each with a service of its own: what is sent to the wrong one."""

import contextlib
import http.client
import json
import os
import select
import socket
import subprocess
import sys
import unittest
import urllib.parse
from pathlib import Path

from service import QUEUES, Server, ServiceTest, manifest_list, muster, workload

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from postgres_server import PostgresServer  # pylint: disable=wrong-import-position


def free_port():
    """A port that nothing listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def tree(team):
    """What a service of that team alone has."""
    other = "b" if team == "a" else "a"
    documents = QUEUES.split("---\n")
    return "---\n".join(text for text in documents if f"team-{other}" not in text)


@unittest.skipIf(PostgresServer.missing(), PostgresServer.missing())
class Trees(ServiceTest):
    """Tree `a` has team-a, tree `b` has team-b."""

    def begin(self):
        self.database = PostgresServer()
        self.addCleanup(self.database.stop)
        self.urls, self.servers = {}, {}
        for team in "ab":
            self.start(team)
        self.server = self.servers["a"]

    def start(self, team):
        """Serves a tree, at a port that is its own from then on."""
        port = free_port()
        self.urls[team] = f"http://127.0.0.1:{port}"
        server = self.serve("--advertise", self.urls[team], db=self.database.url(team), port=port)
        self.servers[team] = server
        done = server.ask("POST", "/v1/apply", tree(team), [("Content-Type", "application/yaml")])
        self.assertEqual(done.status, 200, done.body)

    def shards(self):
        """What `muster get shards` says, by name."""
        code, out, err = muster("get", "shards", "-o", "json", "--db", self.database.url("a"))
        self.assertEqual(code, 0, err)
        return {shard["name"]: shard for shard in json.loads(out)}

    def submit_at(self, team, *objects):
        """The answer of that service to jobs."""
        return self.servers[team].ask("POST", "/v1/submit", manifest_list(list(objects)))

    def wait_for_status(self, status, team, *objects):
        """Until others have heard of a queue."""
        self.servers[team].wait_for(
            lambda: self.submit_at(team, *objects).status == status)
        return self.submit_at(team, *objects)

    def test_send_a_job_on_to_the_one_that_has_its_queue(self):
        job = workload("job", "100m", ns="team-b")
        answer = self.wait_for_status(307, "a", job)
        self.assertEqual(answer.fields["location"], self.urls["b"] + "/v1/submit")
        self.assertEqual(answer.json["code"], "Elsewhere")
        self.assertIn(f"team-b/main is served at {self.urls['b']}", answer.json["message"])
        self.assertEqual(self.submit_at("b", job).status, 200)
        there = self.servers["b"]
        there.wait_for(lambda: there.states("team-b") == {"job": "admitted"})
        self.assertNotIn("job", self.servers["a"].states())

    def test_refuse_jobs_of_several_trees_in_one_call(self):
        self.wait_for_status(307, "a", workload("one", ns="team-b"))
        answer = self.submit_at("a", workload("one", ns="team-b"), workload("two", ns="team-a"))
        self.assertEqual(answer.status, 409, answer.body)
        self.assertIn("send the jobs of each apart", answer.json["cure"])
        self.assertEqual(self.servers["a"].states(), {})

    def test_are_listed_with_what_became_of_their_services(self):
        self.server.wait_for(
            lambda: [each["queues"] for each in self.shards().values()] == [1, 1])
        shards = self.shards()
        for team in "ab":
            self.assertEqual(shards[team]["state"], "served")
            self.assertEqual(shards[team]["url"], self.urls[team])
            self.assertEqual(shards[team]["writers"], 1)
        self.servers["b"].stop()
        self.server.wait_for(lambda: self.shards()["b"]["state"] == "free")
        # There is none to send it on to, so the queue is one that this tree does not have.
        answer = self.wait_for_status(400, "a", workload("job", ns="team-b"))
        self.assertIn("team-b", answer.json["message"])
        code, out, _ = muster("get", "shards", "b", "--db", self.database.url("a"))
        self.assertEqual(code, 0)
        self.assertEqual([line.split()[:2] for line in out.splitlines()],
                         [["NAME", "STATE"], ["b", "free"]])

    def test_say_why_others_are_not_told(self):
        self.servers["a"].stop()
        code, _, err = muster("apply", "-f", "-", "--db", self.database.url("a"), text=tree("a"))
        self.assertEqual(code, 0, err)
        place = self.database.url("a").split("#")[0]
        for statement in ("DROP TABLE muster_tree_queue", "CREATE ROLE low LOGIN",
                          "GRANT ALL ON ALL TABLES IN SCHEMA public TO low"):
            subprocess.run(["psql", "--quiet", "--command", statement, place], check=True)
        low = self.serve("--advertise", "http://127.0.0.1:0",
                         db=self.database.url("a").replace("user=muster", "user=low"))
        self.server = low
        line = low.process.stderr.readline()
        while line and "not known to others" not in line:
            line = low.process.stderr.readline()
        self.assertIn("permission denied", line)
        self.assertEqual(self.servers["b"].ask("GET", "/healthz").status, 200)

    def test_follow_a_queue_that_moves(self):
        self.wait_for_status(307, "a", workload("job", ns="team-b"))
        gone = {"command": "delete", "kind": "LocalQueue",
                "key": {"namespace": "team-b", "name": "main"}}
        done = self.servers["b"].ask("POST", "/v1/commands", gone)
        self.assertEqual(done.status, 200, done.body)
        moved = tree("b")
        done = self.servers["a"].ask("POST", "/v1/apply", moved,
                                     [("Content-Type", "application/yaml")])
        self.assertEqual(done.status, 200, done.body)
        answer = self.wait_for_status(307, "b", workload("job", ns="team-b"))
        self.assertEqual(answer.fields["location"], self.urls["a"] + "/v1/submit")
        self.assertEqual(self.submit_at("a", workload("job", ns="team-b")).status, 200)


def said_by(server):
    """What it has printed since it was last asked."""
    ready, _, _ = select.select([server.process.stdout], [], [], 0)
    return os.read(server.process.stdout.fileno(), 65536).decode() if ready else ""


@unittest.skipIf(PostgresServer.missing(), PostgresServer.missing())
class Shards(ServiceTest):
    """Instances that share the ledgers of a database."""

    def begin(self):
        self.database = PostgresServer()
        self.addCleanup(self.database.stop)
        self.place = self.database.url("").rstrip("#")
        for team in "ab":
            code, _, err = muster("apply", "-f", "-", "--db", self.database.url(team),
                                  text=tree(team))
            self.assertEqual(code, 0, err)
        self.instances = []

    def instance(self, *flags):
        """One more; it has no ledger, so nothing of it is repeated at the end."""
        server = Server(self.folder, "--shards", *flags, db=self.place)
        self.instances.append(server)

        def end():
            if server.process.poll() is None:
                server.process.terminate()
            server.process.communicate(timeout=20)
        self.addCleanup(end)
        return server

    def served(self, instance):
        """URL by ledger, of those that are served."""
        items = instance.ask("GET", "/v1/shards").json["items"]
        return {item["name"]: item["url"] for item in items
                if item["state"] == "served" and item["url"]}

    def submit(self, instance, team, name):
        """Follows where the front sends it; whether it was taken."""
        job = workload(name, "10m", ns=f"team-{team}")
        answer = instance.ask("POST", "/v1/submit", job)
        if answer.status != 307:
            return False
        there = urllib.parse.urlsplit(answer.fields["location"])
        connection = http.client.HTTPConnection(there.hostname, there.port, timeout=20)
        with contextlib.closing(connection):
            try:
                connection.request("POST", there.path, json.dumps(job),
                                   {"Content-Type": "application/json"})
                return connection.getresponse().status == 200
            except OSError:
                return False

    def test_one_serves_all_and_sends_jobs_to_each(self):
        front = self.instance()
        front.wait_for(lambda: len(self.served(front)) == 2)
        for team in "ab":
            front.wait_for(lambda team=team: self.submit(front, team, f"job-{team}"))
        self.assertEqual(front.ask("GET", "/healthz").status, 200)
        self.assertEqual(front.ask("GET", "/v1/workloads").status, 404)
        self.assertEqual(front.ask("GET", "/v1/shards", fields={"Host": "a.example"}).status, 403)
        nowhere = front.ask("POST", "/v1/submit", workload("job", ns="team-c"))
        self.assertEqual((nowhere.status, nowhere.json["code"]), (404, "NotFound"))
        front.process.terminate()
        self.assertEqual(front.process.wait(20), 0)
        for team in "ab":
            code, out, err = muster("ledger", "verify", "--replay", "--db",
                                    self.database.url(team))
            self.assertEqual(code, 0, out + err)

    def test_the_front_lets_in_what_shows_a_token(self):
        tokens = os.path.join(self.folder, "tokens.json")
        code, secret, err = muster("token", "create", "gate", "--role", "admin", "--tokens", tokens)
        self.assertEqual(code, 0, err)
        front = self.instance("--tokens", tokens)
        self.assertEqual(front.ask("GET", "/v1/shards").status, 401)
        self.assertEqual(front.ask("GET", "/v1/shards", token="muster_wrong").status, 401)
        self.assertEqual(front.ask("GET", "/v1/shards", token=secret.split()[-1]).status, 200)
        os.remove(tokens)
        front.wait_for(
            lambda: front.ask("GET", "/v1/shards", token=secret.split()[-1]).status == 503)

    def test_two_share_and_one_takes_what_the_other_had_when_it_is_killed(self):
        first = self.instance()
        first.wait_for(lambda: len(self.served(first)) == 2)
        second = self.instance()
        second.wait_for(lambda: "serving ledger" in said_by(second))
        second.wait_for(lambda: len(self.served(second)) == 2)
        for team in "ab":
            second.wait_for(lambda team=team: self.submit(second, team, f"before-{team}"))
        first.kill()
        for team in "ab":
            second.wait_for(lambda team=team: self.submit(second, team, f"after-{team}"))
        second.process.terminate()
        self.assertEqual(second.process.wait(20), 0)
        for team in "ab":
            code, out, _ = muster("get", "workloads", "-o", "json", "--db",
                                  self.database.url(team))
            self.assertEqual(code, 0)
            names = {item["metadata"]["name"] for item in json.loads(out)["items"]}
            self.assertEqual(names, {f"before-{team}", f"after-{team}"})
            code, out, err = muster("ledger", "verify", "--replay", "--db",
                                    self.database.url(team))
            self.assertEqual(code, 0, out + err)


class TreeWords(unittest.TestCase):
    """What the command line refuses."""

    def test_words_are_refused_with_what_to_write(self):
        for words, said in (
                (("serve", "--db", "a.ledger", "--shards"), "of a database"),
                (("serve", "--db", "postgresql:///x#y", "--shards"), "without a #"),
                (("serve", "--db", "postgresql:///x", "--shards", "--standby"), "leave out"),
                (("get", "shards", "--db", "postgresql:///x", "-n", "a"), "nothing else"),
                (("serve", "--db", "a.ledger", "--advertise", "http://h:1"), "in a database"),
                (("serve", "--db", "postgresql:///x", "--advertise", "h"), "http://"),
                (("get", "shards"), "--db postgresql://"),
                (("get", "shards", "--db", "a.ledger"), "postgresql://"),
                (("get", "shards", "--server", "http://127.0.0.1:1"), "--db postgresql://"),
                (("get", "shards", "--db", "postgresql:///x", "-o", "yaml"), "-o json")):
            with self.subTest(words):
                code, out, err = muster(*words)
                self.assertEqual((code, out), (1, ""), err)
                self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
