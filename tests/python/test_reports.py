"""Reports that come late, texts and copies that a program gets wrong, and waits that are left."""

import asyncio
import copy
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any, Optional

import pytest

import muster
from world import JOB, NOON, QUEUES, TOP

sys.path.insert(0, str(TOP / "tests" / "testing"))
from racks import two_by_two  # noqa: E402  pylint: disable=wrong-import-position


@pytest.fixture
def engine() -> Iterator[muster.Engine]:
    with muster.Engine() as made:
        made.apply(QUEUES, NOON)
        made.register("gateway", now=NOON)
        yield made


def submit(engine: muster.Engine, uid: Optional[str] = None) -> None:
    engine.submit([muster.Job("team-a/x", muster.Shape(JOB), uid=uid)], NOON)


@pytest.mark.parametrize("report", [
    lambda engine, uid: engine.finish(["team-a/x"], NOON, uids=[uid]),
    lambda engine, uid: engine.finish(["team-a/x"], NOON, uids=uid),
    lambda engine, uid: engine.cancel(["team-a/x"], NOON, uids=[uid]),
    lambda engine, uid: engine.ready(["team-a/x"], NOON, uids=[uid]),
    lambda engine, uid: engine.evict("team-a/x", "Maintenance", NOON, uid=uid),
    lambda engine, uid: engine.update("team-a/x", NOON, priority=3, uid=uid)])
def test_a_report_is_about_the_job_of_its_uid(engine: muster.Engine,
                                              report: Callable[[muster.Engine, str], None]) -> None:
    submit(engine, "first")
    engine.cycles(NOON)
    engine.cancel(["team-a/x"], NOON)
    submit(engine, "second")
    engine.cycles(NOON)
    before = engine.state_hash()
    with pytest.raises(muster.FailedPrecondition, match="of uid first, .* has uid second"):
        report(engine, "first")
    assert engine.state_hash() == before
    report(engine, "second")


@pytest.mark.parametrize("report", [
    lambda engine, run: engine.finish(["team-a/x"], NOON, runs=[run]),
    lambda engine, run: engine.evicted(["team-a/x"], NOON, runs=[run]),
    lambda engine, run: engine.cancel(["team-a/x"], NOON, runs=[run]),
    lambda engine, run: engine.ready(["team-a/x"], NOON, runs=[run]),
    lambda engine, run: engine.evict("team-a/x", "Maintenance", NOON, run=run),
    lambda engine, run: engine.update("team-a/x", NOON, priority=3, run=run)])
def test_a_report_is_about_the_run_that_it_says(
        engine: muster.Engine, report: Callable[[muster.Engine, int], None]) -> None:
    submit(engine)
    engine.cycles(NOON)
    engine.evict("team-a/x", "Maintenance", NOON, run=1)
    engine.evicted(["team-a/x"], NOON, runs=[1])
    engine.cycles(NOON)
    engine.evict("team-a/x", "Maintenance", NOON)
    assert [each.run for each in engine.decisions("gateway")] == [1, 1, 2, 2]
    before = engine.state_hash()
    with pytest.raises(muster.FailedPrecondition, match="about run 1 of .* newest is run 2"):
        report(engine, 1)
    assert engine.state_hash() == before
    report(engine, 2)


def test_a_run_is_a_number_for_each_workload(engine: muster.Engine) -> None:
    submit(engine)
    with pytest.raises(ValueError, match="runs are 2 and workloads are 1; give a run for each"):
        engine.finish(["team-a/x"], NOON, runs=[1, 2])
    with pytest.raises(ValueError, match="a run is from 0"):
        engine.evict("team-a/x", "Maintenance", NOON, run=-1)
    with pytest.raises(muster.InvalidArgument, match="runs are 2 and workloads are 1"):
        engine.do({"command": "finish", "workloads": [{"namespace": "team-a", "name": "x"}],
                   "runs": [1, 2]}, NOON)
    with pytest.raises(muster.FailedPrecondition, match="it was not started yet"):
        engine.finish(["team-a/x"], NOON, runs=[1])


