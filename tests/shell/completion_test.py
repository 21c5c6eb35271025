"""Completion: what `muster complete` proposes, and what bash makes of it."""

import os
import pty
import select
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

TOP = Path(__file__).parents[2]
MUSTER = os.environ["MUSTER"]
SCRIPT = TOP / "bindings/cli/shell/muster.bash"
EXAMPLE = TOP / "examples/gpu-preemption"


def proposed(*words):
    """Words and explanations, as the shell gets them."""
    done = subprocess.run([MUSTER, "complete", "--", *words], check=True, capture_output=True,
                          text=True)
    assert done.stderr == "", done.stderr
    return dict((line.split("\t") + [""])[:2] for line in done.stdout.splitlines())


def in_bash(*words, folder=".", home=None):
    """COMPREPLY for these words behind `muster`."""
    typed = " ".join(f"'{word}'" for word in (MUSTER, *words))
    script = (f"source '{SCRIPT}'; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _muster; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "--norc", "-c", script], check=True, capture_output=True,
                          text=True, cwd=folder, env={**os.environ, **(home or {})})
    return done.stdout.splitlines()


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.ledger = os.path.join(cls.folder.name, "day.ledger")
        time_of_day = ["--now", "2026-03-02T09:00:00Z", "--force", "--db", cls.ledger]
        for verb in (["apply", "-f", EXAMPLE / "queues.yaml", EXAMPLE / "cluster.yaml"],
                     ["submit", "-f", EXAMPLE / "team-a-job.yaml", EXAMPLE / "team-b-job.yaml"],
                     ["consumer", "add", "gateway"]):
            subprocess.run([MUSTER, *verb, *time_of_day], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def see(self, terminal, wanted):
        """Reads what bash shows until that is there."""
        seen, until = b"", time.monotonic() + 60
        while wanted not in seen and time.monotonic() < until:
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 4096)
        self.assertIn(wanted, seen)

    def test_verbs_come_with_their_summary(self):
        told = proposed("")
        self.assertIn("why", proposed("expl")["explain"])
        for verb in ("get", "policy", "consumer", "help", "--version"):
            self.assertIn(verb, told)
        self.assertNotIn("complete", told)
        self.assertEqual(set(proposed("consumer", "")), {"add", "remove"})
        self.assertEqual(set(proposed("help", "sched")), {"schedule"})
        self.assertEqual(proposed("nothing", ""), {})

    def test_options_are_those_not_given_yet(self):
        told = proposed("get", "-")
        self.assertIn("--output", told)
        self.assertIn("--namespace", told)
        self.assertNotIn("--output", proposed("get", "workloads", "-o", "json", "--o"))
        self.assertIn("--filename", proposed("get", "workloads", "-f", "a.yaml", "--f"))

    def test_kinds_states_and_choices_are_known(self):
        self.assertEqual(set(proposed("get", "cl")), {"clusterqueues"})
        self.assertEqual(set(proposed("get", "wl", "-o", "")), {"table", "wide", "json", "yaml"})
        self.assertEqual(set(proposed("get", "wl", "--state", "pending,ad")),
                         {"pending,admitted"})
        self.assertEqual(set(proposed("check", "a/b", "c", "re")), {"ready", "retry", "rejected"})

    def test_names_come_from_the_ledger(self):
        behind = ["--db", self.ledger]
        self.assertEqual(set(proposed("explain", *behind, "team-b/")), {"team-b/job-team-b-job"})
        self.assertLessEqual({"team-a-cq", "team-b-cq"}, set(proposed("get", *behind, "cq", "")))
        self.assertEqual(set(proposed("get", *behind, "wl", "-n", "team-a", "")),
                         {"job-team-a-job"})
        self.assertLessEqual({"team-a", "team-b"}, set(proposed("get", *behind, "wl", "-n", "")))
        self.assertEqual(set(proposed("decisions", *behind, "")), {"gateway"})
        self.assertIn("team-a-cq", proposed("stop", *behind, ""))
        self.assertIn("team-a/job-team-a-job", proposed("finish", "x/y", *behind, "team-a"))
        self.assertEqual(proposed("explain", "--db", self.ledger + ".none", ""), {})
        self.assertFalse(os.path.exists(self.ledger + ".none"))

    def test_bash_completes_words_files_and_folders(self):
        self.assertEqual(in_bash("expl"), ["explain"])
        self.assertEqual(in_bash("policy", "ro"), ["rollback"])
        files = in_bash("validate", "-f", "q", folder=EXAMPLE)
        self.assertEqual(files, ["queues.yaml"])
        self.assertEqual(in_bash("policy", "check", "policies/small", folder=TOP),
                         ["policies/small-first"])
        self.assertEqual(in_bash("finish", "--db", self.ledger, "team-a"),
                         ["team-a/job-team-a-job"])

    def test_a_value_behind_an_equals_sign_is_completed(self):
        self.assertEqual(proposed("get", "--db=L"), {":ledgers": ""})
        self.assertEqual(proposed("get", "--db", "=", "L"), {":ledgers": ""})
        self.assertEqual(proposed("get", "--db", "="), {":ledgers": ""})
        self.assertEqual(set(proposed("get", "wl", "--output=js")), {"--output=json"})
        self.assertEqual(set(proposed("get", "wl", "--output", "=", "js")), {"json"})
        for given in ([f"--db={self.ledger}"], ["--db", "=", self.ledger]):
            self.assertEqual(set(proposed("explain", *given, "team-b/")),
                             {"team-b/job-team-b-job"})
        self.assertEqual(proposed("get", "--nothing=L"), {})

    def test_bash_completes_a_ledger_behind_an_equals_sign_and_at_home(self):
        folder = self.folder.name
        self.assertEqual(in_bash("get", "--db", "=", "da", folder=folder), ["day.ledger"])
        self.assertIn("day.ledger", in_bash("get", "--db", "=", folder=folder))
        home = {"HOME": folder}
        self.assertEqual(in_bash("get", "--db", "~/da", home=home), ["~/day.ledger"])
        self.assertEqual(in_bash("get", "--db", "=", "~/da", home=home), ["~/day.ledger"])
        self.assertEqual(in_bash("explain", "--db", "~/day.ledger", "team-b/", home=home),
                         ["team-b/job-team-b-job"])

    def test_the_tab_key_completes(self):
        child, terminal = pty.fork()
        if child == 0:
            folder = os.path.dirname(MUSTER)
            os.environ.update(PATH=folder + ":" + os.environ["PATH"], PS1="$ ", TERM="dumb",
                              INPUTRC="/dev/null")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        try:
            os.write(terminal, f"source '{SCRIPT}'\nmuster expla\t".encode())
            self.see(terminal, b"muster explain ")
            os.write(terminal, f"\x15muster get cq --db={self.ledger[:-3]}\t".encode())
            self.see(terminal, f"--db={self.ledger} ".encode())
        finally:
            os.close(terminal)
            os.waitpid(child, 0)


if __name__ == "__main__":
    unittest.main()
