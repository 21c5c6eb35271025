"""Single objects from Python, and reports of a ledger that is open."""

import json
import os
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import muster
from muster import lab
from world import NOON, QUEUES, job

JOB = job().replace("name: shape", "name: train").replace("spec:\n  template", "spec:\n  "
                                                          "parallelism: 3\n  template", 1)
NAME = "team-a/job-train"


@pytest.fixture(name="ledger")
def _ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


@pytest.fixture(name="engine")
def _engine(ledger: Path) -> Iterator[muster.Engine]:
    with muster.Engine(ledger, allow_time_jump=True, relaxed=True) as engine:
        engine.apply(QUEUES, NOON)
        yield engine


def test_values_of_a_workload_change(engine: muster.Engine) -> None:
    engine.apply(JOB, NOON)
    engine.update(NAME, NOON, priority=-7, counts={"main": 2}, reclaimable={})
    spec = engine.get("workloads", "job-train", namespace="team-a")["spec"]
    assert (spec["priority"], spec["podSets"][0]["count"]) == (-7, 2)
    engine.update(NAME, NOON, active=False)
    assert engine.phase(NAME) == muster.Phase.INACTIVE
    engine.update(NAME, NOON, active=True)
    assert engine.phase(NAME) == muster.Phase.PENDING
    engine.cycles(NOON)
    engine.update(NAME, NOON + timedelta(seconds=2), checkpointed=NOON + timedelta(seconds=1),
                  reclaimable={"main": 1})
    view = engine.get("workloads", "job-train", namespace="team-a")
    assert view["status"]["reclaimablePods"] == [{"name": "main", "count": 1}]
    with pytest.raises(ValueError, match="a priority"):
        engine.update(NAME, priority=1 << 31)
    with pytest.raises(muster.NotFound):
        engine.update("team-a/other", NOON, priority=1)
    with pytest.raises(muster.InvalidArgument):
        engine.update(NAME, NOON, open_gates=["none"])


def test_advice_is_that_of_validate(engine: muster.Engine, tmp_path: Path) -> None:
    assert engine.advise(JOB) == []
    large = JOB.replace("cpu: 1", "cpu: 1000")
    [advice] = engine.advise(large, name="large.yaml")
    (tmp_path / "queues.yaml").write_text(QUEUES, "utf-8")
    (tmp_path / "large.yaml").write_text(large, "utf-8")
    said = subprocess.run([os.environ["MUSTER"], "validate", "-f", "queues.yaml", "large.yaml"],
                          capture_output=True, text=True, check=True, cwd=tmp_path).stderr
    assert f"{advice.place}: " in said
    assert advice.what in said
    before = engine.state_hash()
    with pytest.raises(muster.InvalidArgument):
        engine.advise("kind: Job")
    assert engine.state_hash() == before


def test_pods_are_told(engine: muster.Engine) -> None:
    engine.apply(JOB, NOON)
    assert engine.pod_requests(NAME) == {"main": {"cpu": "1"}}
    with pytest.raises(muster.FailedPrecondition):
        engine.pod_set_updates(NAME)
    engine.cycles(NOON)
    assert [each["name"] for each in engine.pod_set_updates(NAME)] == ["main"]


def test_objects_go(engine: muster.Engine) -> None:
    with pytest.raises(muster.FailedPrecondition):
        engine.delete("cq", "team-a-cq", NOON)
    engine.delete("LocalQueue", "team-a/jobs", NOON)
    engine.delete("cq", "team-a-cq", NOON, force=True)
    with pytest.raises(muster.NotFound):
        engine.delete("cq", "team-a-cq", NOON)
    with pytest.raises(muster.InvalidArgument, match="there is no kind"):
        engine.delete("no such kind", "a", NOON)


def test_times_are_told(tmp_path: Path) -> None:
    with muster.Engine(tmp_path / "other") as engine:
        assert engine.last_time() is None
        engine.apply(QUEUES)
        last = engine.last_time()
        assert last is not None
        engine.check_time(last + 1)
        with pytest.raises(muster.InvalidArgument):
            engine.check_time(last + 400 * 86_400 * 1_000_000_000)
    with pytest.raises(muster.FailedPrecondition, match="in memory"):
        muster.Engine().last_time()


def test_reports_are_those_of_the_command(engine: muster.Engine, ledger: Path) -> None:
    engine.apply(JOB, NOON)
    engine.cycles(NOON)
    used = lab.usage(ledger, by="namespace", until="2026-01-01T13:00:00Z")
    assert [(each["group"], each["nominalSeconds"]) for each in used["rows"]] == [
        ("team-a", 3 * 3600 * 1000)]
    first = lab.history(ledger, limit=1)
    assert {each["commit"] for each in first} == {1}
    assert lab.history(ledger, after=1) != first
    assert lab.report("policy list", db=ledger) == []
    told = subprocess.run([os.environ["MUSTER"], "describe", "workload", NAME, "--db", ledger,
                           "-o", "json"], capture_output=True, check=True).stdout
    assert lab.report("describe", "workload", NAME, db=ledger) == json.loads(told)
    assert lab.report("ledger query", "SELECT 1 AS one", db=ledger) == [{"one": 1}]


def test_only_reports_are_made(ledger: Path, engine: muster.Engine) -> None:
    engine.advance(NOON)
    for verb in ("apply", "serve", "usage --help", "", "ledger"):
        with pytest.raises(muster.InvalidArgument, match="there is no report"):
            lab.report(verb, db=ledger)
    with pytest.raises(muster.InvalidArgument, match="do not begin with -"):
        lab.report("describe", "--help", db=ledger)
    with pytest.raises(muster.InvalidArgument, match="never end"):
        lab.report("get", "workloads", db=ledger, watch=True)
