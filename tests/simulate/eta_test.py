"""`muster eta` and `muster eta calibration` on a ledger that a live gateway wrote, and on a log.

    eta_test.py MUSTER
"""

import json
import os
import sys
import tempfile
import unittest

from backtest_test import STEP, Gateway, run
from story import Story
from world import CLUSTER, log_of

NOW = "2026-03-02T05:00:00Z"
BIG = """
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: { name: too-big, namespace: default }
spec:
  queueName: red
  podSets:
  - name: main
    count: 1
    template:
      spec:
        containers:
        - name: main
          resources: { requests: { nvidia.com/gpu: 900 } }
"""


JOB = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: {name}
  namespace: default
  labels: {{ muster.dev/user: anna-red{more} }}
spec:
  queueName: red
  podSets:
  - name: main
    count: 1
    template:
      spec:
        containers:
        - name: main
          resources: {{ requests: {{ nvidia.com/gpu: 9 }} }}
---
"""
SHORT_FIRST = """
return {
  api = 1,
  name = "short-first",
  labels = { "muster.dev/expected-run" },
  queue_order = function(w)
    local run = w.expected_run
    if run == math.huge then run = 1e9 end
    return -run
  end,
}
"""


class LittleIsKnown(unittest.TestCase):
    """Nothing has ended in the history that is read."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.story = Story(sys.argv[1], self.folder.name, "few.ledger")

    def tearDown(self):
        self.folder.cleanup()

    def eta(self, clock, *words):
        """What it says at that time, without others that come."""
        return self.story.at(clock, "eta", "--no-arrivals", *words)

    def test_it_says_how_long_one_runs_of_which_nothing_is_known(self):
        """As long again, with a chance of one half; unknown while it has not run."""
        self.story.submit("10:00:00", "w0", 4)
        self.story.submit("10:00:00", "w1", 4)
        said = self.eta("10:00:01")
        self.assertRegex(said, "a/w1 +in 1s")
        self.assertIn("is taken to run as long again as it has run, with a chance of one half",
                      said)
        self.assertRegex(self.eta("10:00:00"), "a/w1 +unknown")

    def test_ended_jobs_teach_that_a_compacted_history_has_in_its_state(self):
        """Only the state says that they ran for ten minutes."""
        for name in ("j-1", "j-2", "j-3"):
            self.story.submit("10:00:00", name, 1)
        self.story.at("10:10:00", "finish", "a/j-1", "a/j-2", "a/j-3")
        self.story.submit("10:20:00", "j-4", 4)
        self.story.ask("ledger", "compact", "--keep", "0s")
        self.story.submit("10:20:00", "j-5", 4)
        said = self.eta("10:20:00")
        self.assertIn("with the run times of 3 jobs that ended", said)
        self.assertRegex(said, "a/j-5 +in 10m")

    def test_without_a_name_it_is_also_about_those_that_leave_to_queue_again(self):
        """As with its name; one that is stopped does not queue again."""
        self.story.submit("10:00:00", "w0", 2)
        self.story.submit("10:00:00", "w1", 2)
        self.story.at("10:10:00", "evict", "a/w0", "--reason", "X")
        self.story.at("10:10:00", "update", "a/w1", "--active", "false")
        said = self.eta("10:10:00")
        self.assertIn("a/w0", said)
        self.assertNotIn("a/w1", said)


