"""Engine: the admission engine, in memory or with a ledger."""

from __future__ import annotations

import asyncio
import ctypes as c
import json
import os
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, NoReturn, Optional

from . import _library as lib
from ._batch import Batch, named
from ._calls import Path, answer_of, optional, text_of, time_of
from ._library import LIBRARY, SYSTEM_CLOCK
from ._objects import Objects
from ._policies import Policies
from .errors import Held, MusterError, call, text
from .model import (CheckState, Cursor, Cycle, Decision, Domain, Job, Kind, Missing, Phase, PodSet,
                    Time, Topology, flag, milliseconds, nanoseconds, split, whole)
from .pipeline import Pipeline

_INT32 = 1 << 31
#: Milliseconds that the main thread waits at a time: handlers of signals, such as that of Ctrl-C,
#: run between two of its steps.
_SLICE = 100


def _within(what: str, least: int, names: Sequence[str], values: Sequence[int]) -> None:
    """Raises ValueError for the first of the values below `least` or above an int32."""
    if min(values) >= least and max(values) < _INT32:
        return
    for name, value in zip(names, values):
        if not least <= value < _INT32:
            below = f"-2**{(-least).bit_length() - 1}" if least < 0 else least
            raise ValueError(f"{name}: {what} is from {below} to 2**31 - 1")

Command = dict[str, Any]

class Shape:
    """What workloads of one kind have in common: made of the manifest of one Workload or Job."""

    def __init__(self, manifest: str, name: str = "shape") -> None:
        """Reads the manifest; `name` stands for it in mistakes. Raises InvalidArgument."""
        self._handle = c.c_void_p()
        data = manifest.encode()
        call("muster_shape_parse", data, len(data), name.encode(), c.byref(self._handle))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            LIBRARY.muster_shape_free(self._handle)

    def __copy__(self) -> Shape:
        return self  # nothing changes it

    def __deepcopy__(self, memo: dict[int, Any]) -> Shape:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a shape stays in its process; keep the manifest and read it there")


