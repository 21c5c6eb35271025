"""Two services on one ledger in PostgreSQL: one serves, one stands by, and the first is killed."""

import subprocess
import sys
import time
import unittest
from pathlib import Path

from service import ServiceTest, manifest_list, muster, workload

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from postgres_server import PostgresServer  # pylint: disable=wrong-import-position

LEASE = 3  # seconds in which a writer that is not heard of loses its ledger


@unittest.skipIf(PostgresServer.missing(), PostgresServer.missing())
class OnADatabase(ServiceTest):
    """With a server of its own."""

    def begin(self):
        database = PostgresServer()
        self.addCleanup(database.stop)
        self.url = database.url("main")
        self.server = self.serve(db=self.url)
        self.apply_queues()

    def kill_and_take_over(self, jobs):
        """Submits jobs until the first service is killed; seconds until the next has decided."""
        standby = self.serve("--standby", db=self.url)
        for name in jobs:
            self.submit(workload(name, "100m"))
        self.server.kill()
        killed = time.monotonic()
        standby.listens()
        self.server = standby
        self.submit(workload(f"first-after-{jobs[-1]}", "100m"))
        standby.wait_for(lambda: standby.states()[f"first-after-{jobs[-1]}"] == "admitted")
        return time.monotonic() - killed

    def known(self):
        """Names of all workloads."""
        page = self.server.ask("GET", "/v1/workloads?limit=1000").json
        return {item["metadata"]["name"] for item in page["items"]}


class Standby(OnADatabase):
    """One kill, one orderly end."""

    def test_takes_over_and_loses_nothing(self):
        jobs = [f"job-{number}" for number in range(20)]
        seconds = self.kill_and_take_over(jobs)
        print(f"first decision {seconds:.2f} s after the kill")
        self.assertLess(set(jobs), self.known())
        self.server.stop()
        self.server.verify()

    def test_begins_at_once_when_the_first_one_is_told_to_stop(self):
        standby = self.serve("--standby", db=self.url)
        self.submit(workload("job", "100m"))
        time.sleep(0.5)
        self.server.stop()
        begin = time.monotonic()
        standby.listens()
        self.assertLess(time.monotonic() - begin, LEASE)
        self.assertIn("job", standby.states())


class TakenOver(OnADatabase):
    """A service whose ledger another has."""

    def test_is_not_ready_although_it_wrote_nothing_since(self):
        self.assertEqual(self.server.ask("GET", "/readyz").status, 200)
        taken = "UPDATE muster_shard SET epoch = epoch + 1"
        subprocess.run(["psql", "--quiet", "--command", taken, self.url.split("#")[0]],
                       check=True)
        self.server.wait_for(lambda: self.server.ask("GET", "/readyz").status == 503)
        self.assertIn("taken the ledger over",
                      self.server.ask("GET", "/readyz").json["message"])
        self.assertEqual(self.server.ask("GET", "/healthz").status, 200)


class LostDatabase(OnADatabase):
    """A database that has lost what it confirmed."""

    def test_is_refused_by_the_service_however_often_it_begins_again(self):
        self.server.stop()
        heads = str(Path(self.folder) / "heads")
        server = self.serve("--heads", heads, db=self.url)
        server.ask("POST", "/v1/submit", manifest_list([workload("job")]))
        server.stop()
        lost = ("UPDATE muster_shard SET seq = first.seq, head_hash = first.hash FROM (SELECT seq, "
                "hash FROM muster_batch ORDER BY seq LIMIT 1) AS first; "
                "DELETE FROM muster_batch WHERE seq > (SELECT seq FROM muster_shard)")
        subprocess.run(["psql", "--quiet", "--command", lost, self.url.split("#")[0]], check=True)
        for _ in range(2):
            code, _, err = muster("serve", "--heads", heads, "--db", self.url, "--listen",
                                  "127.0.0.1:0")
            self.assertEqual(code, 3, err)
            self.assertIn("the database has lost what it confirmed", err)
        (Path(heads) / "main.head").unlink()
        self.serve("--heads", heads, db=self.url)

    def test_is_no_word_for_a_file(self):
        code, _, err = muster("serve", "--heads", self.folder, "--db", "a.ledger")
        self.assertEqual(code, 1, err)
        self.assertIn("--heads is for a ledger in a database", err)


class LongStandby(OnADatabase):
    """Ten kills, one after the other."""

    def test_takes_over_from_the_one_that_took_over(self):
        took, jobs = [], []
        for turn in range(10):
            new = [f"job-{turn}-{number}" for number in range(5)]
            jobs += new
            took.append(self.kill_and_take_over(new))
        print("seconds from kill to first decision:", *(f"{each:.2f}" for each in sorted(took)))
        self.assertLess(set(jobs), self.known())


if __name__ == "__main__":
    unittest.main()
