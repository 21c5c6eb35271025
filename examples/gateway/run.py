"""Runs the process of one run: run.py FOLDER. A second one for the same folder leaves at once."""

import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

GRACE = 2.0  # seconds between SIGTERM and SIGKILL


def main():
    folder = Path(sys.argv[1])
    lock = open(folder / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    if (folder / "exit").exists():
        return
    job = json.loads((folder / "job").read_text("utf-8"))
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    write(folder, "pid", f"{os.getpid()}\n")
    process = subprocess.Popen(job["command"], start_new_session=True)
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
    write(folder, "exit", f"{process.returncode}\n")


def write(folder, name, text):
    """A file that is whole or not there."""
    part = folder / (name + ".part")
    part.write_text(text, "utf-8")
    part.rename(folder / name)


if __name__ == "__main__":
    main()
