"""What a call raises when the library refuses it: a class for each code, and every mistake."""

from __future__ import annotations

import ctypes as c
import os
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Optional

from ._library import LIBRARY, SIGNATURES
from .model import without_nul


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


class MusterWarning(UserWarning):
    """What was done, and may not be what was meant; told by the module warnings."""


def warn(told: Sequence[dict[str, Any]], level: int) -> None:
    """Warns the program `level` calls above of what an answer tells."""
    for each in told:
        warnings.warn(f"{each['what']}; {each['cure']}", MusterWarning, level + 1)


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
    """A handle that several threads use. It is freed once no call is under way with it, or when no
    object has it any more: the engine or a pipeline of it.

    Handlers of signals run between any two steps of the main thread. They may call or raise, so no
    lock is taken here, and each change is one call of a dict: it happens whole or not at all.
    """

    def __init__(self) -> None:
        self.raw = c.c_void_p()
        self._process = os.getpid()
        self._calls: dict[object, int] = {}  #: threads, by call
        self._closer: dict[str, object] = {}  #: "": the close that is under way or done
        self.woken = object()  #: another one after each `wake`

    def __bool__(self) -> bool:
        return bool(self.raw)

    def __del__(self) -> None:
        if self.raw:
            LIBRARY.muster_close(self.raw, None)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine is not copied or pickled with the object that has it; "
                        "engine.copy() makes another one")

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """function(handle, *arguments); the handle lives meanwhile, or is NULL once closed."""
        this, thread = object(), threading.get_ident()
        begin, end = self._calls.__setitem__, self._calls.pop
        try:
            begin(this, thread)  # before the handle is read: `close` empties it before it looks
            return function(self.raw, *arguments)
        finally:
            end(this, None)

    def wake(self) -> None:
        """Ends all waiting for decisions."""
        self.woken = object()
        self.run(LIBRARY.muster_wake)

    def close(self) -> None:
        """Frees the handle once no call uses it any more; calls that come later have none.

        Where a signal's handler raises while this waits, the handle stays open.
        """
        if os.getpid() != self._process:  # calls of other threads at fork() never end here
            self._calls.clear()
        if threading.get_ident() in self._calls.values():
            raise FailedPrecondition("the engine is in a call of this thread, which must not "
                                     "close it", ())
        this, error, none, freed = object(), c.c_void_p(), c.c_void_p(), False
        raw, out, free = none, c.byref(error), LIBRARY.muster_close
        try:
            if self._closer.setdefault("", this) is not this:
                return
            raw = self.raw
            self.raw = none
            while self._calls:
                if raw:  # again: a call may only now begin to wait for decisions
                    LIBRARY.muster_wake(raw)
                time.sleep(0.002)
            freed = True
            code = free(raw, out)
        except BaseException:
            if raw and not freed:
                self.raw = raw
            if not freed and self._closer.get("") is this:
                self._closer.clear()
            raise
        if code != 0:
            raise _taken(code, error)


def _of_an_open_one(handle: c.c_void_p, function: Callable[..., Any], *arguments: Any) -> Any:
    if not handle:
        raise InvalidArgument("the engine is closed; open another one")
    return function(handle, *arguments)


def _check_texts(name: str, arguments: Sequence[Any]) -> None:
    """Raises ValueError for a text with a character NUL, which would end there."""
    types = SIGNATURES[name][1]
    for i, argument in enumerate(arguments):
        if isinstance(argument, bytes):
            told = types[i + 1] is c.c_size_t and arguments[i + 1] == len(argument)
            if not told:
                without_nul(argument)


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a code, and raises what it tells."""
    error = c.c_void_p()
    function = getattr(LIBRARY, name)
    _check_texts(name, arguments)
    if arguments and isinstance(arguments[0], Held):
        code = arguments[0].run(_of_an_open_one, function, *arguments[1:], c.byref(error))
    else:
        code = function(*arguments, c.byref(error))
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
