"""The lab: what would have happened under other policies.

    from muster import lab

    said = lab.simulate(["cluster.yaml"], "jobs.csv", policies=["native", "policies/aging"])
    said["policies"][1]["change"]["earlier"]

Both return what the verb of the same name prints with `-o json`, and take its other options under
their long names: `warm_up="1d"` is `--warm-up 1d`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any, Union

from .engine import Path, _answer

Option = Union[str, int, bool, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


def _word(value: Any) -> Any:
    return value if isinstance(value, (bool, int)) else os.fspath(value)


def _ask(function: str, options: dict[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for name, value in options.items():
        first, *rest = name.split("_")
        is_list = not isinstance(value, (str, int, os.PathLike))
        said[first + "".join(word.title() for word in rest)] = \
            [_word(each) for each in value] if is_list else _word(value)
    text = json.dumps(said).encode()
    return dict(_answer(function, text, len(text)))


def simulate(cluster: Iterable[Path], jobs: Path, *, policies: Iterable[Path] = ("native",),
             **options: Option) -> dict[str, Any]:
    """Plays a log of jobs on the cluster of these manifests, once for each policy. Raises
    InvalidArgument with what is wrong in the log, the cluster, a policy or an option."""
    return _ask("muster_simulate", {"filename": list(cluster), "jobs": jobs,
                                    "policy": list(policies), **options})


def backtest(ledger: Path, *, policies: Iterable[Path] = (), **options: Option) -> dict[str, Any]:
    """Plays the past of a ledger again, which must come to its own decisions, and under each
    policy. Raises InvalidArgument; Unavailable where the ledger is damaged."""
    asked: dict[str, Any] = {"db": ledger, **options}
    if names := list(policies):
        asked["policy"] = names
    return _ask("muster_backtest", asked)
