"""What a call raises when the library refuses it: a class for each code, and every mistake."""

from __future__ import annotations

import ctypes as c
import threading
from dataclasses import dataclass
from typing import Any, Optional

from ._library import LIBRARY


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong: where ("queues.yaml:3:5", or ""), what, and what to write."""

    place: str
    what: str
    cure: str


class MusterError(Exception):
    """A refused call. Nothing has changed, but for what `answers` tells of a list of commands."""

    code = 0

    def __init__(self, message: str, mistakes: tuple[Mistake, ...] = ()) -> None:
        super().__init__(message)
        self.mistakes = mistakes
        self.answers: Optional[list[dict[str, Any]]] = None  #: of the commands before it


class InvalidArgument(MusterError):
    """The input breaks a rule."""

    code = 1


class NotFound(MusterError):
    """There is no such object."""

    code = 2


class FailedPrecondition(MusterError):
    """Legal input that this state refuses."""

    code = 3


class Unavailable(MusterError):
    """Another process holds the ledger, or the disk failed, or memory ran out."""

    code = 4


class DataLoss(MusterError):
    """Damage in stored state."""

    code = 5


class Internal(MusterError):
    """An invariant of the engine broke; it is closed."""

    code = 6


_CLASSES = {each.code: each for each in (InvalidArgument, NotFound, FailedPrecondition,
                                         Unavailable, DataLoss, Internal)}


def text(raw: Optional[bytes]) -> str:
    """UTF-8 from the library; bytes that are none show as U+FFFD."""
    return "" if raw is None else raw.decode("utf-8", "replace")


class Held:
    """A handle that several threads use. It is freed once no call is under way with it."""

    def __init__(self) -> None:
        self.raw = c.c_void_p()
        self._calls: dict[int, int] = {}  #: by thread
        self._changed = threading.Condition(threading.Lock())

    @property
    def _as_parameter_(self) -> c.c_void_p:
        return self.raw

    def __bool__(self) -> bool:
        return bool(self.raw)

    def __enter__(self) -> Held:
        thread = threading.get_ident()
        with self._changed:
            self._calls[thread] = self._calls.get(thread, 0) + 1
        return self

    def __exit__(self, *_: object) -> None:
        thread = threading.get_ident()
        with self._changed:
            self._calls[thread] -= 1
            if self._calls[thread] == 0:
                del self._calls[thread]
                self._changed.notify_all()

    def take(self) -> c.c_void_p:
        """The handle, once no call uses it any more; calls that come later have none."""
        with self._changed:
            if threading.get_ident() in self._calls:
                raise FailedPrecondition("the engine is in a call of this thread, which must not "
                                         "close it", ())
            raw, self.raw = self.raw, c.c_void_p()
            while self._calls:
                if raw:  # again: a call may only now begin to wait for decisions
                    LIBRARY.muster_wake(raw)
                self._changed.wait(0.02)
            return raw


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a code, and raises what it tells."""
    error = c.c_void_p()
    if arguments and isinstance(arguments[0], Held):
        with arguments[0]:
            code = getattr(LIBRARY, name)(*arguments, c.byref(error))
    else:
        code = getattr(LIBRARY, name)(*arguments, c.byref(error))
    if code != 0:
        raise _taken(code, error)


def _taken(code: int, error: c.c_void_p) -> MusterError:
    """The error as an exception; frees it."""
    try:
        count = LIBRARY.muster_error_count(error)
        mistakes = tuple(
            Mistake(text(LIBRARY.muster_error_place(error, i)),
                    text(LIBRARY.muster_error_what(error, i)),
                    text(LIBRARY.muster_error_cure(error, i)))
            for i in range(count))
        return _CLASSES.get(code, Internal)(text(LIBRARY.muster_error_message(error)), mistakes)
    finally:
        LIBRARY.muster_error_free(error)
