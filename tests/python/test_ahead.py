"""Calls ahead of the disk, engines made of others, and processes that were forked."""

import multiprocessing
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

import muster
from muster import _library
from world import JOB, NOON, QUEUES


def opened(path: Path) -> muster.Engine:
    engine = muster.Engine(path, allow_time_jump=True)
    engine.apply(QUEUES, NOON)
    engine.register("gateway", now=NOON)
    return engine


def phase(path: Path, name: str) -> muster.Phase:
    """Where the workload is in the ledger, read beside its writer."""
    with muster.Engine.read(path) as reads:
        return reads.phase(name)


def test_less_than_one_call_ahead_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "ledger") as engine:
        for wrong in (0, -1, 2**31):
            with pytest.raises(ValueError, match="in_flight: .* is from 1 to 2"):
                engine.pipeline(wrong)
        with engine.pipeline(1) as pipeline:
            pipeline.wait()


def test_calls_ahead_are_on_disk_once_they_were_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with opened(path) as engine:
        shape = muster.Shape(JOB)
        with engine.pipeline() as pipeline:
            before = pipeline.ticket()
            for i in range(20):
                assert engine.submit([muster.Job(f"team-a/job-{i}", shape)], NOON) == 1
            assert pipeline.ticket() == before + 20
            pipeline.wait()
            assert pipeline.stored(before + 20)
            assert phase(path, "team-a/job-19") is muster.Phase.PENDING
            engine.cycles(NOON)
            starts = [each.workload for each in engine.hand_over("gateway")]
            assert len(starts) == 4
            assert {phase(path, name) for name in starts} == {muster.Phase.ADMITTED}
            with pytest.raises(muster.InvalidArgument, match="not given yet"):
                pipeline.wait(1 << 40)
            with pytest.raises(muster.FailedPrecondition), engine.pipeline():
                pass
        engine.finish([starts[0]], NOON)
        assert phase(path, starts[0]) is muster.Phase.FINISHED
    with muster.Engine() as engine, pytest.raises(muster.FailedPrecondition, match="ledger"):
        with engine.pipeline():
            pass


def test_a_copy_is_an_engine_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path / "ledger") as engine:
        engine.submit([muster.Job("team-a/job", muster.Shape(JOB))], NOON)
        with engine.copy() as copy:
            copy.cycles(NOON)
            assert copy.phase("team-a/job") is muster.Phase.ADMITTED
        assert engine.phase("team-a/job") is muster.Phase.PENDING
    with pytest.raises(muster.NotFound):
        muster.Engine.read(tmp_path / "nothing")


def test_an_owner_applies_no_queue() -> None:
    with muster.Engine() as engine:
        engine.apply(QUEUES, NOON)
        engine.check_owner("team-a-cq", "")
        with pytest.raises(muster.InvalidArgument) as refused:
            engine.check_owner("team-a-cq", QUEUES, name="mine.yaml")
        assert refused.value.mistakes[0].place.startswith("mine.yaml:")


def use_in_child(engine: muster.Engine, tell: Connection) -> None:
    """Sends what calls on the parent's engine come to, and what one of its own has."""
    told: list[str] = []
    uses: list[Callable[[], object]] = [
        engine.state_hash, lambda: engine.decisions("gateway", wait=None), engine.cycle,
        engine.close]
    for use in uses:
        try:
            use()
            told.append("done")
        except muster.FailedPrecondition as refused:
            told.append(str(refused))
    engine.wake()
    with muster.Engine() as own:
        own.apply(QUEUES, NOON)
        own.cycles(NOON)
        told.append(f"own {own.get('cq')[0]['metadata']['name']}")
    tell.send(told)


def test_a_forked_process_is_refused_and_its_parent_goes_on(tmp_path: Path) -> None:
    """As multiprocessing forks, while another thread waits for decisions."""
    fork = multiprocessing.get_context("fork")
    heard: list[muster.Decision] = []
    with opened(tmp_path / "ledger") as engine:
        waits = threading.Thread(
            target=lambda: heard.extend(engine.decisions("gateway", wait=None)))
        waits.start()
        mine, its = fork.Pipe()
        child = fork.Process(target=use_in_child, args=(engine, its))
        child.start()
        its.close()
        told: list[str] = mine.recv()
        child.join()
        assert child.exitcode == 0
        assert all("fork()" in each for each in told[:4]), told
        assert told[4:] == ["own team-a-cq"]
        engine.submit([muster.Job("team-a/job", muster.Shape(JOB))], NOON)
        engine.cycles(NOON)
        waits.join()
        assert [each.workload for each in heard] == ["team-a/job"]


def test_other_than_64_bits_is_refused() -> None:
    _library.check_platform(8)
    with pytest.raises(ImportError, match="this Python has 32"):
        _library.check_platform(4)


def test_a_pipeline_keeps_its_engine(tmp_path: Path) -> None:
    """In a process of its own: what is freed too early may end it."""
    program = f"""
import muster
with muster.Engine({str(tmp_path / "one")!r}).pipeline() as ahead:
    ahead.wait(ahead.ticket())
engine = muster.Engine({str(tmp_path / "two")!r})
handle, ahead = engine._handle, engine.pipeline()
del engine
assert handle, "it was freed"
with ahead:
    assert ahead.stored(ahead.ticket())
del handle, ahead
muster.Engine({str(tmp_path / "two")!r}, create=False).close()  # it was let go of
try:
    ahead = muster.Engine({str(tmp_path / "two")!r}).pipeline()
    with ahead:
        ahead.wait(2**64)
except ValueError as refused:
    assert "ticket is" in str(refused), refused
else:
    raise AssertionError("a ticket was cut")
"""
    done = subprocess.run([sys.executable, "-B", "-c", program], check=False, capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0, done.stderr
