"""What calls take and give: names, jobs, decisions, cursors, cycles."""

from __future__ import annotations

import enum
import operator
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

if TYPE_CHECKING:
    from .engine import Shape

#: Nanoseconds since 1970, an aware datetime, or None for the system's clock.
Time = Union[int, datetime, None]


_LONGEST = 1e9  #: seconds to wait, over 30 years: as good as without end


class Missing(enum.IntEnum):
    """What `apply` does about a reference to something that is not there."""

    REFUSE = 0
    ACCEPT = 1
    AS_KUEUE = 2


class Kind(enum.IntEnum):
    """What is decided; docs/hand-over.md says what a gateway does about each."""

    START = 1
    START_AGAIN = 2
    RESERVE = 3
    MAKE_ROOM = 4
    EVICT = 5
    EXPIRE = 6
    REFUSE = 7
    WITHDRAW = 8


class Phase(enum.IntEnum):
    """Where a workload is on its way."""

    PENDING = 0
    RESERVED = 1
    ADMITTED = 2
    EVICTING = 3
    INACTIVE = 4
    FINISHED = 5


class CheckState(enum.IntEnum):
    """What an admission check answers."""

    PENDING = 0
    READY = 1
    RETRY = 2
    REJECTED = 3


class Job(NamedTuple):
    """A workload to submit. What is None, or a count of 0, is as its shape has it."""

    name: str  #: "namespace/name"
    shape: Shape
    queue: Optional[str] = None  #: LocalQueue of the same namespace
    priority: Optional[int] = None
    #: pods of the first podset; it hides tuple.count, for which a job has no use
    count: int = 0  # type: ignore[assignment]
    uid: Optional[str] = None  #: None: the engine gives one
    created: Time = None  #: None: the time of the call


@dataclass(frozen=True)
class Domain:
    """Pods that go to one domain of a topology."""

    values: tuple[str, ...]  #: one for each of the levels: "block-1", "rack-7"
    count: int


@dataclass(frozen=True)
class Topology:
    """Where the pods of a podset go."""

    levels: tuple[str, ...]  #: labels of nodes, the widest first; or that of a node's name alone
    domains: tuple[Domain, ...]


@dataclass(frozen=True)
class PodSet:
    """Pods of one kind in a start or a reservation."""

    name: str
    count: int
    flavors: dict[str, str]  #: resource -> flavor
    amounts: dict[str, int]  #: resource -> milli-cores of cpu, else bytes, devices, pods; of all
    topology: Optional[Topology] = None  #: None: any node of the flavors will do


@dataclass(frozen=True)
class Decision:
    """One decision, known by its number."""

    number: int  #: from 1, without gaps; never used twice in a ledger
    kind: Kind
    at: int  #: nanoseconds since 1970
    cycle: int
    workload: str  #: "namespace/name"
    uid: str  #: tells it from an earlier one of the same name
    reason: str  #: why it leaves: "Preempted", ...; else ""
    by: Optional[str]  #: of MAKE_ROOM: the workload that takes its place
    stop: bool  #: stop its pods, and report `evicted`; after WITHDRAW there is nothing to report
    cluster_queue: Optional[str]  #: of a start or reservation
    pod_sets: tuple[PodSet, ...]  #: the same
    #: which run of the job this is about, from 1: higher after each time that it was told to leave;
    #: 0: about none, it only waited
    run: int = 0

    @property
    def starts(self) -> bool:
        """Whether its pods are to be started. Where they run already, by the uid, those move whose
        places are others now: a node failed."""
        return self.kind in (Kind.START, Kind.START_AGAIN)

    @property
    def time(self) -> datetime:
        """`at` as a datetime in UTC, cut to microseconds."""
        return datetime.fromtimestamp(self.at // 1000 / 1_000_000, timezone.utc)


@dataclass(frozen=True)
class Cursor:
    """How far a consumer is."""

    acknowledged: int  #: the number up to which it has acted; 0: none
    last: int  #: the newest number that was given


@dataclass(frozen=True)
class Cycle:
    """What one cycle came to, in numbers; decisions tell the rest."""

    number: int
    at: int
    at_rest: bool  #: no cycle decides anything before another call or a later time
    admitted: int
    preempted: int
    evicted: int
    policy_failures: int
    rolled_back: int


def nanoseconds(time: Time, otherwise: int) -> int:
    """The time as the library takes it; `otherwise` for None."""
    if time is None:
        return otherwise
    if isinstance(time, int):
        return _in_range(time)
    if not isinstance(time, datetime):
        raise TypeError("a time is nanoseconds since 1970, an aware datetime or None, "
                        f"not {time!r}")
    if time.tzinfo is None:
        raise ValueError("the time has no zone; write one such as datetime.now(timezone.utc)")
    since = time - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return _in_range(((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds)
                     * 1_000)


def _in_range(time: int) -> int:
    """ctypes would take the lower 64 bits of what is larger."""
    if not -(1 << 63) <= time < 1 << 63:
        raise ValueError(f"{time} nanoseconds are beyond the year 2262; write an earlier time")
    return time


def whole(what: str, value: int) -> int:
    """A number of 0 or more that an int64 holds: ctypes would take the lower bits of others."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {value!r}") from None
    if not 0 <= number < 1 << 63:
        raise ValueError(f"{what} is from 0 to 2**63 - 1, not {number}")
    return number


def int32(what: str, value: int) -> int:
    """A whole number that an int32 holds: ctypes would take the lower bits of others."""
    number = operator.index(value)
    if not -(1 << 31) <= number < 1 << 31:
        raise ValueError(f"{what} is from -2**31 to 2**31 - 1, not {number}")
    return number


def flag(what: str, value: bool) -> bool:
    """True or False, and nothing that would be taken for one of them."""
    if not isinstance(value, bool):
        raise TypeError(f"{what} is True or False, not {value!r}")
    return value


def milliseconds(what: str, seconds: float) -> int:
    """A time to wait, in whole milliseconds; one below 0 is over at once."""
    if not seconds == seconds:
        raise ValueError(f"{what} is a number of seconds, not {seconds!r}")
    return round(min(max(seconds, 0.0), _LONGEST) * 1000)


def without_nul(text: Optional[bytes]) -> Optional[bytes]:
    """The text as the library takes it; ValueError for a character NUL, which would end it."""
    if text is not None and b"\0" in text:
        raise ValueError(f"{text.decode('utf-8', 'replace')!r} has a character NUL, which ends a "
                         "text; leave it out")
    return text


def split(name: str) -> tuple[bytes, bytes]:
    """"namespace/name" in two."""
    namespace, _, rest = name.encode().partition(b"/")
    if not namespace or not rest or b"\0" in rest:
        raise ValueError(f"{name!r} is no name of a workload; write 'namespace/name'")
    return namespace, rest
