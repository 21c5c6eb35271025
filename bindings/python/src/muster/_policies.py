"""What Engine knows of policies: packages that decide, or would."""

from __future__ import annotations

import json
import os
from typing import Any, Optional

from ._calls import Path, answer_of, time_of
from .errors import Held, call
from .model import Time


class Policies:
    """The part of Engine that is about policies."""

    _handle: Held

    def activate_policy(self, folder: Path, params: Optional[dict[str, str]] = None, *,
                        by: str = "", why: str = "", now: Time = None) -> dict[str, Any]:
        """Makes the package in `folder` the active generation."""
        return dict(answer_of("muster_policy_activate", self._handle, os.fsencode(folder),
                            None if params is None else json.dumps(params).encode(), by.encode(),
                            why.encode(), time_of(now)))

    def stage_policy(self, folder: Path, params: Optional[dict[str, str]] = None, *,
                     by: str = "", why: str = "", now: Time = None) -> dict[str, Any]:
        """Checks the package, runs its tests, and tries its hooks on what the engine holds now.

        Nothing decides otherwise, and other threads may call meanwhile. Raises what is wrong.
        Returns name, hash, description, hooks, and doubt: why its tests show nothing, or "".
        """
        return dict(answer_of("muster_policy_stage", self._handle, os.fsencode(folder),
                            None if params is None else json.dumps(params).encode(), by.encode(),
                            why.encode(), time_of(now)))

    def activate_staged(self, hash: str, *, by: str = "", why: str = "",
                        now: Time = None) -> dict[str, Any]:
        """Makes what was staged the active generation, as it was tried.

        `hash` is that of `stage_policy`; FailedPrecondition where another is staged, or none.
        """
        return dict(answer_of("muster_policy_activate_staged", self._handle, hash.encode(),
                            by.encode(), why.encode(), time_of(now)))

    def roll_back_policy(self, *, by: str = "", why: str = "", now: Time = None) -> None:
        """Undoes the newest activation; in memory, the newest of this Engine."""
        call("muster_policy_roll_back", self._handle, by.encode(), why.encode(), time_of(now))

    def shadow_policy(self, folder: Optional[Path],
                      params: Optional[dict[str, str]] = None) -> None:
        """From now on cycles compare what the package would decide; None ends that."""
        call("muster_policy_shadow", self._handle,
             None if folder is None else os.fsencode(folder),
             None if params is None else json.dumps(params).encode())

    def shadow_report(self) -> dict[str, Any]:
        """What the comparison has found."""
        return dict(answer_of("muster_policy_shadow_report", self._handle))


def check_policy(folder: Path, params: Optional[dict[str, str]] = None) -> dict[str, Any]:
    """Reads, checks and loads the package in `folder`; raises its mistakes."""
    return dict(answer_of("muster_policy_check", os.fsencode(folder),
                        None if params is None else json.dumps(params).encode()))
