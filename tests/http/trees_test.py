"""Two ledgers in one database, each with a service of its own: what is sent to the wrong one."""

import contextlib
import http.client
import json
import socket
import subprocess
import sys
import unittest
import urllib.parse
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

    def ask_at(self, url, method="GET", body=None):
        """What that URL answers, which may send on."""
        there = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(there.hostname, there.port, timeout=20)
        with contextlib.closing(connection):
            target = there.path + (f"?{there.query}" if there.query else "")
            connection.request(method, target, json.dumps(body) if body else None,
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.getheader("Location"), answer.read()

    def follow(self, url, method="GET", body=None):
        """The last answer, and all that were asked."""
        asked = []
        while url:
            asked.append(url)
            self.assertLess(len(asked), 9, asked)
            status, url, text = self.ask_at(url, method, body)
        return status, text, asked

    def test_send_calls_about_a_job_on_by_its_name(self):
        self.wait_for_status(307, "a", workload("job", ns="team-b"))
        self.assertEqual(self.submit_at("b", workload("job", ns="team-b")).status, 200)
        there = self.servers["b"]
        there.wait_for(lambda: there.states("team-b") == {"job": "admitted"})
        job = {"namespace": "team-b", "name": "job"}
        for path in ("/v1/workloads/team-b/job", "/v1/workloads/team-b/job/explain?output=table",
                     "/v1/workloads/team-b/job/history",
                     "/v1/describe?kind=workload&name=job&namespace=team-b"):
            status, text, asked = self.follow(self.urls["a"] + path)
            self.assertEqual((status, len(asked)), (200, 2), (path, text))
            self.assertTrue(asked[1].startswith(self.urls["b"] + path), asked)
            self.assertTrue(asked[1].endswith("tried=a"), asked)
        # The command line goes on by itself.
        self.assertEqual(muster("explain", "team-b/job", "--server", self.urls["a"])[0], 0)
        for body in ({"command": "ready", "workloads": [job]},
                     [{"command": "update", "workload": job, "priority": 3},
                      {"command": "finish", "workloads": [job]}]):
            status, text, asked = self.follow(self.urls["a"] + "/v1/commands", "POST", body)
            self.assertEqual((status, len(asked)), (200, 2), text)
        code, _, err = muster("cancel", "team-b/job", "--server", self.urls["a"])
        self.assertEqual(code, 0, err)
        self.assertEqual(there.states("team-b"), {})

    def test_send_on_to_each_once_and_then_say_that_it_is_not_there(self):
        both = QUEUES.split("---\n")[6].replace("name: main", "name: more")
        apply = [("Content-Type", "application/yaml")]
        both = both.replace("team-b-cq", "team-a-cq")
        self.assertEqual(self.servers["a"].ask("POST", "/v1/apply", both, apply).status, 200)
        self.wait_for_status(307, "a", workload("job", ns="team-b"))
        self.wait_for_status(307, "b", workload("job", ns="team-b", queue="more"))
        for team, other in ("ab", "ba"):
            for path, method, body in (
                    ("/v1/workloads/team-b/none", "GET", None),
                    ("/v1/commands", "POST", {"command": "cancel", "workloads": [
                        {"namespace": "team-b", "name": "none"}]})):
                status, text, asked = self.follow(self.urls[team] + path, method, body)
                self.assertEqual(status, 404, text)
                self.assertEqual(asked, [self.urls[team] + path,
                                         f"{self.urls[other]}{path}?tried={team}"])
        # Where no other has LocalQueues, it is answered at once; so is what is about no job.
        self.assertEqual(len(self.follow(self.urls["b"] + "/v1/workloads/team-c/none")[2]), 1)
        cycle = [{"command": "cycle"}, {"command": "cancel", "workloads": [
            {"namespace": "team-b", "name": "none"}]}]
        self.assertEqual(len(self.follow(self.urls["a"] + "/v1/commands", "POST", cycle)[2]), 1)

    def test_a_queue_is_moved_by_the_name_of_the_ledger(self):
        self.wait_for_status(307, "a", workload("job", ns="team-b"))
        jobs = [workload("waits", "9", ns="team-b"), workload("late", "9", ns="team-b", priority=3)]
        self.assertEqual(self.submit_at("b", *jobs).status, 200)
        for times, word in ((1, "moved to"), (2, "already")):
            code, out, err = muster("move", "team-b-cq", "--to", "a", "--server", self.urls["b"])
            self.assertEqual(code, 0, err)
            self.assertIn(word, out, times)
        self.assertEqual(set(self.servers["a"].states("team-b")), {"waits", "late"})
        answer = self.wait_for_status(307, "b", workload("job", ns="team-b"))
        self.assertEqual(answer.fields["location"], self.urls["a"] + "/v1/submit")
        code, _, err = muster("move", "team-b-cq", "--to", "c", "--server", self.urls["a"])
        self.assertEqual(code, 2)
        self.assertIn("no service serves ledger c", err)

    def test_are_listed_by_a_service_as_from_the_database(self):
        self.server.wait_for(
            lambda: [each["queues"] for each in self.shards().values()] == [1, 1])
        for output in ("json", "table"):
            words = ("get", "shards", "-o", output)
            self.assertEqual(muster(*words, "--server", self.urls["a"]),
                             muster(*words, "--db", self.database.url("b")))
        code, out, _ = muster("get", "shards", "b", "-o", "json", "--server", self.urls["a"])
        self.assertEqual((code, [each["name"] for each in json.loads(out)]), (0, ["b"]))
        self.assertEqual(muster("get", "shards", "c", "--server", self.urls["a"])[0], 2)

    def for_all(self, text):
        """Gives objects to all ledgers: code, stdout, stderr."""
        return muster("apply", "--all-trees", "-f", "-", "--db",
                      self.database.url("").rstrip("#"), text=text)

    def wait_for_number(self, number, teams="ab"):
        """Until each has it."""
        self.server.wait_for(lambda: all(
            self.shards()[team]["objects"] == number for team in teams))

    def callers(self, team):
        """Of the commits of a ledger, those that took objects of all."""
        code, out, err = muster("ledger", "export", "--what", "commits", "--db",
                                self.database.url(team))
        self.assertEqual(code, 0, err)
        callers = [json.loads(line).get("caller", "") for line in out.splitlines()]
        return [caller for caller in callers if caller.startswith("all-trees/")]

    def sql(self, statement):
        """Runs it in the database."""
        place = self.database.url("a").split("#")[0]
        subprocess.run(["psql", "--quiet", "--command", statement, place], check=True)

    def restart(self, team):
        """Ends the service of a ledger, whatever it does, and begins another one."""
        if self.servers[team].process.poll() is None:
            self.servers[team].stop()
        self.start(team)
        self.server = self.servers["a"]

    def test_each_takes_objects_of_all_in_order_and_once(self):
        flavor = QUEUES.split("---\n")[2]
        code, out, err = self.for_all(flavor.replace("default", "spot"))
        self.assertEqual(code, 0, err)
        self.assertIn("number 1 of all ledgers", out)
        self.wait_for_number(1)
        # One is down while the next two come.
        self.servers["b"].stop()
        for name in ("large", "small"):
            self.assertEqual(self.for_all(flavor.replace("default", name))[0], 0)
        self.wait_for_number(3, "a")
        self.assertEqual(self.shards()["b"]["objects"], 1)
        self.restart("b")
        self.wait_for_number(3)
        # It ended between its commit and its note of that.
        self.servers["b"].stop()
        self.sql("UPDATE muster_for_all_taken SET taken = 2, begun = 3 WHERE shard = 'b'")
        self.restart("b")
        self.wait_for_number(3)
        self.restart("a")
        for team in "ab":
            self.assertEqual(self.callers(team), [f"all-trees/{number}" for number in (1, 2, 3)])
            names = {item["metadata"]["name"] for item in
                     self.servers[team].ask("GET", "/v1/flavors").json["items"]}
            self.assertEqual(names, {"default", "spot", "large", "small"})

    def test_one_that_refuses_an_object_says_why_and_goes_on(self):
        topology = ("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\n"
                    "metadata: {name: racks}\nspec: {levels: [{nodeLabel: rack}]}\n")
        done = self.servers["a"].ask("POST", "/v1/apply", topology,
                                     [("Content-Type", "application/yaml")])
        self.assertEqual(done.status, 200, done.body)
        flavor = QUEUES.split("---\n")[2]
        placed = flavor.replace("default", "placed")
        placed += "spec: {nodeLabels: {pool: a}, topologyName: racks}\n"
        self.assertEqual(self.for_all(placed)[0], 0)
        self.assertEqual(self.for_all(flavor.replace("default", "plain"))[0], 0)
        self.wait_for_number(2)
        shards = self.shards()
        self.assertEqual(shards["a"]["refused"], [])
        (refused,) = shards["b"]["refused"]
        self.assertEqual(refused["number"], 1)
        self.assertIn("racks", refused["why"])
        code, out, _ = muster("get", "shards", "--server", self.urls["b"])
        self.assertEqual(code, 0)
        self.assertIn("2, 1 refused", out)
        self.assertIn("b refused 1: ", out)
        self.assertEqual(self.callers("a"), ["all-trees/1", "all-trees/2"])
        self.assertEqual(self.callers("b"), ["all-trees/2"])

    def test_each_activates_a_package_of_all(self):
        package = Path(__file__).parents[2] / "policies" / "small-first"
        code, out, err = muster("policy", "activate", str(package), "--all-trees", "--db",
                                self.database.url("").rstrip("#"))
        self.assertEqual(code, 0, err)
        self.assertIn("number 1 of all ledgers", out)
        self.wait_for_number(1)
        for team in "ab":
            answer = self.servers[team].ask("GET", "/v1/policy-list?output=json")
            (policy,) = [each for each in answer.json if each["active"]]
            self.assertIn("small-first", json.dumps(policy))
            self.assertEqual(self.callers(team), ["all-trees/1"])
        self.assertEqual([each["refused"] for each in self.shards().values()], [[], []])

    def test_quota_is_no_object_of_all(self):
        for text in (tree("a"), QUEUES.split("---\n")[4]):
            code, out, err = self.for_all(text)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("is of one ledger alone", err)
            self.assertIn("DATABASE#NAME", err)
        self.assertEqual({each["objects"] for each in self.shards().values()}, {0})


class TreeWords(unittest.TestCase):
    """What the command line refuses."""

    def test_words_are_refused_with_what_to_write(self):
        for words, said in (
                (("serve", "--db", "a.ledger", "--shards"), "of a database"),
                (("serve", "--db", "postgresql:///x#y", "--shards"), "without a #"),
                (("serve", "--db", "postgresql:///x", "--shards", "--wait", "3"), "leave out"),
                (("serve", "--db", "a.ledger", "--shards", "--standby"), "of a database"),
                (("serve", "--db", "postgresql:///x#y", "--shards", "--standby"), "without a #"),
                (("get", "shards", "--db", "postgresql:///x", "-n", "a"), "nothing else"),
                (("serve", "--db", "a.ledger", "--advertise", "http://h:1"), "in a database"),
                (("serve", "--db", "postgresql:///x", "--advertise", "h"), "http://"),
                (("get", "shards"), "--db postgresql://"),
                (("apply", "--all-trees", "--db", "a.ledger"), "of a database"),
                (("apply", "--all-trees", "--db", "postgresql:///x", "--dry-run"), "none of"),
                (("move", "team-a", "--to", "b"), "--server URL"),
                (("move", "team-a", "--server", "http://127.0.0.1:1"), "--to LEDGER"),
                (("get", "shards", "--db", "a.ledger"), "postgresql://"),
                (("get", "shards", "--server", "http://127.0.0.1:1", "-n", "a"), "nothing else"),
                (("get", "shards", "--db", "postgresql:///x", "-o", "yaml"), "-o json")):
            with self.subTest(words):
                code, out, err = muster(*words)
                self.assertEqual((code, out), (1, ""), err)
                self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
