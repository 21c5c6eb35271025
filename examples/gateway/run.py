"""Runs the process of one run: run.py FOLDER. A second one for the same folder leaves at once.

What the job leaves behind, in sessions of its own too, is ended before the exit is written. Should
this be killed, so is the job's first process; runs.py ends the others when it is told to stop.
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
PR_SET_CHILD_SUBREAPER = 36
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
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans of the job become children of this
    write(folder, "pid", f"{os.getpid()}\n")
    process = subprocess.Popen(
        job["command"], start_new_session=True, pass_fds=[lock.fileno()],
        preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
        env={**os.environ, "RUN": str(folder), "CHECKPOINT": job.get("checkpoint", "")})
    stopping += [True] if (folder / "stop").exists() else []
    left, told, code = GRACE, False, None
    while code is None:
        if stopping and not told:
            os.killpg(process.pid, signal.SIGTERM)
            told = True
        if told and left <= 0:
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.05)
        left -= 0.05 if told else 0
        code = reap()[0].get(process.pid)
    process.returncode = code
    kill_rest()
    write(folder, "exit", f"{code}\n")


def reap():
    """Exit codes of the children that have ended, by process, and whether one is left."""
    codes = {}
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return codes, True
            codes[pid] = os.waitstatus_to_exitcode(status)
    except ChildProcessError:
        return codes, False


def kill_rest():
    """What the job has left behind does not outlive it. Children of what is killed come to this."""
    while reap()[1]:
        for pid in children():
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def children():
    """Processes whose parent this is; until they are reaped, their numbers are no other's."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_bytes().rpartition(b")")[2].split()[1]
        except OSError:
            continue  # it is gone
        if int(parent) == os.getpid():
            found.append(int(stat.parent.name))
    return found


def write(folder, name, text):
    """A file that is whole or not there."""
    part = folder / (name + ".part")
    part.write_text(text, "utf-8")
    part.rename(folder / name)


if __name__ == "__main__":
    main()
