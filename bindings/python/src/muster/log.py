"""What the library says while it works. Decisions are not logged."""

from __future__ import annotations

import ctypes as c
import enum
from typing import Callable, Optional

from ._library import LIBRARY, LogSink
from .errors import text


class Level(enum.IntEnum):
    """How much a message matters."""

    DEBUG = 0
    INFO = 1
    WARNING = 2
    ERROR = 3
    OFF = 4


_kept: list[object] = []  # what the library calls must not be collected


def set_log_level(least: Level) -> None:
    """Messages below `least` are dropped from now on."""
    LIBRARY.muster_set_log_level(least)


def log_to(sink: Optional[Callable[[Level, str], None]]) -> None:
    """Messages go to `sink` instead of stderr; None: to stderr again. It must not call Muster."""
    if sink is None:
        raw = c.cast(c.c_void_p(), LogSink)
    else:
        told = sink

        def taken(_: object, level: int, message: bytes, __: int) -> None:
            told(Level(level), text(message))

        raw = LogSink(taken)
    LIBRARY.muster_set_log_sink(raw, c.c_void_p())
    _kept[:] = [raw]
