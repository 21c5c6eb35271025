"""Draws how long jobs of each team waited, and what teams used, from a ledger.

  python3 -m muster.plots LEDGER PICTURE [RESOURCE]

A team is a namespace, RESOURCE is cpu where none is named. It shows the workloads that the ledger
still knows, with their last admission each. Needs matplotlib. Another process may write the ledger
meanwhile.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from .engine import Engine
from .frames import Row, workload_rows

__all__ = ["draw", "usage", "waits"]


def waits(rows: Iterable[Row]) -> dict[str, list[float]]:
    """Seconds that admitted workloads waited, by namespace, in order of names."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row["wait"] is not None:
            found.setdefault(row["namespace"], []).append(row["wait"])
    return dict(sorted(found.items()))


def usage(rows: Iterable[Row], resource: str = "cpu") -> dict[str, list[tuple[datetime, float]]]:
    """What each namespace used from a time on, as steps in order of time."""
    changes: dict[str, dict[datetime, float]] = {}
    for row in rows:
        amount = row.get(f"uses:{resource}", 0)
        if row["admitted"] is None or amount == 0:
            continue
        of_team = changes.setdefault(row["namespace"], {})
        of_team[row["admitted"]] = of_team.get(row["admitted"], 0) + amount
        if row["finished"] is not None:
            of_team[row["finished"]] = of_team.get(row["finished"], 0) - amount
    steps: dict[str, list[tuple[datetime, float]]] = {}
    for team, of_team in sorted(changes.items()):
        used = 0.0
        for at, change in sorted(of_team.items()):
            used += change
            steps.setdefault(team, []).append((at, used))
    return steps


def draw(engine: Engine, picture: str, resource: str = "cpu") -> None:
    """Writes the picture; its format is that of its name (.png, .svg, .pdf)."""
    figures: Any = importlib.import_module("matplotlib.figure")
    rows = workload_rows(engine)
    figure = figures.Figure(figsize=(10, 7), layout="constrained")
    above, below = figure.subplots(2)
    by_team = waits(rows)
    above.set_title("Wait until admission")
    above.set_ylabel("seconds")
    if by_team:
        above.boxplot(list(by_team.values()), labels=list(by_team))
    below.set_title(f"In use: {resource}")
    used = usage(rows, resource)
    last = max((steps[-1][0] for steps in used.values()), default=None)
    for team, steps in used.items():
        below.step([at for at, _ in steps] + [last], [amount for _, amount in steps]
                   + [steps[-1][1]], where="post", label=team)
    if used:
        below.legend()
    figure.savefig(picture)


def main() -> int:
    """What `python3 -m muster.plots` does; returns its exit code."""
    if len(sys.argv) not in (3, 4):
        print("python3 -m muster.plots LEDGER PICTURE [RESOURCE]", file=sys.stderr)
        return 1
    with Engine.read(sys.argv[1]) as engine:
        draw(engine, *sys.argv[2:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