def test_what_may_not_be_meant_is_warned_of(engine: muster.Engine) -> None:
    shape, other = muster.Shape(JOB), muster.Shape(JOB.replace("cpu: 1", "cpu: 2"))
    later = NOON + timedelta(seconds=5)
    with pytest.warns(muster.MusterWarning, match="y was created at .* in the future") as told:
        assert engine.submit([muster.Job("team-a/x", shape, uid="first"),
                              muster.Job("team-a/y", shape, created=later)], NOON) == 2
    assert len(told) == 1 and told[0].filename == __file__
    engine.finish(["team-a/x"], NOON)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert engine.submit([muster.Job("team-a/x", shape)], NOON) == 0
    with pytest.warns(muster.MusterWarning, match="the job of uid first, which has ended at .*;"):
        assert engine.submit([muster.Job("team-a/x", other)], NOON) == 0
    engine.apply(JOB, NOON)
    engine.finish(["team-a/job-shape"], NOON)
    with pytest.warns(muster.MusterWarning, match="which has ended at"):
        engine.apply(JOB.replace("cpu: 1", "cpu: 3"), NOON)


def test_a_uid_is_that_of_one_live_job(engine: muster.Engine) -> None:
    submit(engine, "first")
    with pytest.raises(muster.InvalidArgument, match="uid first is already that of team-a/x"):
        engine.submit([muster.Job("team-a/y", muster.Shape(JOB), uid="first")], NOON)


def test_a_uid_is_given_for_each_workload(engine: muster.Engine) -> None:
    submit(engine)
    with pytest.raises(ValueError, match="uids are 2 and workloads are 1"):
        engine.finish(["team-a/x"], NOON, uids=["a", "b"])
    with pytest.raises(muster.InvalidArgument, match="uids are 2 and workloads are 1"):
        engine.do({"command": "finish", "workloads": [{"namespace": "team-a", "name": "x"}],
                   "uids": ["a", "b"]}, NOON)


def test_a_start_says_where_its_pods_go() -> None:
    with muster.Engine() as engine:
        engine.apply(two_by_two(), NOON)
        engine.register("gateway", now=NOON)
        gang = JOB.replace("team-a", "ml").replace("queue-name: jobs", "queue-name: q").replace(
            "    spec:\n      restartPolicy",
            "    metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}\n"
            "    spec:\n      restartPolicy").replace("cpu: 1", "cpu: 3")
        engine.submit([muster.Job("ml/gang", muster.Shape(gang), count=2)], NOON)
        engine.cycles(NOON)
        start = engine.decisions("gateway")[-1]
        topology = start.pod_sets[0].topology
        assert topology is not None and topology.levels == ("kubernetes.io/hostname",)
        assert [each.values[0][:2] for each in topology.domains] == ["r0", "r0"]
        assert [each.count for each in topology.domains] == [1, 1]


def test_a_shape_is_copied_and_freed_once(engine: muster.Engine) -> None:
    shape = muster.Shape(JOB)
    for made in (copy.copy(shape), copy.deepcopy(shape)):
        del made
    assert engine.submit([muster.Job("team-a/x", shape)], NOON) == 1
    for handle in (shape, engine, engine._handle):
        with pytest.raises(TypeError):
            pickle.dumps(handle)
    for handle in (engine, engine._handle):
        with pytest.raises(TypeError):
            copy.copy(handle)


@pytest.mark.parametrize("call", [
    lambda engine: engine.acknowledge("a\0b", 1, NOON),
    lambda engine: engine.register("a\0b", now=NOON),
    lambda engine: engine.decisions("a\0b"),
    lambda engine: engine.delete("cq", "a\0b", NOON),
    lambda engine: engine.evict("team-a/x", "a\0b", NOON),
    lambda engine: engine.evict("team-a/x", "Word", NOON, uid="a\0b"),
    lambda engine: engine.finish(["team-a/x"], NOON, uids=["a\0b"]),
    lambda engine: engine.update("team-a/x", NOON, uid="a\0b"),
    lambda engine: engine.update("team-a/x", NOON, counts={"a\0b": 1}),
    lambda engine: engine.update("team-a/x", NOON, open_gates=["a\0b"]),
    lambda engine: engine.set_caller("a\0b"),
    lambda engine: engine.get("wl", "a\0b"),
    lambda engine: muster.Engine("a\0b"),
    lambda engine: muster.Shape(JOB, "a\0b"),
    lambda engine: muster.check_policy("a\0b")])
