"""`muster backtest` and `muster trace export` on a ledger that a live gateway wrote.

    backtest_test.py MUSTER

The gateway is a program of its own: it hands in jobs, starts, ends and removes them when the ledger
says so, withdraws some, and changes quota and policy on the way.
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

from story import Story
from world import CLUSTER, Numbers

MUSTER = sys.argv[1]
POLICIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../policies")
STEPS, STEP = 60, 300


def run(*words, check=True, stdin=None):
    """What one call of the program came to."""
    return subprocess.run([MUSTER, *words], check=check, capture_output=True, text=True,
                          input=stdin)


def key(name):
    """A workload as commands name it."""
    return {"namespace": "default", "name": name}


class Gateway:
    """Plays jobs on a ledger, minute by minute."""

    def __init__(self, folder):
        self.ledger = os.path.join(folder, "live.ledger")
        self.cluster = os.path.join(folder, "cluster.yaml")
        with open(self.cluster, "w", encoding="utf-8") as file:
            file.write(CLUSTER)
        self.draw, self.now, self.jobs = Numbers(7), 0, 0
        self.runs, self.ends, self.leaves, self.waiting = {}, {}, {}, []

    def at(self, *words, stdin=None):
        """A call at the time of the gateway."""
        hours, minutes = divmod(self.now // 60, 60)
        return run(*words, "--db", self.ledger, "--now",
                   f"2026-03-{2 + hours // 24:02}T{hours % 24:02}:{minutes:02}:00Z", stdin=stdin)

    def do(self, commands):
        """Answers to a list of commands."""
        if not commands:
            return []
        said = self.at("do", "-f", "-", stdin=json.dumps(commands))
        return [json.loads(line) for line in said.stdout.splitlines()]

    def about(self, command, names):
        """One command about those jobs, if there are any."""
        return [{"command": command, "workloads": [key(name) for name in names]}] if names else []

    def play(self):
        """The whole story."""
        self.at("apply", "-f", self.cluster)
        for step in range(STEPS):
            self.now = step * STEP
            if step == STEPS // 3:
                self.at("policy", "activate", os.path.join(POLICIES, "small-first"))
            if step == STEPS // 2:
                with open(self.cluster, "w", encoding="utf-8") as file:
                    file.write(CLUSTER.replace("nominalQuota: 12", "nominalQuota: 14"))
                self.at("apply", "-f", self.cluster)
            self.step()

    def step(self):
        """Tells what happened, submits, and lets the ledger decide twice."""
        gone = [name for name, at in self.leaves.items() if at <= self.now]
        over = [name for name, at in self.ends.items() if at <= self.now]
        for name in over:
            del self.ends[name]
        for name in gone:
            del self.leaves[name]
            self.waiting.append(name)
        commands = self.about("finish", over) + self.about("evicted", gone)
        if self.waiting and self.draw.below(6) == 0:
            commands += self.about("cancel", [self.waiting.pop()])
        workloads = [self.job() for _ in range(self.draw.below(3))]
        commands += [{"command": "submit", "workloads": workloads}] if workloads else []
        self.do(commands)
        for _ in range(3):
            (cycle,) = self.do([{"command": "cycle"}])
            self.heed(cycle)

    def heed(self, cycle):
        """Starts and stops what a cycle says."""
        for admitted in cycle["admitted"]:
            name = admitted["workload"]["name"]
            if name in self.waiting:
                self.waiting.remove(name)
            self.ends[name] = self.now + self.runs[name]
        for preempted in cycle["preempted"]:
            name = preempted["workload"]["name"]
            del self.ends[name]
            self.leaves[name] = self.now + 2 * STEP

    def job(self):
        """A new job of one of the teams."""
        self.jobs += 1
        name = f"job-{self.jobs}"
        self.runs[name] = STEP * (1 + self.draw.below(14))
        self.waiting.append(name)
        queue = "red" if self.draw.below(3) else "blue"
        container = {"name": "main",
                     "requests": {"nvidia.com/gpu": str(1 + self.draw.below(4))}}
        pods = {"name": "main", "count": 1 + self.draw.below(3),
                "pods": {"containers": [container]}}
        return {"key": key(name), "queue": queue, "labels": {"muster.dev/user": f"anna-{queue}"},
                "podSets": [pods]}


class EvictedByItsGateway(unittest.TestCase):
    """One job that was told to leave, started again and has not ended."""

    def test_it_fares_as_recorded_and_what_it_lost_is_counted(self):
        """No doubts, no figure of what did not end, and the eviction with its hours."""
        with tempfile.TemporaryDirectory() as folder:
            story = Story(MUSTER, folder, "one.ledger")
            story.submit("10:00:00", "j1", 2)
            story.at("10:10:00", "evict", "a/j1", "--reason", "X")
            story.at("10:10:00", "evicted", "a/j1")
            story.at("10:20:00", "schedule", "--until-idle")
            words = ("backtest", "--resource", "cpu", "--policy", "native")
            said = story.ask(*words)
            self.assertIn("native: every job fares as recorded.", said)
            self.assertNotIn("started differently", said)
            self.assertRegex(said.splitlines()[1], r" - +- +1 *$")
            for policy in json.loads(story.ask(*words, "-o", "json"))["policies"]:
                self.assertEqual(policy["evictions"], {"X": 1})
                self.assertEqual(policy["preemptedHours"], 0.333)
                self.assertEqual(policy["lostHours"], policy["classes"][0]["lostHours"])


class Backtest(unittest.TestCase):
    """One ledger, read in several ways."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.gateway = Gateway(cls.folder.name)
        cls.gateway.play()
        cls.ledger = cls.gateway.ledger

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def backtest(self, *words):
        """Its figures and, as rows, what became of each job by policy."""
        each = os.path.join(self.folder.name, "each.csv")
        said = run("backtest", "--db", self.ledger, *words, "-o", "json", "--each-job", each)
        rows = {}
        with open(each, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                rows.setdefault(row.pop("policy"), []).append(row)
        return json.loads(said.stdout), rows

    def test_under_its_own_policies_it_comes_to_its_own_decisions(self):
        figures, rows = self.backtest()
        (note,) = figures["notes"]
        self.assertRegex(note, "comes to its own decisions: [0-9]+ starts, [0-9]+ eviction")
        starts = run("ledger", "query", "SELECT count(*) AS n FROM event WHERE kind = 'Admitted'",
                     "--db", self.ledger).stdout
        evictions = run("ledger", "query",
                        "SELECT count(*) AS n FROM event WHERE kind = 'Evicted'",
                        "--db", self.ledger).stdout
        said = [int(word) for word in note.replace(",", "").split() if word.isdigit()]
        self.assertEqual([starts.split()[-1], evictions.split()[-1]], [str(n) for n in said])
        self.assertGreater(said[1], 3, "the story preempts too little to test anything")
        self.assertEqual(len(rows["recorded"]), self.gateway.jobs)

    def test_a_candidate_that_decides_alike_changes_nothing(self):
        run("policy", "test", os.path.join(POLICIES, "fifo-priority"))
        figures, rows = self.backtest("--policy", "native", "--until", "2026-03-02T01:30:00Z")
        self.assertIn("native: every job fares as recorded.", figures["notes"])
        self.assertEqual(rows["recorded"], rows["native"])
        self.assertEqual(figures["policies"][1]["change"]["earlier"], 0)

    def test_another_policy_moves_jobs_and_keeps_every_quota(self):
        figures, rows = self.backtest("--policy", os.path.join(POLICIES, "small-first"))
        change = figures["policies"][1]["change"]
        self.assertGreater(change["earlier"] + change["later"], 0)
        self.assertNotEqual(rows["recorded"], rows["small-first"])
        for policy in figures["policies"]:
            self.assertEqual(policy["policyFailures"], 0)
            self.assertLessEqual(policy["utilisation"], 1)
        # Jobs that were withdrawn before they started run under neither, or were started earlier.
        ended = [row for row in rows["small-first"] if row["ended"]]
        self.assertGreater(len(ended), self.gateway.jobs // 4)

    def test_only_from_since_on(self):
        _, rows = self.backtest("--policy", os.path.join(POLICIES, "small-first"), "--since",
                                "2026-03-02T01:00:00Z")
        before = [row for row in rows["recorded"]
                  if row["started"] and float(row["started"]) < 1772413200]
        same = {row["job"]: row["started"] for row in rows["small-first"]}
        self.assertTrue(before)
        for row in before:
            self.assertEqual(same[row["job"]], row["started"])

    def test_two_calls_print_the_same_bytes(self):
        words = ["backtest", "--db", self.ledger, "--policy", "native",
                 os.path.join(POLICIES, "aging")]
        self.assertEqual(run(*words).stdout, run(*words).stdout)

    def test_a_log_without_names_can_be_played(self):
        text = run("trace", "export", "--db", self.ledger).stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertGreater(len(rows), self.gateway.jobs // 4)
        self.assertNotIn("anna", text)
        self.assertNotIn("red", text)
        self.assertEqual({row["queue"] for row in rows}, {"queue-1", "queue-2"})
        log = os.path.join(self.folder.name, "log.csv")
        with open(log, "w", encoding="utf-8") as file:
            file.write(text)
        said = run("simulate", "-f", self.gateway.cluster, "--jobs", log, "--queue",
                   "default/red", "-o", "json")
        self.assertEqual(json.loads(said.stdout)["jobs"], len(rows))

    def test_wrong_use_is_told(self):
        for words, told in ((["backtest"], "name a ledger"),
                            (["backtest", "--db", self.ledger, "--since", "2026-03-02T02:00:00Z",
                              "--until", "2026-03-02T01:00:00Z"], "before --until"),
                            (["backtest", "--db", self.ledger, "--resource", "fpga"],
                             "write one of nvidia.com/gpu"),
                            (["trace", "export"], "name a ledger")):
            said = run(*words, check=False)
            self.assertIn(said.returncode, (1, 2))
            self.assertIn(told, said.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
