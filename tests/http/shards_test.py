"""Instances that share the ledgers of a database."""

import contextlib
import http.client
import json
import os
import select
import socket
import sys
import unittest
import urllib.parse
from pathlib import Path

from service import Server, ServiceTest, muster, workload
from trees_test import tree

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from postgres_server import PostgresServer  # pylint: disable=wrong-import-position


def processes_of(instance):
    """The processes that it began."""
    found = []
    for thread in Path(f"/proc/{instance.process.pid}/task").iterdir():
        found += [int(word) for word in (thread / "children").read_text().split()]
    return found


def said_by(server):
    """What it has printed since it was last asked."""
    ready, _, _ = select.select([server.process.stdout], [], [], 0)
    return os.read(server.process.stdout.fileno(), 65536).decode() if ready else ""


@unittest.skipIf(PostgresServer.missing(), PostgresServer.missing())
class SharedLedgers(ServiceTest):
    """Two ledgers in a database, and instances that share them."""

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

    def served_by(self, instance):
        """Ledgers whose writer is a process of it."""
        own = {f"process {process} on {socket.gethostname()}"
               for process in processes_of(instance)}
        items = instance.ask("GET", "/v1/shards").json["items"]
        return [item["name"] for item in items if item["holder"] in own]

    def writers(self):
        """How many have written each."""
        code, out, err = muster("get", "shards", "-o", "json", "--db", self.place)
        self.assertEqual(code, 0, err)
        return {item["name"]: item["writers"] for item in json.loads(out)}

    def verify(self, names, trees="ab", perhaps=()):
        """Each job of each ledger is there once, and it repeats to what it holds; those in
        `perhaps` may be there."""
        for team in trees:
            code, out, err = muster("get", "workloads", "-o", "json", "--db",
                                    self.database.url(team))
            self.assertEqual(code, 0, err)
            there = [item["metadata"]["name"] for item in json.loads(out)["items"]]
            wanted = {name for name in names if name.endswith(team)}
            self.assertEqual(len(there), len({*there}))
            self.assertLessEqual(wanted, {*there})
            self.assertLessEqual({*there}, wanted | {*perhaps})
            code, out, err = muster("ledger", "verify", "--replay", "--db",
                                    self.database.url(team))
            self.assertEqual(code, 0, out + err)


class Shards(SharedLedgers):
    """Each ledger is read by the one that takes it."""

    def test_one_serves_all_and_sends_jobs_to_each(self):
        front = self.instance()
        front.wait_for(lambda: len(self.served(front)) == 2)
        for team in "ab":
            front.wait_for(lambda team=team: self.submit(front, team, f"job-{team}"))
        self.assertEqual(front.ask("GET", "/healthz").status, 200)
        self.assertEqual(front.ask("GET", "/v1/workloads").status, 404)
        # What names a job goes on from the front, too, and the command line with it.
        server = f"http://127.0.0.1:{front.port}"
        self.assertEqual(muster("explain", "team-b/job-b", "--server", server)[0], 0)
        self.assertEqual(muster("get", "shards", "--server", server),
                         muster("get", "shards", "--db", self.place))
        code, _, err = muster("cancel", "team-a/job-a", "--server", server)
        self.assertEqual(code, 0, err)
        for path in ("/v1/workloads/team-c/job", "/v1/workloads/team-a/job-a/explain"):
            nowhere = front.ask("GET", path)
            self.assertEqual(nowhere.status, 404 if "team-c" in path else 307, nowhere.body)
        nowhere = front.ask("POST", "/v1/commands", {"command": "cycle"})
        self.assertEqual(nowhere.status, 404, nowhere.body)
        self.assertEqual(front.ask("GET", "/v1/shards", fields={"Host": "a.example"}).status, 403)
        nowhere = front.ask("POST", "/v1/submit", workload("job", ns="team-c"))
        self.assertEqual((nowhere.status, nowhere.json["code"]), (404, "NotFound"))
        front.process.terminate()
        self.assertEqual(front.process.wait(20), 0)
        for team in "ab":
            code, out, err = muster("ledger", "verify", "--replay", "--db",
                                    self.database.url(team))
            self.assertEqual(code, 0, out + err)

    def test_a_table_of_instances_from_before_standbys_is_brought_up(self):
        self.database.sql("CREATE TABLE muster_instance (name text PRIMARY KEY, url text NOT NULL, "
                          "serves bigint NOT NULL, seen timestamptz NOT NULL)")
        front = self.instance()
        front.wait_for(lambda: len(self.served(front)) == 2)

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
        self.verify([f"{when}-{team}" for when in ("before", "after") for team in "ab"])


if __name__ == "__main__":
    unittest.main()
