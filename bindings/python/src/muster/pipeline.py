"""Pipeline: calls of an engine ahead of the disk."""

from __future__ import annotations

import ctypes as c
from types import TracebackType
from typing import Optional

from .errors import Held, call
from .model import whole

__all__ = ["Pipeline"]


class Pipeline:
    """Ends with its block, when all that was called is on disk. `Engine.pipeline` makes it.

    submit, finish, evicted, cancel, ready, evict, advance, acknowledge, cycle and cycles return
    before what they did is on disk; one write of the disk stores several. All other calls wait for
    those before, and decisions are handed out when they are on disk. When the disk fails, so does
    every call from then on: open the ledger again, and go on from what was stored.
    """

    def __init__(self, handle: Held, in_flight: int) -> None:
        self._handle = handle
        self._in_flight = in_flight

    def __enter__(self) -> Pipeline:
        call("muster_pipeline_start", self._handle, self._in_flight)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        call("muster_pipeline_stop", self._handle)

    def ticket(self) -> int:
        """Stands behind every call of the engine that has returned."""
        ticket = c.c_int64()
        call("muster_pipeline_ticket", self._handle, c.byref(ticket))
        return ticket.value

    def wait(self, ticket: Optional[int] = None) -> None:
        """Waits until all before `ticket` is on disk (None: all); other threads call meanwhile."""
        call("muster_pipeline_wait", self._handle,
             self.ticket() if ticket is None else whole("ticket", ticket))

    def stored(self, ticket: int) -> bool:
        """Whether `wait` would return at once."""
        stored = c.c_int32()
        call("muster_pipeline_stored", self._handle, whole("ticket", ticket),
             c.byref(stored))
        return bool(stored.value)
