"""The package as a gateway uses it."""

import asyncio
import json
import shutil
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import muster
import muster.testing
from world import JOB, NOON, QUEUES, TOP


@pytest.fixture
def engine() -> Iterator[muster.Engine]:
    with muster.Engine() as made:
        made.apply(QUEUES, NOON)
        made.register("gateway", now=NOON)
        yield made


def jobs(*names: str, **more: Any) -> list[muster.Job]:
    shape = muster.Shape(JOB)
    return [muster.Job(f"team-a/{name}", shape, **more) for name in names]


def test_a_day(engine: muster.Engine) -> None:
    assert engine.submit(jobs("a", "b", count=2), NOON) == 2
    assert engine.submit(jobs("a", "b", count=2), NOON) == 0
    assert sum(cycle.admitted for cycle in engine.cycles(NOON)) == 2
    first, second = engine.decisions("gateway")
    assert (first.number, first.kind, first.workload) == (1, muster.Kind.START, "team-a/a")
    assert first.starts and not first.stop and first.time == NOON
    assert first.pod_sets == (muster.PodSet("main", 2, {"cpu": "default"}, {"cpu": 2000}),)
    assert first.cluster_queue == "team-a-cq" and second.by is None
    assert engine.acknowledge("gateway", 1, NOON) == muster.Cursor(1, 2)
    assert [each.number for each in engine.decisions(after=1)] == [2]
    engine.ready(["team-a/a"], NOON)
    engine.evict("team-a/a", "Maintenance", NOON)
    assert engine.decisions("gateway")[-1].stop
    engine.evicted(["team-a/a"], NOON)
    engine.finish(["team-a/b"], NOON)
    engine.cancel(["team-a/a"], NOON)
    assert engine.phase("team-a/b") is muster.Phase.FINISHED
    assert engine.get("consumers", "gateway")["behind"] == 2
    assert [each["metadata"]["name"] for each in engine.get("workloads", states=["finished"])] \
        == ["b"]
    engine.remove("gateway", NOON)
    engine.check_invariants()


def test_a_start_is_written_into_the_object(engine: muster.Engine) -> None:
    engine.apply(JOB, NOON)
    with pytest.raises(muster.MusterError):
        engine.start_patch("team-a/job-shape", JOB)
    engine.cycles(NOON)
    started, = engine.start_patch("team-a/job-shape", JOB)
    assert started["patch"]["spec"]["suspend"] is False
    assert started["object"]["spec"]["template"]["spec"]["containers"][0]["name"] == "main"


def test_a_status_is_read_from_the_object(engine: muster.Engine) -> None:
    engine.apply(JOB, NOON)
    engine.cycles(NOON)
    done = JOB + "status: {conditions: [{type: Complete, status: 'True'}]}\n"
    said = {"kind": "Workload", "name": "team-a/job-shape"}
    assert engine.observe(JOB, NOON) == [said | {"result": "unchanged"}]
    assert engine.observe(done, NOON) == [said | {"result": "finished"}]
    assert engine.phase("team-a/job-shape") is muster.Phase.FINISHED
    with pytest.raises(muster.MusterError):
        engine.observe(JOB.replace("shape", "other"), NOON)


def test_handing_over_acknowledges_what_was_acted_on(engine: muster.Engine) -> None:
    engine.submit(jobs("a", "b", "c"), NOON)
    engine.cycles(NOON)
    for decision in engine.hand_over("gateway", limit=2):
        if decision.number == 2:
            break
    assert [each.number for each in engine.decisions("gateway")] == [2, 3]
    with pytest.raises(RuntimeError):
        for decision in engine.hand_over("gateway"):
            raise RuntimeError("the gateway dies")
    assert [each.number for each in engine.hand_over("gateway")] == [2, 3]
    assert not engine.decisions("gateway")


