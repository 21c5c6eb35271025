"""What Engine knows of single objects: their values, whether they can ever start, their pods."""

from __future__ import annotations

import ctypes as c
from collections.abc import Iterable
from typing import Any, Optional

from . import _library as lib
from ._calls import answer_of, optional, time_of
from ._library import SYSTEM_CLOCK
from .errors import Held, Mistake, call
from .model import Missing, Time, int32, nanoseconds, split, whole, without_nul

_DEACTIVATE, _ACTIVATE = 1, 2


def _counts(pods: Optional[dict[str, int]]) -> Any:
    """An array of muster_pod_count; None where nothing is said."""
    if pods is None:
        return None
    # Of one at least: an array that is there, and empty, is not the same as none.
    array = (lib.PodCount * max(len(pods), 1))()
    array[0].size = c.sizeof(lib.PodCount)
    for each, (name, count) in zip(array, pods.items()):
        each.size = c.sizeof(lib.PodCount)
        each.count = int32(f"pods of {name}", count)
        each.pod_set = without_nul(name.encode())
    return array


class Objects:
    """The part of Engine that is about single objects."""

    _handle: Held

    def advise(self, manifests: str, *, name: str = "manifest",
               missing: Missing = Missing.REFUSE) -> list[Mistake]:
        """What is valid and still will not do what its author wants, as `muster validate` warns.

        Jobs that could never start, even alone, are among it. Raises what `apply` would; changes
        nothing.
        """
        data = manifests.encode()
        answer = answer_of("muster_advise", self._handle, data, len(data), name.encode(), missing)
        return [Mistake(each["place"], each["what"], each["cure"]) for each in answer["advice"]]

    def update(self, workload: str, now: Time = None, *, priority: Optional[int] = None,
               active: Optional[bool] = None, counts: Optional[dict[str, int]] = None,
               reclaimable: Optional[dict[str, int]] = None,
               open_gates: Optional[Iterable[str]] = None, checkpointed: Time = None,
               uid: Optional[str] = None, run: Optional[int] = None) -> None:
        """Changes values of a workload; what is None stays as it is.

        counts: sizes of podsets by name; while it has quota they may only shrink. reclaimable: how
        many pods of each have ended and are not replaced. open_gates: the preemption gates that are
        open; others are closed. checkpointed: when its run saved what it had done. uid, run:
        as of `finish`.
        """
        changes = lib.Changes(c.sizeof(lib.Changes))
        changes.ns, changes.name = split(workload)
        changes.uid, changes.run = without_nul(optional(uid)), whole("a run", run or 0)
        if priority is not None:
            changes.has_priority, changes.priority = 1, int32("a priority", priority)
        if active is not None:
            changes.active = _ACTIVATE if active else _DEACTIVATE
        changes.checkpointed = nanoseconds(checkpointed, 0)
        kept = [_counts(counts), _counts(reclaimable)]  # until the call is over
        if counts is not None:
            changes.counts, changes.counts_length = kept[0], len(counts)
        if reclaimable is not None:
            changes.reclaimable, changes.reclaimable_length = kept[1], len(reclaimable)
        if open_gates is not None:
            changes.open_gates = without_nul(",".join(open_gates).encode())
        call("muster_update", self._handle, c.byref(changes), time_of(now))

    def delete(self, kind: str, name: str, now: Time = None, *, force: bool = False) -> None:
        """Removes an object, "namespace/name" where it stands in one; a workload is cancelled.

        `kind` as for `get`, or as in a manifest. FailedPrecondition while something names it or
        holds its quota, unless `force`: that waits for its return, and jobs go on uncharged.
        """
        namespace, slash, rest = name.partition("/")
        call("muster_delete", self._handle, kind.encode(), optional(namespace if slash else None),
             (rest if slash else name).encode(), force, time_of(now))

    def pod_set_updates(self, workload: str) -> list[dict[str, Any]]:
        """What the pods of a workload with quota get at start, for a program that makes them.

        Of each podset name, labels, annotations, nodeSelector and tolerations, as podSetUpdates of
        docs/wire.md. Raises FailedPrecondition without quota.
        """
        return list(answer_of("muster_pod_set_updates", self._handle, *split(workload))["podSets"])

    def pod_requests(self, workload: str) -> dict[str, dict[str, str]]:
        """What one pod of each podset is charged for, by podset and resource: "500m"."""
        answer = answer_of("muster_pod_requests", self._handle, *split(workload))
        return {each["name"]: each["requests"] for each in answer["podSets"]}

    def check_time(self, now: Time = None) -> None:
        """Raises what a call at this time would be refused for; changes nothing."""
        call("muster_check_time", self._handle, time_of(now))

    def last_time(self) -> Optional[int]:
        """When the newest thing happened that the ledger has, in nanoseconds; None in a new one.

        An engine in memory has none, and raises FailedPrecondition.
        """
        at = c.c_int64()
        call("muster_last_time", self._handle, c.byref(at))
        return None if at.value == SYSTEM_CLOCK else at.value
