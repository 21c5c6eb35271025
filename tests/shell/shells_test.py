"""Completion in zsh and fish themselves: verbs, options, kinds, names of a ledger, files."""

import os
import pty
import select
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

TOP = Path(__file__).parents[2]
MUSTER = os.environ["MUSTER"]
SHELL = TOP / "bindings/cli/shell"
EXAMPLE = TOP / "examples/gpu-preemption"
LONGEST = 120  # seconds that a shell may take, on a machine that has much else to do


def environment(folder):
    """Nothing of the user's own; `muster` is the command of this build."""
    return {**os.environ, "PATH": os.path.dirname(MUSTER) + ":" + os.environ["PATH"],
            "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "TERM": "dumb",
            "ZDOTDIR": folder, "LC_ALL": "C.UTF-8"}


class Zsh:
    """An interactive zsh in a terminal, which tells what a line is after the tab key."""

    BEGIN = """
        fpath=({shell} $fpath); autoload -Uz compinit; compinit -u -D; cd {where}
        tell() {{ print -r -- "$BUFFER" > {told}.new && mv {told}.new {told}; BUFFER= }}
        zle -N tell; bindkey '^X^T' tell; bindkey '^I' expand-or-complete; unsetopt beep
    """

    def __init__(self, folder, where):
        self.told = os.path.join(folder, "told")
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(where)
            os.execvpe("zsh", ["zsh", "-f", "-i"], environment(folder))
        lines = self.BEGIN.format(shell=SHELL, told=self.told, where=where)
        os.write(self.terminal, "".join(f" {line.strip()}\n" for line in lines.splitlines()
                                        if line.strip()).encode())

    def line(self, typed):
        """The line that begins so, completed."""
        if os.path.exists(self.told):
            os.remove(self.told)
        os.write(self.terminal, typed.encode() + b"\t\x18\x14")
        until = time.monotonic() + LONGEST
        while not os.path.exists(self.told):
            if select.select([self.terminal], [], [], 0.1)[0]:
                os.read(self.terminal, 65536)
            if time.monotonic() > until:
                raise TimeoutError(f"zsh does not complete {typed!r}")
        with open(self.told, encoding="utf-8") as file:
            return file.read().rstrip("\n").rstrip(" ")

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)


class Shells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.ledger = os.path.join(cls.folder, "day.ledger")
        at = ["--now", "2026-03-02T09:00:00Z", "--force", "--db", cls.ledger]
        for verb in (["apply", "-f", EXAMPLE / "queues.yaml", EXAMPLE / "cluster.yaml"],
                     ["submit", "-f", EXAMPLE / "team-a-job.yaml", EXAMPLE / "team-b-job.yaml"]):
            subprocess.run([MUSTER, *verb, *at], check=True, capture_output=True)
        # What is typed, behind `muster `, and what the last word becomes.
        cls.cases = [
            ("expla", "explain"),
            ("policy ro", "rollback"),
            ("get --outp", "--output"),
            ("get cl", "clusterqueues"),
            ("get wl -o js", "json"),
            (f"get --db {cls.ledger} cq team-b", "team-b-cq"),
            (f"explain --db {cls.ledger} team-b/", "team-b/job-team-b-job"),
            (f"get cq --db={cls.ledger[:-3]}", f"--db={cls.ledger}"),
            ("get cq --db ~/da", "~/day.ledger"),
            ("explain --db ~/day.ledger team-b/", "team-b/job-team-b-job"),
            (f"explain --db={cls.ledger} team-b/", "team-b/job-team-b-job"),
            ("get wl --output=js", "--output=json"),
            ("validate -f que", "queues.yaml"),
            ("policy check nested/fol", "nested/folder"),
        ]
        cls.where = os.path.join(cls.folder, "where")
        os.makedirs(os.path.join(cls.where, "nested", "folder"))
        shutil.copy(EXAMPLE / "queues.yaml", cls.where)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_zsh_completes(self):
        zsh = Zsh(self.folder, self.where)
        try:
            for typed, word in self.cases:
                with self.subTest(typed):
                    begin = typed.rpartition(" ")[0]
                    self.assertEqual(zsh.line(f"muster {typed}").rstrip("/"),
                                     " ".join(filter(None, ["muster", begin, word])))
        finally:
            zsh.end()

    def in_fish(self, typed):
        """What fish proposes for the last word of the line."""
        done = subprocess.run(
            ["fish", "--no-config", "-c",
             f"source {SHELL}/muster.fish; complete -C 'muster {typed}'"],
            check=True, capture_output=True, text=True, cwd=self.where, timeout=LONGEST,
            env=environment(self.folder))
        return [line.split("\t")[0].rstrip("/") for line in done.stdout.splitlines()]

    def test_fish_completes(self):
        for typed, word in self.cases:
            with self.subTest(typed):
                self.assertEqual(self.in_fish(typed), [word])
        verbs = self.in_fish("")
        for verb in ("get", "policy", "explain"):
            self.assertIn(verb, verbs)


if __name__ == "__main__":
    unittest.main()