def test_waiting_lets_others_call(engine: muster.Engine) -> None:
    engine.submit(jobs("a"), NOON)
    told: list[muster.Decision] = []
    waits = threading.Thread(
        target=lambda: told.extend(engine.decisions("gateway", wait=None)))
    waits.start()
    engine.cycle(NOON)
    waits.join(30)
    assert [each.workload for each in told] == ["team-a/a"]


def test_closing_ends_the_calls_of_other_threads(tmp_path: Path) -> None:
    engine = muster.Engine(tmp_path / "l.ledger")
    engine.apply(QUEUES, NOON)
    engine.register("gateway", now=NOON)
    ended: list[bool] = []

    def ask() -> None:
        try:
            while True:
                engine.submit(jobs("train"), NOON)
                engine.decisions("gateway", wait=60)
        except muster.InvalidArgument:
            ended.append(True)  # it is closed

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    engine.close()
    for thread in threads:
        thread.join(60)
    assert len(ended) == 4
    with muster.Engine(tmp_path / "l.ledger", create=False) as again:  # it was let go of
        again.check_invariants()


def test_a_call_cannot_be_closed_from_within(engine: muster.Engine) -> None:
    with pytest.raises(muster.FailedPrecondition, match="of this thread"):
        engine._handle.run(lambda _: engine.close())
    engine.check_invariants()


