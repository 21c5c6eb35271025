"""Runs the process of one run: run.py FOLDER. A second one for the same folder leaves at once.

What it starts dies with it, and holds the folder's lock: once that is free nothing runs any more.
"""

import ctypes
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
GRACE = 2.0  # seconds between SIGTERM and SIGKILL


def main():
    folder = Path(sys.argv[1])
    lock = open(folder / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    if (folder / "exit").exists() or (folder / "pid").exists():
        return  # a run.py before this one began it; runs.py notes how that ended
    job = json.loads((folder / "job").read_text("utf-8"))
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    write(folder, "pid", f"{os.getpid()}\n")
    process = subprocess.Popen(
        job["command"], start_new_session=True, pass_fds=[lock.fileno()],
        preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
        env={**os.environ, "RUN": str(folder), "CHECKPOINT": job.get("checkpoint", "")})
    stopping += [True] if (folder / "stop").exists() else []
    left, told = GRACE, False
    while process.poll() is None:
        if stopping and not told:
            os.killpg(process.pid, signal.SIGTERM)
            told = True
        if told and left <= 0:
            os.killpg(process.pid, signal.SIGKILL)
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            left -= 0.05 if told else 0
    kill_rest(process.pid)
    write(folder, "exit", f"{process.returncode}\n")


def kill_rest(group):
    """What the job has left behind does not outlive it."""
    try:
        for _ in range(200):
            os.killpg(group, signal.SIGKILL)
            time.sleep(0.01)
    except ProcessLookupError:
        pass


def write(folder, name, text):
    """A file that is whole or not there."""
    part = folder / (name + ".part")
    part.write_text(text, "utf-8")
    part.rename(folder / name)


if __name__ == "__main__":
    main()
