"""Two ledgers in one database, each with a service of its own: what is sent to the wrong one."""

import json
import socket
import sys
import unittest
from pathlib import Path

from service import QUEUES, ServiceTest, manifest_list, muster, workload

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
        self.servers["b"].wait_for(lambda: self.servers["b"].states("team-b") == {"job": "admitted"})
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
        # Nobody is there to send it on to, so the queue is one that this tree does not have.
        answer = self.wait_for_status(400, "a", workload("job", ns="team-b"))
        self.assertIn("team-b", answer.json["message"])
        code, out, _ = muster("get", "shards", "b", "--db", self.database.url("a"))
        self.assertEqual(code, 0)
        self.assertEqual([line.split()[:2] for line in out.splitlines()],
                         [["NAME", "STATE"], ["b", "free"]])

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


class Wrong(unittest.TestCase):
    """What the command line refuses."""

    def test_words_are_refused_with_what_to_write(self):
        for words, said in (
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
