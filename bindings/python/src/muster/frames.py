"""Workloads and decisions as rows, and as DataFrames where pandas is there.

A row is a dict of plain values; times are aware datetimes, cut to microseconds.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any, Optional

from .engine import Engine
from .model import Decision

__all__ = ["Rows", "decision_rows", "event_rows", "quantity", "to_dataframe", "usage_rows",
           "workload_rows"]

Row = dict[str, Any]


_WORKLOAD = ("workload", "namespace", "queue", "cluster_queue", "created", "admitted", "finished",
             "wait")
_DECISION = ("number", "kind", "at", "cycle", "workload", "uid", "run", "reason", "by", "stop",
             "cluster_queue", "pods")
_USAGE = ("group", "flavor", "resource", "nominalSeconds", "borrowedSeconds", "preemptedSeconds")
_EVENT = ("seq", "commit", "time", "cycle", "command", "kind", "subject", "policy", "payload")


class Rows(list[Row]):
    """Rows of one kind, which know their columns: a DataFrame has these without a row, too."""

    def __init__(self, columns: Iterable[str], rows: Iterable[Row]) -> None:
        super().__init__(rows)
        self.columns = list(columns)


_SUFFIXES = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
             "P": 1e15, "E": 1e18, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50,
             "Ei": 2**60}
_QUANTITY = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([A-Za-z]*)")


def quantity(text: str) -> float:
    """The number that Kubernetes writes as "500m", "4Gi" or "2"."""
    found = _QUANTITY.fullmatch(text)
    if found is None or found.group(2) not in _SUFFIXES:
        raise ValueError(f"{text!r} is no quantity; write one such as '500m', '4Gi' or '2'")
    return float(found.group(1)) * _SUFFIXES[found.group(2)]


def _time(text: Optional[str]) -> Optional[datetime]:
    """The time that RFC 3339 writes with up to nine decimals."""
    if text is None:
        return None
    whole, _, decimals = text.rstrip("Z").partition(".")
    at = datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    return at.replace(microsecond=int((decimals + "000000")[:6]))


def _row(item: Row) -> Row:
    status = item.get("status", {})
    since = {each["type"]: each.get("lastTransitionTime")
             for each in status.get("conditions", []) if each["status"] == "True"}
    created = _time(item["metadata"].get("creationTimestamp"))
    admitted = _time(since.get("Admitted"))
    row: Row = {
        "workload": f"{item['metadata']['namespace']}/{item['metadata']['name']}",
        "namespace": item["metadata"]["namespace"],
        "queue": item["spec"].get("queueName"),
        "cluster_queue": status.get("admission", {}).get("clusterQueue"),
        "created": created,
        "admitted": admitted,
        "finished": _time(since.get("Finished")),
        "wait": (admitted - created).total_seconds() if admitted and created else None,
    }
    for pods in status.get("admission", {}).get("podSetAssignments", []):
        for resource, amount in pods.get("resourceUsage", {}).items():
            name = f"uses:{resource}"
            row[name] = row.get(name, 0) + quantity(amount)
    return row


def workload_rows(engine: Engine, *, namespace: Optional[str] = None) -> Rows:
    """A row for each workload that the engine knows, also finished ones.

    `wait` is in seconds, from created to the last admission; None while it waits. `uses:cpu` and so
    on is what its last admission was charged.
    """
    return Rows(_WORKLOAD, (_row(item) for item in engine.get("workloads", namespace=namespace)))


def decision_rows(decisions: Iterable[Decision]) -> Rows:
    """A row for each decision."""
    return Rows(_DECISION, (
        {"number": each.number, "kind": each.kind.name.lower(), "at": each.time,
         "cycle": each.cycle, "workload": each.workload, "uid": each.uid, "run": each.run,
         "reason": each.reason, "by": each.by, "stop": each.stop,
         "cluster_queue": each.cluster_queue,
         "pods": sum(pods.count for pods in each.pod_sets)} for each in decisions))


def usage_rows(told: Row) -> Rows:
    """The rows of `muster.lab.usage`, as it tells them."""
    return Rows(_USAGE, told["rows"])


def event_rows(events: Iterable[Row]) -> Rows:
    """The events of `muster.lab.history`, as it tells them."""
    return Rows(_EVENT, events)


def to_dataframe(rows: Iterable[Row]) -> Any:
    """The rows as a pandas.DataFrame; ImportError where pandas is not there.

    It has the columns of its kind also where there is no row, so that what groups by one goes on.
    """
    listed = list(rows)
    columns = rows.columns if isinstance(rows, Rows) and not listed else None
    return importlib.import_module("pandas").DataFrame(listed, columns=columns)
