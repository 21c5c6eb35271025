"""The gateway of examples/gateway with real processes, killed at random again and again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable

import pytest

import muster

FOLDER = Path(__file__).parents[2] / "examples" / "gateway"
Submit = Callable[[Path, dict[str, Any]], dict[str, Any]]
Process = subprocess.Popen[bytes]
KILLS = int(os.environ.get("MUSTER_KILLS", "8"))
# A job notes its begin and its end; when it is told to leave it says so, and ends by the signal.
JOB = """
log=$1; trap 'echo "$$ left" >> $log; trap - TERM; kill -TERM $$' TERM
echo "$$ begins" >> $log; sleep $2 & wait $!; echo "$$ ends" >> $log
"""


FOLLOWS: dict[str, tuple[str, ...]] = {
    "begins": ("left", "ends"), "left": ("begins",), "ends": ()}


@pytest.fixture
def submit(monkeypatch: pytest.MonkeyPatch) -> Submit:
    monkeypatch.syspath_prepend(str(FOLDER))
    found: Submit = __import__("submit").submit
    return found


def begin(program: str, state: Path) -> Process:
    gateway = subprocess.Popen([sys.executable, "-B", FOLDER / program, state])
    deadline = time.monotonic() + 60
    while not (state / "socket").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return gateway


def job(state: Path, name: str, cpus: int, seconds: float) -> dict[str, Any]:
    log = state / (name.replace("/", "_") + ".log")
    return {"name": name, "cpus": cpus, "command": ["sh", "-c", JOB, "job", str(log), str(seconds)]}


def told(submit: Submit, state: Path, each: dict[str, Any]) -> None:
    """Submits until the gateway, which may be dead for a moment, has answered."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            answer = submit(state, each)
            assert "error" not in answer, answer
            return
        except (OSError, ValueError):
            time.sleep(0.05)
    raise TimeoutError(each["name"])


def lines(state: Path, name: str) -> list[str]:
    log = state / (name.replace("/", "_") + ".log")
    return log.read_text("utf-8").splitlines() if log.exists() else []


def wait_for_ends(state: Path, names: Sequence[str], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if all(any(line.endswith("ends") for line in lines(state, name)) for name in names):
            return
        time.sleep(0.05)
    raise TimeoutError({name: lines(state, name) for name in names})


def end(gateway: Process) -> None:
    gateway.send_signal(signal.SIGKILL)
    gateway.wait()


def test_plain_fifo_runs_jobs(tmp_path: Path, submit: Submit) -> None:
    gateway = begin("fifo.py", tmp_path)
    try:
        for name in ("team-a/one", "team-a/two"):
            told(submit, tmp_path, job(tmp_path, name, 3, 0.1))
        wait_for_ends(tmp_path, ["team-a/one", "team-a/two"])
    finally:
        end(gateway)


def test_a_borrower_makes_room(tmp_path: Path, submit: Submit) -> None:
    gateway = begin("gateway.py", tmp_path)
    try:
        told(submit, tmp_path, job(tmp_path, "team-a/borrows", 4, 4))
        while not lines(tmp_path, "team-a/borrows"):
            time.sleep(0.05)
        told(submit, tmp_path, job(tmp_path, "team-b/owns", 2, 0.1))
        wait_for_ends(tmp_path, ["team-b/owns", "team-a/borrows"])
    finally:
        end(gateway)
    words = [line.split()[1] for line in lines(tmp_path, "team-a/borrows")]
    assert words == ["begins", "left", "begins", "ends"]


def test_kills_lose_no_job_and_start_none_twice(tmp_path: Path, submit: Submit) -> None:
    rng = random.Random(7)
    names = [f"team-{team}/job-{i}" for i in range(6) for team in "ab"]
    gateway = begin("gateway.py", tmp_path)
    waiting = list(names)
    for _ in range(KILLS):
        for name in [waiting.pop(0) for _ in range(min(2, len(waiting)))]:
            told(submit, tmp_path, job(tmp_path, name, rng.choice([1, 2, 3, 4]), rng.random()))
        time.sleep(rng.random() * 0.6)
        end(gateway)
        (tmp_path / "socket").unlink(missing_ok=True)
        gateway = begin("gateway.py", tmp_path)
    try:
        for name in waiting:
            told(submit, tmp_path, job(tmp_path, name, 1, 0.1))
        wait_for_ends(tmp_path, names)
        time.sleep(1)
    finally:
        end(gateway)
    for name in names:
        words = [line.split()[1] for line in lines(tmp_path, name)]
        assert words.count("ends") == 1, (name, words)
        for before, after in zip(words, words[1:]):
            assert after in FOLLOWS[before], (name, words)
    with muster.Engine(tmp_path / "ledger") as engine:
        assert {engine.phase(name) for name in names} == {muster.Phase.FINISHED}
        assert engine.decisions("gateway") == []
        engine.check_invariants()