def test_waking_is_safe_between_any_two_steps_of_a_call() -> None:
    """As the handler of a signal may do."""
    engine = muster.Engine()
    woken: list[int] = []

    def step(frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.endswith("muster/errors.py"):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            engine.wake()
            woken.append(frame.f_lasti)
        return step

    def ask() -> None:
        sys.settrace(step)
        engine.state_hash()
        sys.settrace(None)

    asks = threading.Thread(target=ask, daemon=True)
    asks.start()
    asks.join(30)
    assert not asks.is_alive()
    assert len(woken) > 20
    engine.close()  # no call is thought to be under way
    with pytest.raises(muster.InvalidArgument):
        engine.state_hash()


def test_closing_that_is_interrupted_can_be_done_again(tmp_path: Path) -> None:
    engine = muster.Engine(tmp_path / "l.ledger")
    main, goes_on = threading.get_ident(), threading.Event()

    def interrupt(_: object) -> None:
        while engine._handle:  # until `close` has taken it, and waits for this call
            time.sleep(0.001)
        signal.pthread_kill(main, signal.SIGINT)
        goes_on.wait(60)

    calls = threading.Thread(target=engine._handle.run, args=[interrupt])
    calls.start()
    with pytest.raises(KeyboardInterrupt):
        engine.close()
    engine.check_invariants()  # it is open
    goes_on.set()
    engine.close()
    calls.join(60)
    with muster.Engine(tmp_path / "l.ledger", create=False) as again:
        again.check_invariants()


@pytest.mark.parametrize("more", [{"count": 2**31}, {"count": 2**32 + 1}, {"count": 2**63},
                                  {"count": -1}, {"priority": 2**31}, {"priority": -2**31 - 1},
                                  {"created": 2**63}, {"created": datetime.max.replace(
                                      tzinfo=timezone.utc)}])
def test_numbers_that_a_struct_cannot_hold_are_refused(engine: muster.Engine,
                                                       more: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"2\*\*31 - 1|beyond the year 2262"):
        engine.submit(jobs("large", **more), NOON)
    assert engine.get("workloads") == []


@pytest.mark.parametrize("call, what", [
    (lambda e: e.acknowledge("gateway", 2**64 + 1), "upto"),
    (lambda e: e.register("late", after=2**64), "after"),
    (lambda e: e.register("late", after=-7), "after"),
    (lambda e: e.decisions(after=2**64 + 2), "after"),
    (lambda e: e.decisions(after=-1), "after"),
    (lambda e: e.decisions("gateway", limit=2**64 + 1), "limit"),
    (lambda e: e.decisions("gateway", limit=-1), "limit"),
    (lambda e: e.decisions("gateway", wait=float("nan")), "wait"),
    (lambda e: muster.Engine(lock_wait=float("nan")), "lock_wait"),
])
def test_numbers_that_a_call_cannot_hold_are_refused(
        engine: muster.Engine, call: Callable[[muster.Engine], object], what: str) -> None:
    engine.submit(jobs("a"), NOON)
    engine.cycles(NOON)
    with pytest.raises(ValueError, match=f"^{what} is "):
        call(engine)
    assert engine.get("consumers", "gateway")["behind"] == 1
    assert len(engine.get("consumers")) == 1


@pytest.mark.parametrize("call, what", [
    (lambda e: e.cycle(1.5), "a time is .*, not 1.5"),
    (lambda e: e.cycle("noon"), "a time is .*, not 'noon'"),
    (lambda e: e.acknowledge("gateway", 1.5), "upto is a whole number, not 1.5"),
    (lambda e: e.decisions(after="1"), "after is a whole number, not '1'"),
    (lambda e: e.decisions("gateway", limit=None), "limit is a whole number, not None"),
])
def test_values_of_another_type_are_refused(
        engine: muster.Engine, call: Callable[[Any], object], what: str) -> None:
    with pytest.raises(TypeError, match=what):
        call(engine)


def test_a_negative_wait_is_over_at_once(engine: muster.Engine) -> None:
    told: list[object] = []
    asks = threading.Thread(target=lambda: told.append(engine.decisions("gateway", wait=-0.5)))
    asks.start()
    asks.join(30)
    over = not asks.is_alive()
    while asks.is_alive():  # lets go of what would wait for ever
        engine.wake()
    assert over and told == [[]]


def test_a_wait_of_infinity_lasts_to_the_next_decision(engine: muster.Engine) -> None:
    told: list[muster.Decision] = []
    waits = threading.Thread(
        target=lambda: told.extend(engine.decisions("gateway", wait=float("inf"))))
    waits.start()
    engine.submit(jobs("a"), NOON)
    engine.cycle(NOON)
    waits.join(60)
    assert [each.workload for each in told] == ["team-a/a"]


def test_a_closed_engine_says_so(tmp_path: Path) -> None:
    engine = muster.Engine(tmp_path / "ledger")
    engine.close()
    calls: list[Callable[[], object]] = [engine.state_hash, engine.cycle,
                                         lambda: engine.decisions(after=0),
                                         lambda: engine.pipeline().__enter__()]
    for call in calls:
        with pytest.raises(muster.InvalidArgument, match="the engine is closed"):
            call()
    engine.wake()  # a handler of a signal may come late


def test_an_unknown_package_is_no_damage(tmp_path: Path) -> None:
    with muster.Engine(tmp_path / "ledger") as engine:
        with pytest.raises(muster.NotFound, match="the ledger has no policy package of the hash"):
            engine.do({"command": "activate-policy", "hash": "ff" * 32})


def test_listening_in_asyncio(engine: muster.Engine) -> None:
    async def listen() -> list[int]:
        seen: list[int] = []
        async for decision in engine.listen("gateway", poll=5):
            seen.append(decision.number)
            if len(seen) == 3:
                break
        return seen

    async def main() -> list[int]:
        listens = asyncio.create_task(listen())
        engine.submit(jobs("a", "b", "c"), NOON)
        await asyncio.to_thread(engine.cycles, NOON)
        return await asyncio.wait_for(listens, 60)

    assert asyncio.run(main()) == [1, 2, 3]


def test_mistakes_are_raised_with_place_and_cure(engine: muster.Engine) -> None:
    with pytest.raises(muster.InvalidArgument) as raised:
        engine.apply("kind: ClusterQueue\nmetadata: {name: x}\nspce: {}\n", name="q.yaml")
    assert raised.value.mistakes[0].place.startswith("q.yaml:")
    assert all(each.what for each in raised.value.mistakes)
    with pytest.raises(muster.NotFound):
        engine.explain("team-a/none")
    with pytest.raises(muster.NotFound) as second:
        engine.do_all([{"command": "advance"},
                       {"command": "cancel", "workloads": [{"namespace": "x", "name": "y"}]}], NOON)
    assert second.value.answers == [{"answer": "done"}]
    for wrong in ("a", "a/", "/a"):
        with pytest.raises(ValueError, match="namespace/name"):
            engine.finish([wrong])
    with pytest.raises(ValueError, match="no zone"):
        engine.cycle(datetime(2026, 1, 1))
    with pytest.raises(ValueError, match="one of consumer and after"):
        engine.decisions()


def test_a_ledger_goes_on_where_it_stood(tmp_path: Path) -> None:
    with pytest.raises(muster.NotFound):
        muster.Engine(tmp_path / "none", create=False)
    with muster.Engine(tmp_path / "ledger", allow_time_jump=True) as first:
        first.apply(QUEUES, NOON)
        with pytest.raises(muster.Unavailable, match="held by"):
            muster.Engine(tmp_path / "ledger")
        before = first.state_hash()
    first.close()
    with pytest.raises(muster.InvalidArgument):
        first.state_hash()
    with muster.Engine(tmp_path / "ledger") as second:
        assert second.state_hash() == before


def test_explaining_and_deadlines(engine: muster.Engine) -> None:
    engine.submit(jobs("a", "b", count=3), NOON)
    engine.cycles(NOON)
    said = engine.explain("team-a/b")
    assert "team-a/b" in json.dumps(said)
    ((change,),) = said["smallestChanges"]
    assert (change["field"], change["from"], change["to"]) == ("nominalQuota", "4", "6")
    assert said["mostPods"] == [{"podSet": "main", "fits": 1, "asked": 3}]
    assert engine.next_deadline() is None
    engine.advance(NOON)


def test_what_if_changes_nothing(engine: muster.Engine) -> None:
    engine.submit(jobs("a", "b", count=3), NOON)
    engine.cycles(NOON)
    before = engine.state_hash()
    ends = [{"command": "finish", "workloads": [{"namespace": "team-a", "name": "a"}]}]
    answer = engine.what_if(ends, NOON)
    changes = {each["workload"]: each["change"] for each in answer["changes"]}
    assert changes["team-a/b"] == "starts"
    assert answer["different"] == len(changes)
    assert engine.state_hash() == before
    with pytest.raises(muster.NotFound) as raised:
        engine.what_if([{"command": "advance"},
                        {"command": "cancel", "workloads": [{"namespace": "x", "name": "y"}]}])
    assert raised.value.mistakes[0].place.startswith("1:")


def test_starts_of_a_ledger_and_callers(tmp_path: Path, engine: muster.Engine) -> None:
    with muster.Engine(tmp_path / "ledger") as durable:
        durable.set_caller("notebook")
        durable.apply(QUEUES, NOON)
        durable.submit(jobs("a", "b", count=3), NOON)
        durable.cycles(NOON)
        told = durable.eta(["team-a/b"], NOON, futures=3)
        assert [each["workload"] for each in told["workloads"]] == ["team-a/b"]
        assert durable.eta(now=NOON, futures=1, questions=0)["futures"] == 1
        with pytest.raises(muster.FailedPrecondition):
            durable.eta(["team-a/a"], NOON)
        with pytest.raises(muster.NotFound):
            durable.eta(["team-a/none"], NOON)
        with pytest.raises(muster.InvalidArgument):
            durable.eta(futures=0)
        with pytest.raises(muster.InvalidArgument):
            durable.set_caller("a\nb")
    with pytest.raises(muster.FailedPrecondition):
        engine.eta()
    with pytest.raises(muster.FailedPrecondition):
        engine.set_caller("x")


def test_policies(engine: muster.Engine) -> None:
    folder = TOP / "policies/small-first"
    assert muster.check_policy(folder)["name"] == "small-first"
    muster.testing.assert_policy(folder)
    engine.shadow_policy(folder)
    engine.cycle(NOON)
    assert "small-first" in json.dumps(engine.shadow_report())
    engine.shadow_policy(None)
    assert engine.activate_policy(folder, by="me", now=NOON)["answer"] == "activated"
    assert [each["name"] for each in engine.get("policies")] == ["small-first"]
    engine.roll_back_policy(now=NOON)
    assert engine.get("policies") == []


def test_a_policy_is_staged_before_it_decides(tmp_path: Path, engine: muster.Engine) -> None:
    folder = tmp_path / "small-first"
    shutil.copytree(TOP / "policies/small-first", folder)
    with muster.Engine(tmp_path / "ledger", allow_time_jump=True) as durable:
        durable.apply(QUEUES, NOON)
        for each in (engine, durable):
            each.submit(jobs("a", "b"), NOON)
            staged = each.stage_policy(folder, by="me", now=NOON)
            assert (staged["name"], staged["doubt"]) == ("small-first", "")
            assert each.get("policies") == []
            with pytest.raises(muster.FailedPrecondition, match="is staged"):
                each.activate_staged("other", now=NOON)
            # What is activated is what was tried, whatever became of the folder.
            folder.rename(tmp_path / "moved")
            assert each.activate_staged(staged["hash"], now=NOON)["answer"] == "activated"
            (tmp_path / "moved").rename(folder)
            assert [found["hash"] for found in each.get("policies")] == [staged["hash"]]
            with pytest.raises(muster.FailedPrecondition, match="is staged"):
                each.activate_staged(staged["hash"], now=NOON)
            each.roll_back_policy(now=NOON)
            assert each.get("policies") == []


def test_a_policy_that_fails_its_tests_is_not_staged(tmp_path: Path, engine: muster.Engine) -> None:
    folder = tmp_path / "small-first"
    shutil.copytree(TOP / "policies/small-first", folder)
    (folder / "policy_spec.lua").write_text(
        'describe("it", function() it("is wrong", function() assert.equal(1, 2) end) end)\n',
        "utf-8")
    with pytest.raises(muster.InvalidArgument, match="is wrong"):
        engine.stage_policy(folder, now=NOON)
    with pytest.raises(muster.FailedPrecondition):
        engine.activate_staged(muster.check_policy(folder)["hash"], now=NOON)
    with pytest.raises(muster.MusterError):
        engine.stage_policy(tmp_path / "none", now=NOON)
    with muster.Engine(tmp_path / "l.ledger", allow_time_jump=True) as durable:
        for each in (folder, tmp_path / "none"):
            with pytest.raises(muster.MusterError):
                durable.stage_policy(each, now=NOON)
    told = sqlite3.connect(tmp_path / "l.ledger").execute("SELECT subject, payload FROM event")
    (only,) = [str(each) for each in told]  # a package that does not load leaves none
    assert "small-first" in only and "is wrong" in only


def test_scenarios_as_assertions() -> None:
    folder = TOP / "tests/scenarios/quota"
    first = sorted(folder.glob("*.yaml"))[0]
    muster.testing.assert_scenario(first)
    text = first.read_text("utf-8")
    assert muster.testing.play("kind: nonsense")["failed"] == 1
    assert muster.testing.play(text)["failed"] == 0


def test_the_log_goes_where_it_is_sent(tmp_path: Path) -> None:
    lines: list[tuple[muster.Level, str]] = []
    muster.set_log_level(muster.Level.INFO)
    muster.log_to(lambda level, message: lines.append((level, message)))
    muster.Engine(tmp_path / "ledger").close()
    muster.log_to(None)
    muster.set_log_level(muster.Level.WARNING)
    assert lines[0][0] is muster.Level.INFO and "opened" in lines[0][1]
