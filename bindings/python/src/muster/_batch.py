"""Batch: an array of structs for one call, filled column by column.

A million jobs are filled here. Each step is one call over the whole column, as a loop over structs
of ctypes takes three times as long as the engine.
"""

from __future__ import annotations

import ctypes as c
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, repeat
from typing import Any, Optional, Union

from . import _library as lib
from ._calls import optional
from .model import split, whole, without_nul

# What array and memoryview call the integers that fields of structs are; pointers among them.
_CODES = {each: code for code, each in
          (("i", c.c_int32), ("I", c.c_uint32), ("q", c.c_int64))}
_POINTER = "Q"  # of 64 bits; _library refuses others


class Batch:
    """Structs of one type, with their sizes set and all else 0. Owns the texts they point to."""

    def __init__(self, struct: Union[type[lib.Job], type[lib.Name]], count: int) -> None:
        self.count = count
        self.structs = (struct * count)()
        self._struct = struct
        self._types: dict[str, Any] = {field[0]: field[1] for field in struct._fields_}
        self._kept: list[object] = []
        if count > 0:
            self.put("size", [c.sizeof(struct)] * count)

    @classmethod
    def of_names(cls, workloads: Iterable[str], uids: Optional[Iterable[str]] = None,
                 runs: Optional[Iterable[int]] = None) -> Batch:
        """muster_name of each. Raises ValueError for what is no name, or another number of uids or
        runs."""
        listed = list(workloads)
        batch = cls(lib.Name, len(listed))
        batch.put_names(listed)
        if uids is not None:
            given = [uids] if isinstance(uids, str) else list(uids)
            _one_each("uid", len(given), len(listed))
            batch.put_texts("uid", given)
        if runs is not None:
            numbers = [whole("a run", each) for each in runs]
            _one_each("run", len(numbers), len(listed))
            if numbers:
                batch.put("run", numbers)
        return batch

    def put(self, field: str, values: Iterable[int]) -> None:
        """A value of the field for each struct."""
        code = _CODES.get(self._types[field], _POINTER)
        column = memoryview(self.structs).cast("B").cast(code)
        first = getattr(self._struct, field).offset // column.itemsize
        column[first::c.sizeof(self._struct) // column.itemsize] = array(code, values)

    def put_names(self, names: Sequence[str]) -> None:
        """Fields ns and name of each "namespace/name"."""
        if not names:
            return
        whole = "\0".join(names)
        # One slash in each, something on both sides of it, and no NUL but those between them.
        if (set(map(str.count, names, repeat("/"))) != {1} or whole.count("\0") != len(names) - 1
                or "\0/" in f"\0{whole}" or "/\0" in f"{whole}\0"):
            for name in names:
                split(name)
            raise ValueError("a name of a workload has more than one '/'; "
                             "write 'namespace/name'")
        addresses = self._addresses(whole.replace("/", "\0").encode())
        self.put("ns", addresses[0::2])
        self.put("name", addresses[1::2])

    def put_texts(self, field: str, values: Sequence[Optional[str]]) -> None:
        """A text of each struct; None: NULL."""
        distinct = [each for each in dict.fromkeys(values) if each is not None]
        if not distinct:
            return
        whole = "\0".join(distinct)
        if whole.count("\0") != len(distinct) - 1:
            raise ValueError(f"a {field} has a character NUL, which ends a text; leave it out")
        found: dict[Optional[str], int] = dict(
            zip(distinct, self._addresses(whole.encode())))
        found[None] = 0
        self.put(field, map(found.__getitem__, values))

    def _addresses(self, whole: bytes) -> list[int]:
        """Keeps texts with NUL bytes between them; returns where each begins."""
        kept = c.create_string_buffer(whole)
        self._kept.append(kept)
        lengths = map(len, whole.split(b"\0"))
        begins = accumulate(lengths, lambda at, length: at + length + 1,
                            initial=c.addressof(kept))
        return list(begins)[:-1]


def _one_each(what: str, given: int, workloads: int) -> None:
    if given != workloads:
        raise ValueError(f"{what}s are {given} and workloads are {workloads}; "
                         f"give a {what} for each")


def named(workload: str, uid: Optional[str], run: Optional[int]) -> lib.Name:
    """A workload that a call is about alone."""
    namespace, name = split(workload)
    return lib.Name(c.sizeof(lib.Name), 0, namespace, name, without_nul(optional(uid)),
                    whole("a run", run or 0))
