"""Runs: real processes that outlive the gateway, each known by its id and started once.

A run is a folder: `job` says what it is, `pid` and `exit` are written by run.py, which holds a lock
on it while the process runs. So a gateway that dies finds everything again. A run whose run.py was
killed has the exit code of that, once nothing of it is left.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from run import GRACE

RUNNER = Path(__file__).with_name("run.py")


class Run:
    """One run of a job."""

    def __init__(self, folder):
        self.folder = folder
        self.id = folder.name

    def read(self, name):
        try:
            return (self.folder / name).read_text("utf-8")
        except FileNotFoundError:
            return None

    def mark(self, name, text=""):
        """Writes a file, whole or not at all."""
        part = self.folder / (name + ".part")
        part.write_text(text, "utf-8")
        part.rename(self.folder / name)

    @property
    def job(self):
        return json.loads(self.read("job"))

    @property
    def exit(self):
        """The exit code, negative for a signal; None: it runs."""
        code = self.read("exit")
        return None if code is None else int(code)

    def runner(self):
        """The run.py that watches over it; None: it has not begun, or is gone."""
        pid = self.read("pid")
        try:
            words = Path(f"/proc/{int(pid)}/cmdline").read_bytes().split(b"\0") if pid else []
        except OSError:
            return None
        return int(pid) if os.fsencode(self.folder) in words else None

    def processes(self):
        """Those of the job, which have the folder in their environment."""
        mark, found = b"RUN=" + os.fsencode(self.folder), []
        for environment in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in environment.read_bytes().split(b"\0"):
                    found.append(int(environment.parent.name))
            except OSError:
                continue  # it is gone, or another user's
        return found

    def look(self):
        """Notes the end of one whose run.py was killed, once no process of it is left. Where it was
        told to stop, ends what is left."""
        if self.exit is not None or self.read("pid") is None or self.runner() is not None:
            return
        with open(self.folder / "lock", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_left = bool(self.processes())
            except BlockingIOError:
                is_left = True
            if is_left and self.read("stop") is not None:
                self.end()
            elif not is_left and self.exit is None:
                self.mark("exit", f"{-signal.SIGKILL}\n")

    def end(self):
        """Asks its processes to end, and kills them at a look after the grace period."""
        asked = self.read("asked")
        if asked is not None and time.monotonic() - float(asked) < GRACE:
            return
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGTERM if asked is None else signal.SIGKILL)
            except ProcessLookupError:
                pass
        if asked is None:
            self.mark("asked", f"{time.monotonic()}\n")


class Runs:
    """All runs below a folder, oldest first."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()  # as processes of a run have it
        self.folder.mkdir(parents=True, exist_ok=True)
        self.children = {}  # of this process, by run

    def __iter__(self):
        return iter(sorted((Run(each) for each in self.folder.iterdir()), key=lambda run: run.id))

    def start(self, run_id, job):
        """Starts a run, or one that was begun and is not there; twice is once."""
        run = Run(self.folder / run_id)
        run.folder.mkdir(exist_ok=True)
        if run.read("job") is None:
            run.mark("job", json.dumps(job))
        if run.exit is None:
            self.children[run_id] = subprocess.Popen([sys.executable, RUNNER, run.folder],
                                                     start_new_session=True)

    def stop(self, run):
        """Asks it to end; it is killed when the grace period is over."""
        run.mark("stop")
        run.look()
        runner = run.runner()
        if runner is not None:
            try:
                os.kill(runner, signal.SIGTERM)
            except ProcessLookupError:
                pass  # it has just ended, or was killed: the next look tells

    def unreported(self):
        """Runs that are over and were not reported. Starts those whose run.py did not come far."""
        self.children = {run: each for run, each in self.children.items() if each.poll() is None}
        found = [run for run in self if run.read("reported") is None]
        for run in found:
            run.look()
            if run.read("job") and run.read("pid") is None and run.id not in self.children:
                self.start(run.id, run.job)
        return [run for run in found if run.exit is not None]