def test_a_text_is_not_cut_at_nul(engine: muster.Engine,
                                  call: Callable[[muster.Engine], Any]) -> None:
    with pytest.raises(ValueError, match="NUL|null"):
        call(engine)


def test_a_list_is_no_command(engine: muster.Engine) -> None:
    before = engine.state_hash()
    with pytest.raises(TypeError, match="do_all"):
        engine.do([{"command": "cycle"}], NOON)  # type: ignore[arg-type]
    assert engine.state_hash() == before


@pytest.mark.parametrize("wait", [None, 60.0])
def test_handlers_of_signals_run_while_it_waits(engine: muster.Engine,
                                                wait: Optional[float]) -> None:
    def interrupt(_: int, __: Optional[FrameType]) -> None:
        raise KeyboardInterrupt

    def wake(_: int, __: Optional[FrameType]) -> None:
        engine.wake()

    for handler in (interrupt, wake):
        before = signal.signal(signal.SIGUSR1, handler)
        sent = threading.Timer(0.3, signal.raise_signal, [signal.SIGUSR1])
        began = time.monotonic()
        try:
            sent.start()
            if handler is wake:
                assert engine.decisions("gateway", wait=wait) == []
            else:
                with pytest.raises(KeyboardInterrupt):
                    engine.decisions("gateway", wait=wait)
        finally:
            sent.join()
            signal.signal(signal.SIGUSR1, before)
        assert time.monotonic() - began < 30


def test_a_word_is_no_flag(engine: muster.Engine) -> None:
    submit(engine)
    with pytest.raises(TypeError, match="failed is True or False, not 'no'"):
        engine.finish(["team-a/x"], NOON, failed="no")  # type: ignore[arg-type]


def test_waiting_for_no_decision_at_all_is_over_at_once(engine: muster.Engine) -> None:
    assert engine.decisions("gateway", limit=0, wait=None) == []


def test_listeners_leave_the_threads_of_the_loop_free() -> None:
    async def main() -> float:
        with muster.Engine() as engine:
            engine.apply(QUEUES, NOON)
            for i in range(40):
                engine.register(f"consumer-{i}", now=NOON)

            async def listen(consumer: str) -> None:
                async for _ in engine.listen(consumer, poll=2):
                    pass

            listens = [asyncio.create_task(listen(f"consumer-{i}")) for i in range(40)]
            await asyncio.sleep(0.5)
            began = time.monotonic()
            await asyncio.wait_for(asyncio.to_thread(time.sleep, 0), 60)
            took = time.monotonic() - began
            for each in listens:
                each.cancel()
            engine.wake()
            await asyncio.gather(*listens, return_exceptions=True)
            return took

    assert asyncio.run(main()) < 1.5


FULL = """
import os, resource, sys
sys.path.insert(0, {here!r})
import muster
from world import JOB, NOON, QUEUES

engine = muster.Engine("full.ledger")
engine.apply(QUEUES, NOON)
shape = muster.Shape(JOB)
engine.submit([muster.Job("team-a/job-shape", shape)], NOON)
size = os.path.getsize("full.ledger-wal")
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
for call in (
        lambda: engine.submit([muster.Job(f"team-a/{{i}}", shape) for i in range(3000)], NOON),
        lambda: engine.observe(JOB + "status: {{active: 1, ready: 1}}\\n", NOON),
        lambda: engine.get("wl"), lambda: engine.get("cq"), lambda: engine.phase("team-a/0"),
        lambda: engine.advise(JOB)):
    try:
        call()
        print("done")
    except muster.MusterError as error:
        print(type(error).__name__)
"""


def test_after_a_full_disk_every_call_is_unavailable(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", FULL.format(here=str(Path(__file__).parent))],
                         cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert ran.stdout.split() == ["Unavailable"] * 6, ran.stdout + ran.stderr
