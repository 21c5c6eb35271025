"""Values on their way into the library and out of it."""

from __future__ import annotations

import ctypes as c
import json
import os
from typing import Any, Optional, Union

from ._library import LIBRARY, SYSTEM_CLOCK
from .errors import call
from .model import Time, nanoseconds

Path = Union[str, "os.PathLike[str]"]


def optional(value: Optional[str]) -> Optional[bytes]:
    """The text; None stays None."""
    return None if value is None else value.encode()


def time_of(time: Time) -> int:
    """The time in nanoseconds; None is the system's clock."""
    return nanoseconds(time, SYSTEM_CLOCK)


def text_of(handle: c.c_void_p) -> str:
    """The text of bytes that were handed out; frees them."""
    try:
        return c.string_at(LIBRARY.muster_bytes_data(handle),
                           LIBRARY.muster_bytes_size(handle)).decode("utf-8", "replace")
    finally:
        LIBRARY.muster_bytes_free(handle)


def asked(name: str, *arguments: Any) -> str:
    """Calls a function whose last argument before the error hands out a text."""
    out = c.c_void_p()
    call(name, *arguments, c.byref(out))
    return text_of(out)


def answer_of(name: str, *arguments: Any) -> Any:
    """The same, of JSON."""
    return json.loads(asked(name, *arguments))
