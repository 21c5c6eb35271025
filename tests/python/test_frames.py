"""Rows, DataFrames and pictures of what an engine knows."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any, Optional

import pytest

import muster
from muster import frames, lab, plots
from world import NOON, QUEUES, job

JOB = job("500m")


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def play(engine: muster.Engine) -> None:
    """One job runs from 3 s to 63 s, one from 70 s on, one waits."""
    engine.apply(QUEUES, NOON)
    engine.register("gateway", now=NOON)
    shape = muster.Shape(JOB)
    engine.submit([muster.Job(f"team-a/{name}", shape, count=5) for name in "abc"], NOON)
    engine.cycles(after(3))
    engine.finish(["team-a/a"], after(63))
    engine.cycles(after(70))


@pytest.fixture
def engine() -> Iterator[muster.Engine]:
    with muster.Engine() as made:
        play(made)
        yield made


def test_rows_have_times_waits_and_amounts(engine: muster.Engine) -> None:
    a, b, c = frames.workload_rows(engine)
    assert (a["workload"], a["queue"], a["cluster_queue"]) == ("team-a/a", "jobs", "team-a-cq")
    assert (a["created"], a["admitted"], a["finished"]) == (NOON, after(3), after(63))
    assert (a["wait"], a["uses:cpu"]) == (3, 2.5)
    assert (b["wait"], b["finished"]) == (70, None)
    assert (c["wait"], c["admitted"], "uses:cpu" in c) == (None, None, False)
    assert frames.workload_rows(engine, namespace="team-b") == []


def test_rows_of_decisions(engine: muster.Engine) -> None:
    first, second = frames.decision_rows(engine.decisions("gateway"))
    assert (first["number"], first["kind"], first["at"], first["pods"]) == (1, "start", after(3), 5)
    assert second["workload"] == "team-a/b"


def test_quantities_are_those_of_kubernetes() -> None:
    assert [frames.quantity(text) for text in ("2", "500m", "4Gi", "1e3", "-1k", "1.5")] \
        == [2, 0.5, 4 * 2**30, 1000, -1000, 1.5]
    for wrong in ("", "x", "1X", "Gi"):
        with pytest.raises(ValueError, match="no quantity"):
            frames.quantity(wrong)


def test_waits_and_usage_by_team(engine: muster.Engine) -> None:
    rows = frames.workload_rows(engine)
    assert plots.waits(rows) == {"team-a": [3, 70]}
    assert plots.usage(rows) == {"team-a": [(after(3), 2.5), (after(63), 0), (after(70), 2.5)]}
    assert plots.usage(rows, "memory") == {}


def test_a_dataframe_where_pandas_is_there(engine: muster.Engine) -> None:
    pytest.importorskip("pandas")
    table = frames.to_dataframe(frames.workload_rows(engine))
    assert list(table["workload"]) == ["team-a/a", "team-a/b", "team-a/c"]
    assert table.groupby("namespace")["wait"].max()["team-a"] == 70


class Table:
    """What `to_dataframe` asks of pandas."""

    def __init__(self, rows: list[frames.Row], columns: Optional[list[str]] = None) -> None:
        self.columns = list(rows[0]) if rows else list(columns or [])


def test_what_has_no_row_has_its_columns_all_the_same(
        engine: muster.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = ModuleType("pandas")
    setattr(pandas, "DataFrame", Table)
    monkeypatch.setitem(sys.modules, "pandas", pandas)

    def columns(rows: frames.Rows) -> list[str]:
        return list(frames.to_dataframe(rows).columns)

    told = engine.decisions("gateway")
    assert columns(frames.decision_rows([])) == columns(frames.decision_rows(told))
    ledger, full = tmp_path / "empty", tmp_path / "full"
    with muster.Engine(ledger) as empty, muster.Engine(full, allow_time_jump=True) as played:
        play(played)
        assert columns(frames.workload_rows(empty)) == columns(frames.workload_rows(played))[:8]
        assert "uses:cpu" in columns(frames.workload_rows(played))[8:]
    assert columns(frames.event_rows(lab.history(ledger))) \
        == columns(frames.event_rows(lab.history(full)))
    assert lab.usage(ledger)["rows"] == []
    assert columns(frames.usage_rows(lab.usage(ledger))) \
        == columns(frames.usage_rows(lab.usage(full)))


def test_an_empty_frame_is_grouped_where_pandas_is_there() -> None:
    pytest.importorskip("pandas")
    with muster.Engine() as empty:
        rows = frames.workload_rows(empty)
        assert len(frames.to_dataframe(rows).groupby("namespace")["wait"].max()) == 0
    assert len(frames.to_dataframe(frames.decision_rows([])).groupby("kind").size()) == 0


def line_pixels(picture: Path) -> int:
    """Pixels in the colour of the first team's line."""
    image: Any = importlib.import_module("matplotlib.image")
    blue = (31, 119, 180)
    pixels = (image.imread(picture)[:, :, :3] * 255).round().astype(int)
    return int((pixels == blue).all(axis=2).sum())


def test_a_picture_where_matplotlib_is_there(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with muster.Engine(tmp_path / "ledger", allow_time_jump=True) as made:
        play(made)
    for name in ("a.png", "a.svg"):
        subprocess.run([sys.executable, "-B", "-m", "muster.plots", tmp_path / "ledger",
                        tmp_path / name], check=True)
    with muster.Engine(tmp_path / "empty"):
        subprocess.run([sys.executable, "-B", "-m", "muster.plots", tmp_path / "empty",
                        tmp_path / "empty.png"], check=True)  # beside its writer
    assert line_pixels(tmp_path / "a.png") > 500
    assert line_pixels(tmp_path / "empty.png") == 0
    drawn = (tmp_path / "a.svg").read_text("utf-8")
    assert drawn.count("<path") > 20
    done = subprocess.run([sys.executable, "-B", "-m", "muster.plots"], check=False,
                          capture_output=True, text=True)
    assert done.returncode == 1 and "LEDGER PICTURE" in done.stderr