class Eta(unittest.TestCase):
    """One ledger, asked in several ways."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.gateway = Gateway(cls.folder.name)
        cls.gateway.play()
        cls.ledger = cls.gateway.ledger

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def eta(self, *words, db=None, check=True):
        """What it says at the end of the story."""
        return run("eta", *words, "--db", db or self.ledger, "--now", NOW, check=check)

    def test_everything_that_waits_has_an_expected_start(self):
        """Levels rise, and each names a moment."""
        said = json.loads(self.eta("-o", "json", "--questions", "0", "--futures", "5").stdout)
        self.assertEqual(said["now"], NOW)
        self.assertGreater(said["runsLearnt"], 10)
        pending = [each["workload"] for each in said["workloads"]]
        shown = json.loads(run("get", "workloads", "--db", self.ledger, "-o", "json").stdout)
        waits = [f"{each['metadata']['namespace']}/{each['metadata']['name']}"
                 for each in shown["items"] if "admission" not in each.get("status", {})
                 and not any(condition["type"] == "Finished"
                             for condition in each["status"].get("conditions", []))]
        self.assertGreater(len(pending), 0)
        self.assertEqual(sorted(pending), sorted(waits))
        for each in said["workloads"]:
            levels = [each[f"p{level}"]["waitSeconds"] for level in (5, 25, 50, 75, 90, 95)]
            known = [level for level in levels if level is not None]
            self.assertEqual(known, sorted(known))
            self.assertFalse(each["never"])

    def test_the_same_question_has_the_same_answer_and_writes_nothing(self):
        """Bytes, of the answer and of the ledger."""
        with open(self.ledger, "rb") as file:
            before = file.read()
        words = ("--questions", "5", "--futures", "5")
        first, second = self.eta(*words), self.eta(*words)
        self.assertEqual(first.stdout, second.stdout)
        self.assertIn("90% INTERVAL", first.stdout)
        with open(self.ledger, "rb") as file:
            self.assertEqual(before, file.read())

    def test_past_questions_are_counted_and_mend_the_waits(self):
        """Asked about the past, it says how often it held."""
        said = json.loads(self.eta("-o", "json", "--questions", "200", "--futures",
                                   "9", "--no-arrivals").stdout)
        past = said["past"]
        self.assertGreater(past["answers"], 15)
        self.assertLessEqual(past["within50"], past["within90"])
        self.assertGreater(past["within90"], past["answers"] // 4)
        self.assertEqual(said["mended"], past["answers"] >= 30)
        without = json.loads(self.eta("-o", "json", "--questions", "0", "--futures", "1",
                                      "--no-arrivals").stdout)
        self.assertFalse(without["mended"])
        self.assertEqual(without["past"]["answers"], 0)

    def test_a_job_that_fits_nowhere_never_starts_and_says_why(self):
        """No moment is made up for it."""
        copy = os.path.join(self.folder.name, "copy.ledger")
        run("ledger", "backup", copy, "--db", self.ledger)
        manifest = os.path.join(self.folder.name, "big.yaml")
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(BIG)
        run("apply", "-f", manifest, "--db", copy, "--now", NOW)
        said = self.eta("default/too-big", "--questions", "0", db=copy).stdout
        self.assertIn("default/too-big never starts as things are: ", said)
        self.assertIn("nvidia.com/gpu", said)
        said = json.loads(self.eta("too-big", "-n", "default", "-o", "json", "--questions", "0",
                                   db=copy).stdout)
        (only,) = said["workloads"]
        self.assertTrue(only["never"])
        self.assertNotIn("p50", only)

    def test_a_policy_reads_the_expected_run_that_is_recorded_with_a_job(self):
        """Learnt from the ledger where the job does not say it; part of each replay."""
        copy = os.path.join(self.folder.name, "expected.ledger")
        run("ledger", "backup", copy, "--db", self.ledger)
        said = ', muster.dev/expected-run: "{}"'
        manifest = os.path.join(self.folder.name, "expected.yaml")
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(JOB.format(name="long-1", more=said.format(999999)))
            file.write(JOB.format(name="job-like-others", more=""))
            file.write(JOB.format(name="short-1", more=said.format(1)))
        at = ("--db", copy, "--now", NOW)
        for status in ("created", "unchanged"):  # the second time it says what was said before
            out = run("submit", manifest, "--expect", *at).stdout
            self.assertEqual(out.count(status), 3, out)
        expected = {}
        for item in json.loads(run("get", "workloads", *at[:2], "-o", "json").stdout)["items"]:
            run_time = item["metadata"].get("labels", {}).get("muster.dev/expected-run")
            expected[item["metadata"]["name"]] = run_time
        self.assertEqual(expected["long-1"], "999999")
        self.assertEqual(expected["short-1"], "1")
        learnt = int(expected["job-like-others"])
        self.assertEqual(learnt % STEP, 0)
        self.assertTrue(STEP <= learnt <= 14 * STEP)
        package = os.path.join(self.folder.name, "short-first")
        os.makedirs(package)
        with open(os.path.join(package, "policy.lua"), "w", encoding="utf-8") as file:
            file.write(SHORT_FIRST)
        run("policy", "activate", package, *at)
        for job, others in (("job-like-others", {"short-1"}),
                            ("long-1", {"short-1", "job-like-others"})):
            said = json.loads(run("explain", f"default/{job}", "-o", "json", *at[:2]).stdout)
            ahead = {each["workload"] for each in said["ahead"]["nearest"]}
            self.assertLessEqual({f"default/{name}" for name in others}, ahead)
            self.assertNotIn("default/long-1", ahead)
        run("do", "-f", "-", *at, stdin='[{"command": "cycle"}]')
        self.assertIn("repeat", run("ledger", "replay", *at[:2]).stdout)

    def test_a_wrong_expected_run_is_refused(self):
        """With its place and a cure."""
        manifest = os.path.join(self.folder.name, "wrong.yaml")
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(JOB.format(name="wrong", more=', muster.dev/expected-run: "soon"'))
        said = run("validate", "-f", manifest, check=False)
        self.assertIn("wrong.yaml:7:", said.stderr + said.stdout)
        self.assertIn("write whole seconds from 1 to 2147483647", said.stderr + said.stdout)

    def test_wrong_questions_are_answered_with_a_cure(self):
        """Exit codes 1 and 2."""
        self.assertEqual(run("eta", check=False).returncode, 1)
        unknown = self.eta("default/nothing", check=False)
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("there is no workload 'default/nothing'", unknown.stderr)
        many = self.eta("--questions", "many", check=False)
        self.assertEqual(many.returncode, 1)
        self.assertIn("--questions takes a whole number", many.stderr)
        self.assertEqual(run("eta", "calibration", check=False).returncode, 1)

    def test_calibration_of_a_ledger_compares_with_the_naive_estimate(self):
        """Four estimates, of the same later half."""
        said = json.loads(run("eta", "calibration", "--db", self.ledger, "--questions", "20",
                              "--futures", "5", "-o", "json").stdout)
        names = [each["estimate"] for each in said["estimates"]]
        self.assertEqual(names, ["simulated", "tuned", "learning", "naive"])
        self.assertGreater(said["estimates"][0]["answers"], 2)
        self.assertEqual(said["estimates"][0]["answers"], said["estimates"][2]["answers"])

    def test_calibration_of_a_log_asks_about_its_jobs(self):
        """As many rows as questions, and a table."""
        cluster = os.path.join(self.folder.name, "log-cluster.yaml")
        log = os.path.join(self.folder.name, "log.csv")
        with open(cluster, "w", encoding="utf-8") as file:
            file.write(CLUSTER)
        with open(log, "w", encoding="utf-8") as file:
            lines = [line.split(",") for line in log_of(200).splitlines()]
            for line in lines[1:]:  # half the load: what waits starts some day
                line[1] = str(2 * int(line[1]))
            file.write("".join(",".join(line) + "\n" for line in lines))
        words = ("eta", "calibration", "-f", cluster, "--jobs", log, "--columns",
                 "submit=at,run=seconds,size=gpus,queue=team,id=job", "--questions", "20",
                 "--futures", "9")
        rows = run(*words, "-o", "csv").stdout.splitlines()
        self.assertEqual(rows[0].split(",")[:4], ["job", "queue", "at", "waited"])
        self.assertGreater(len(rows), 10)
        self.assertLessEqual(len(rows), 22)
        self.assertIn("learning", run(*words).stdout)
        with open(cluster, "a", encoding="utf-8") as file:
            file.write("---\napiVersion: muster.dev/v1\nkind: Scenario\nsteps: [{cycle: 1}]\n")
        refused = run(*words, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("a Scenario has a clock of its own", refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
