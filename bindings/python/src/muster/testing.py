"""For tests: scenarios and the tests of policy packages, as assertions."""

from __future__ import annotations

import ctypes as c
import json
import os
from pathlib import Path
from typing import Any, Union

from ._calls import text_of
from .errors import call

__all__ = ["assert_policy", "assert_scenario", "play", "run_policy_tests"]


def play(scenario: str, name: str = "scenario") -> dict[str, Any]:
    """Plays a scenario (docs/scenarios.md) on an engine of its own.

    Returns the report of `muster test -o json`, with "failed": how many expectations did not hold.
    """
    data = scenario.encode()
    out, failed = c.c_void_p(), c.c_size_t()
    call("muster_scenario", data, len(data), name.encode(), c.byref(out), c.byref(failed))
    return {"failed": failed.value, "report": json.loads(text_of(out))}


def assert_scenario(path: Union[str, os.PathLike[str]]) -> None:
    """Fails with the report where an expectation of the scenario file does not hold."""
    played = play(Path(path).read_text(encoding="utf-8"), os.fspath(path))
    assert played["failed"] == 0, json.dumps(played["report"], indent=2)


def run_policy_tests(folder: Union[str, os.PathLike[str]]) -> dict[str, Any]:
    """Runs the tests of a policy package; "failed": how many."""
    out, failed = c.c_void_p(), c.c_size_t()
    call("muster_policy_test", os.fsencode(folder), c.byref(out), c.byref(failed))
    return {"failed": failed.value, "report": json.loads(text_of(out))}


def assert_policy(folder: Union[str, os.PathLike[str]]) -> None:
    """Fails with the report where a test of the package does."""
    ran = run_policy_tests(folder)
    assert ran["failed"] == 0, json.dumps(ran["report"], indent=2)