class Engine(Objects, Policies):
    """One engine. Any thread may call it; calls take turns, and one that waits lets others in.

    Times are nanoseconds since 1970, aware datetimes, or None for the system's clock. Workloads are
    named "namespace/name". Every call is all or nothing, and raises a MusterError where it is
    refused. With a ledger, what a call did is on disk when it returns.
    """

    def __init__(self, ledger: Optional[Path] = None, *, create: bool = True,
                 allow_time_jump: bool = False, relaxed: bool = False,
                 lock_wait: float = 0.0) -> None:
        """Opens `ledger`, or without one an engine in memory. A ledger is a file, or
        postgresql://USER@HOST/DATABASE#NAME.

        create: a ledger that is not there begins; else NotFound. allow_time_jump: calls may be over
        a year after the last one. relaxed: a power cut may take the last calls; a kill never does.
        lock_wait: seconds to wait for a ledger that another process holds.
        """
        self._handle = Held()
        options = lib.Options(c.sizeof(lib.Options), not create, allow_time_jump, relaxed,
                              milliseconds("lock_wait", lock_wait))
        if ledger is None:
            call("muster_open_memory", c.byref(options), c.byref(self._handle.raw))
        else:
            call("muster_open", os.fsencode(ledger), c.byref(options), c.byref(self._handle.raw))

    @classmethod
    def read(cls, ledger: Path) -> Engine:
        """An engine in memory with the state that `ledger` has now, also beside its writer.

        For questions and pictures: what is done to it is kept nowhere.
        """
        made = cls.__new__(cls)
        made._handle = Held()
        call("muster_read_ledger", os.fsencode(ledger), c.byref(made._handle.raw))
        return made

    def copy(self) -> Engine:
        """An engine in memory with this state and these policies, to try things on."""
        made = Engine.__new__(Engine)
        made._handle = Held()
        call("muster_copy", self._handle, c.byref(made._handle.raw))
        return made

    def __reduce__(self) -> NoReturn:
        self._handle.__reduce__()

    def close(self) -> None:
        """Lets go of the ledger. Closing twice does nothing; other calls are refused then.

        Calls of other threads end before; those that wait for decisions do so at once. Where a
        signal interrupts that, such as Ctrl-C, the engine stays open: close it again.
        """
        self._handle.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    # ---- objects and commands ----

    def apply(self, manifests: str, now: Time = None, *, name: str = "manifest",
              missing: Missing = Missing.REFUSE) -> list[str]:
        """Applies manifests (YAML or JSON, several documents).

        Returns "created", "changed" or "unchanged" for each object. InvalidArgument has every
        mistake with its place; `name` stands for the text there.
        """
        data = manifests.encode()
        answer = answer_of("muster_apply", self._handle, data, len(data), name.encode(),
                         missing, time_of(now))
        return list(answer["objects"])

    def validate(self, manifests: str, *, name: str = "manifest",
                 missing: Missing = Missing.REFUSE) -> None:
        """Raises what `apply` would; changes nothing."""
        data = manifests.encode()
        call("muster_validate", self._handle, data, len(data), name.encode(), missing)

    def check_owner(self, queue: str, manifests: str, *, name: str = "manifest") -> None:
        """Raises what keeps the owner of a queue from applying these manifests.

        `queue` is a ClusterQueue, or "namespace/name" of a LocalQueue. An owner binds policies that
        order and hold the jobs of that queue alone. Ask this before `apply`; it changes nothing.
        """
        data = manifests.encode()
        call("muster_check_owner", self._handle, queue.encode(), data, len(data), name.encode())

    def start_patch(self, workload: str, manifests: str, *,
                    name: str = "manifest") -> list[dict[str, Any]]:
        """What admission gave, written into the object of the workload.

        `manifests` is what it was submitted from. Returns {"patch", "object"} for each object: a
        JSON merge patch and the whole; one, or the pods of a group.
        """
        data = manifests.encode()
        answer = answer_of("muster_start_patch", self._handle, *split(workload), data, len(data),
                         name.encode())
        return list(answer["objects"])

    def observe(self, manifests: str, now: Time = None, *,
                name: str = "manifest") -> list[dict[str, str]]:
        """What the status of job objects says of their workloads, told to the engine.

        `manifests` holds the objects with the status that their own controllers wrote. Returns
        {"kind", "name", "result"} for each workload: finished, failed, evicted, reclaimed, ready,
        not ready, waits (of a pod group that has lost a pod), cannot start (it contradicts its
        admission, and ends) or unchanged. Where one object has no workload, nothing is told.
        """
        data = manifests.encode()
        answer = answer_of("muster_observe", self._handle, data, len(data), name.encode(),
                         time_of(now))
        return list(answer["objects"])

    def do(self, command: Command, now: Time = None) -> dict[str, Any]:
        """Carries out one command of docs/wire.md and returns its answer. Several: `do_all`."""
        if not isinstance(command, dict):
            raise TypeError(f"a command is a dict, not {type(command).__name__}; "
                            "do_all takes a list of them")
        data = json.dumps(command).encode()
        answer = answer_of("muster_do", self._handle, data, len(data), time_of(now))
        return dict(answer)

    def do_all(self, commands: Sequence[Command], now: Time = None) -> list[dict[str, Any]]:
        """Carries out commands in order, each all or nothing.

        Where one is refused, those before it have happened: `answers` of the exception has theirs.
        """
        data = json.dumps(list(commands)).encode()
        out = c.c_void_p()
        try:
            call("muster_do", self._handle, data, len(data), time_of(now), c.byref(out))
        except MusterError as error:
            error.answers = json.loads(text_of(out)) if out else []
            raise
        return list(json.loads(text_of(out)))

    def what_if(self, commands: Sequence[Command], now: Time = None) -> dict[str, Any]:
        """What these commands, in order, would change for the jobs; the engine stays as it is.

        Where one is refused the whole is an error.
        """
        data = json.dumps(list(commands)).encode()
        return dict(answer_of("muster_what_if", self._handle, data, len(data), time_of(now)))

    def eta(self, workloads: Optional[Iterable[str]] = None, now: Time = None, *,
            futures: int = 39, questions: int = 40, arrivals: bool = True) -> dict[str, Any]:
        """When these workloads, "namespace/name", will start; without them, all that wait.

        What `muster eta -o json` prints: waits in seconds. Of a ledger alone: an engine in memory
        has no past to learn from, and raises FailedPrecondition.
        """
        asked: dict[str, Any] = {"futures": futures, "questions": questions, "arrivals": arrivals}
        if workloads is not None:
            asked["workloads"] = list(workloads)
        data = json.dumps(asked).encode()
        return dict(answer_of("muster_eta", self._handle, data, len(data), time_of(now)))

    def set_caller(self, caller: str) -> None:
        """The ledger keeps this name beside each command from now on; "": none.

        An engine in memory keeps no commands, and raises FailedPrecondition.
        """
        call("muster_set_caller", self._handle, caller.encode())

    def submit(self, jobs: Iterable[Job], now: Time = None) -> int:
        """Queues jobs and returns how many were not there yet. Saying it twice changes nothing."""
        listed = list(jobs)
        batch = Batch(lib.Job, len(listed))
        if listed:
            names, shapes, queues, priorities, counts, uids, created = zip(*listed)
            batch.put_names(names)
            batch.put("shape", [shape._handle.value for shape in shapes])
            batch.put_texts("queue", queues)
            batch.put_texts("uid", uids)
            if any(counts):
                _within("a count of pods", 0, names, counts)
                batch.put("count", counts)
            if any(priority is not None for priority in priorities):
                given = [priority or 0 for priority in priorities]
                _within("a priority", -_INT32, names, given)
                batch.put("has_priority", [priority is not None for priority in priorities])
                batch.put("priority", given)
            if any(time is not None for time in created):
                batch.put("created", [nanoseconds(time, 0) for time in created])
        new = c.c_size_t()
        call("muster_submit", self._handle, batch.structs, batch.count, time_of(now), c.byref(new))
        return new.value

    # Reports are about jobs by name. One that may come late also says by its uid which job it is
    # about, as a Decision has it.

    def finish(self, workloads: Iterable[str], now: Time = None, *, failed: bool = False,
               uids: Optional[Iterable[str]] = None) -> None:
        """They ended. One that has ended already is left alone.

        uids: one for each of the workloads. FailedPrecondition where another job has the name.
        """
        batch = Batch.of_names(workloads, uids)
        call("muster_finish", self._handle, batch.structs, batch.count, flag("failed", failed),
             time_of(now))

    def evicted(self, workloads: Iterable[str], now: Time = None, *,
                uids: Optional[Iterable[str]] = None) -> None:
        """The pods of these, which were told to stop, are gone. uids: as of `finish`."""
        batch = Batch.of_names(workloads, uids)
        call("muster_evicted", self._handle, batch.structs, batch.count, time_of(now))

    def cancel(self, workloads: Iterable[str], now: Time = None, *,
               uids: Optional[Iterable[str]] = None) -> None:
        """They were withdrawn, and are forgotten. uids: as of `finish`."""
        batch = Batch.of_names(workloads, uids)
        call("muster_cancel", self._handle, batch.structs, batch.count, time_of(now))

    def ready(self, workloads: Iterable[str], now: Time = None, *, ready: bool = True,
              uids: Optional[Iterable[str]] = None) -> None:
        """Their pods are all ready or, with ready=False, no longer. uids: as of `finish`."""
        batch = Batch.of_names(workloads, uids)
        call("muster_ready", self._handle, batch.structs, batch.count, flag("ready", ready),
             time_of(now))

    def evict(self, workload: str, reason: str, now: Time = None, *,
              uid: Optional[str] = None) -> None:
        """Orders an eviction; `reason` is one word, such as "Maintenance". uid: as of `finish`."""
        call("muster_evict_job", self._handle, named(workload, uid), reason.encode(),
             time_of(now))

    def check(self, workload: str, check: str, state: CheckState, message: str = "",
              now: Time = None, *, uid: Optional[str] = None) -> Phase:
        """An admission check answers. Returns what the workload is now. uid: as of `finish`."""
        phase = c.c_int32()
        call("muster_check_job", self._handle, named(workload, uid), check.encode(), state,
             message.encode(), time_of(now), c.byref(phase))
        return Phase(phase.value)

    # ---- time and decisions ----

    def cycle(self, now: Time = None) -> Cycle:
        """Runs one cycle."""
        cycle = lib.Cycle(c.sizeof(lib.Cycle))
        call("muster_run_cycle", self._handle, time_of(now), c.byref(cycle), None)
        return Cycle(cycle.number, cycle.at, bool(cycle.at_rest), cycle.admitted, cycle.preempted,
                     cycle.evicted, cycle.policy_failures, cycle.rolled_back)

    def cycles(self, now: Time = None) -> list[Cycle]:
        """Runs cycles until none decides anything more at this time."""
        ran = [self.cycle(now)]
        while not ran[-1].at_rest:
            ran.append(self.cycle(now))
        return ran

    def advance(self, now: Time = None) -> None:
        """Does what is due without deciding."""
        call("muster_advance", self._handle, time_of(now))

    def next_deadline(self) -> Optional[int]:
        """When the next time limit or backoff ends, in nanoseconds since 1970; None: none runs."""
        at = c.c_int64()
        call("muster_next_deadline", self._handle, c.byref(at))
        return None if at.value == SYSTEM_CLOCK else at.value

    def register(self, consumer: str, *, after: Optional[int] = None, now: Time = None) -> Cursor:
        """Decisions are kept for `consumer` from now on. One that is known stays where it is."""
        cursor = lib.Cursor(c.sizeof(lib.Cursor))
        call("muster_register_consumer", self._handle, consumer.encode(),
             -1 if after is None else whole("after", after), time_of(now), c.byref(cursor))
        return Cursor(cursor.acknowledged, cursor.last)

    def acknowledge(self, consumer: str, upto: int, now: Time = None) -> Cursor:
        """`consumer` has acted on all decisions up to number `upto`. A cursor never goes back."""
        cursor = lib.Cursor(c.sizeof(lib.Cursor))
        call("muster_acknowledge", self._handle, consumer.encode(), whole("upto", upto),
             time_of(now), c.byref(cursor))
        return Cursor(cursor.acknowledged, cursor.last)

    def remove(self, consumer: str, now: Time = None) -> None:
        """No decision is kept for `consumer` any more."""
        call("muster_remove_consumer", self._handle, consumer.encode(), time_of(now))

    def decisions(self, consumer: Optional[str] = None, *, after: Optional[int] = None,
                  limit: int = 1000, wait: Optional[float] = 0.0) -> list[Decision]:
        """Decisions behind the cursor of `consumer`, or behind number `after`.

        Where there is none yet, waits up to `wait` seconds for one (None or infinity: without end;
        0 or less: not at all).
        """
        if (consumer is None) == (after is None):
            raise ValueError("name one of consumer and after")
        most = whole("limit", limit)
        waits = -1 if wait is None else milliseconds("wait", wait)
        if most == 0:
            waits = 0
        if waits == 0 or threading.current_thread() is not threading.main_thread():
            return self._decisions(consumer, after, most, waits)
        woken, until = self._handle.woken, time.monotonic() + waits / 1000
        while True:
            left = _SLICE if waits < 0 else max(0, round((until - time.monotonic()) * 1000))
            told = self._decisions(consumer, after, most, min(left, _SLICE))
            if told or left == 0 or self._handle.woken is not woken or not self._handle:
                return told

    def _decisions(self, consumer: Optional[str], after: Optional[int], most: int,
                   wait: int) -> list[Decision]:
        """`decisions`, with the wait in milliseconds; one below 0 is without end."""
        out = c.c_void_p()
        if consumer is not None:
            call("muster_decisions_of", self._handle, consumer.encode(), most, wait,
                 c.byref(out))
        else:
            call("muster_decisions_after", self._handle, whole("after", after or 0), most, wait,
                 c.byref(out))
        try:
            data = LIBRARY.muster_decisions_data(out)
            return [_decision(data[i], out, i)
                    for i in range(LIBRARY.muster_decisions_count(out))]
        finally:
            LIBRARY.muster_decisions_free(out)

    def hand_over(self, consumer: str, *, limit: int = 1000) -> Iterator[Decision]:
        """What `consumer` has still to act on, until there is no more.

        A decision is acknowledged when the next one is asked for: act on it inside the loop. What
        is left by `break` or an exception comes again.
        """
        while True:
            told = self.decisions(consumer, limit=limit)
            if not told:
                return
            for decision in told:
                yield decision
                self.acknowledge(consumer, decision.number)

    async def listen(self, consumer: str, *, limit: int = 1000,
                     poll: float = 1.0) -> AsyncIterator[Decision]:
        """`hand_over` without an end: waits for decisions in a thread, `poll` seconds at a time.

        Each listener has a thread of its own, so that the loop's own, which are few, stay free. A
        task that is cancelled leaves within that time; what it had not finished comes again.
        """
        loop = asyncio.get_running_loop()
        thread = ThreadPoolExecutor(1, "muster-listen")
        try:
            while True:
                for decision in await loop.run_in_executor(
                        thread, partial(self.decisions, consumer, limit=limit, wait=poll)):
                    yield decision
                    await loop.run_in_executor(thread, self.acknowledge, consumer,
                                               decision.number)
        finally:
            thread.shutdown(wait=False)

    def pipeline(self, in_flight: int = 8) -> Pipeline:
        """Has calls run ahead of the disk inside a block; at most `in_flight` of them.

            with engine.pipeline() as pipeline:
                engine.submit(jobs)
                pipeline.wait()  # on disk: answer

        FailedPrecondition for an engine in memory, ValueError for less than one call.
        """
        _within("the number of calls ahead", 1, ["in_flight"], [in_flight])
        return Pipeline(self._handle, in_flight)

    def wake(self) -> None:
        """Ends all waiting for decisions now, as if its time were over.

        The handler of a signal may call it too.
        """
        self._handle.wake()

    # ---- reading ----

    def get(self, kind: str, name: Optional[str] = None, *, namespace: Optional[str] = None,
            states: Iterable[str] = (), sort: Optional[str] = None) -> Any:
        """What `muster get KIND -o json` prints: a list of objects, or the one called `name`."""
        told = answer_of("muster_get", self._handle, kind.encode(), optional(namespace),
                       optional(name), ",".join(states).encode(), optional(sort))
        return told["items"] if name is None else told

    def explain(self, workload: str) -> dict[str, Any]:
        """Why the workload waits, as `muster explain -o json` has it."""
        return dict(answer_of("muster_explain", self._handle, *split(workload)))

    def phase(self, workload: str) -> Phase:
        """Where the workload is on its way."""
        phase = c.c_int32()
        call("muster_phase", self._handle, *split(workload), c.byref(phase))
        return Phase(phase.value)

    def state_hash(self) -> str:
        """32 hexadecimal digits over all that decides what the engine does next."""
        out = c.c_void_p()
        call("muster_state_hash", self._handle, c.byref(out))
        return text_of(out)

    def check_invariants(self) -> None:
        """Looks at every invariant; raises Internal where one is broken."""
        call("muster_check_invariants", self._handle)


