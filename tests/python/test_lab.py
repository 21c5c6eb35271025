"""Simulations and backtests from Python."""

import json
import os
import signal
import subprocess
import threading
from datetime import timedelta
from pathlib import Path

import pytest

import muster
from muster import lab
from world import JOB, NOON, QUEUES, TOP

CLUSTER = TOP / "examples/backtest/together.yaml"
LOG = TOP / "examples/backtest/venus-september.csv"


def test_a_simulation_is_that_of_the_command(tmp_path: Path) -> None:
    small_first = TOP / "policies/small-first"
    said = lab.simulate([CLUSTER], LOG, policies=["native", small_first], first=300,
                        checkpoint="1h", report=tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text("utf-8").startswith("<!doctype html>")
    assert [each["policy"] for each in said["policies"]] == ["native", "small-first"]
    told = subprocess.run(
        [os.environ["MUSTER"], "simulate", "-f", CLUSTER, "--jobs", LOG, "--policy", "native",
         small_first, "--first", "300", "--checkpoint", "1h", "-o", "json"],
        check=True, capture_output=True)
    assert json.loads(told.stdout) == said


def test_simulations_side_by_side_leave_signals_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    answers: list[dict[str, object]] = []
    threads = [threading.Thread(target=lambda: answers.append(
        lab.simulate([CLUSTER], LOG, first=100))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 3
    assert answers[0] == answers[1] == answers[2]
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_what_is_wrong_is_raised() -> None:
    with pytest.raises(muster.InvalidArgument, match="cannot open nothing.csv"):
        lab.simulate([CLUSTER], "nothing.csv")
    with pytest.raises(muster.InvalidArgument, match="--seedz"):
        lab.simulate([CLUSTER], LOG, seedz=3)
    with pytest.raises(muster.InvalidArgument, match="do not begin with -"):
        lab.simulate([CLUSTER], "--report")
    with pytest.raises(muster.InvalidArgument, match="always json"):
        lab.simulate([CLUSTER], LOG, output="csv")


def test_a_backtest_comes_to_the_decisions_of_the_ledger(tmp_path: Path) -> None:
    path = tmp_path / "day.ledger"
    shape = muster.Shape(JOB)
    with muster.Engine(path) as engine:
        engine.apply(QUEUES, NOON)
        for hour in range(6):
            now = NOON + timedelta(hours=hour)
            if hour:
                engine.finish([f"team-a/job-{hour - 1}"], now)
            engine.submit([muster.Job(f"team-a/job-{hour}", shape)], now)
            engine.cycles(now)
        said = lab.backtest(path, policies=["native"])  # the ledger is still open
    note, alike = said["notes"]
    assert "comes to its own decisions: 6 starts" in note
    assert alike == "native: every job fares as recorded."
    with pytest.raises(muster.InvalidArgument):
        lab.backtest(tmp_path / "none.ledger")