def _decision(raw: lib.Decision, told: c.c_void_p, index: int) -> Decision:
    """A copy of decision `index` of those that the library owns."""
    by = f"{text(raw.by_ns)}/{text(raw.by_name)}" if raw.by_name else None
    return Decision(raw.number, Kind(raw.kind), raw.at, raw.cycle,
                    f"{text(raw.ns)}/{text(raw.name)}", text(raw.uid), text(raw.reason), by,
                    bool(raw.stop), text(raw.cluster_queue) or None,
                    tuple(_pod_set(raw.pod_sets[i], _topology(told, index, i))
                          for i in range(raw.pod_set_count)))


def _topology(told: c.c_void_p, index: int, pod_set: int) -> Optional[Topology]:
    raw = LIBRARY.muster_decisions_topology(told, index, pod_set)
    if not raw:
        return None
    levels, topology = range(raw.contents.level_count), raw.contents
    domains = [topology.domains[i] for i in range(topology.domain_count)]
    return Topology(tuple(text(topology.levels[i]) for i in levels),
                    tuple(Domain(tuple(text(each.values[i]) for i in levels), each.count)
                          for each in domains))


def _pod_set(raw: lib.PodSet, topology: Optional[Topology]) -> PodSet:
    flavors = [raw.flavors[i] for i in range(raw.flavor_count)]
    return PodSet(text(raw.name), raw.count,
                  {text(each.resource): text(each.flavor) for each in flavors},
                  {text(each.resource): each.amount for each in flavors}, topology)
