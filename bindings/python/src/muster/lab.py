"""The lab: what happened, and what would have happened under other policies.

    from muster import lab

    said = lab.simulate(["cluster.yaml"], "jobs.csv", policies=["native", "policies/aging"])
    said["policies"][1]["change"]["earlier"]

    lab.usage("cluster.ledger", since="2026-03-01", by="user")["rows"]

All return what the verb of the same name prints with `-o json`, and take its other options under
their long names: `warm_up="1d"` is `--warm-up 1d`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any, Union

from ._calls import Path, asked

Option = Union[str, int, bool, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


def _word(value: Any) -> Any:
    return value if isinstance(value, (bool, int)) else os.fspath(value)


def _options(options: dict[str, Any]) -> bytes:
    said: dict[str, Any] = {}
    for name, value in options.items():
        first, *rest = name.split("_")
        is_list = not isinstance(value, (str, int, os.PathLike))
        said[first + "".join(word.title() for word in rest)] = \
            [_word(each) for each in value] if is_list else _word(value)
    return json.dumps(said).encode()


def _ask(function: str, options: dict[str, Any]) -> dict[str, Any]:
    text = _options(options)
    return dict(json.loads(asked(function, text, len(text))))


def report(verb: str, *arguments: Path, **options: Option) -> Any:
    """What a verb prints that reads and changes no ledger: "policy list", "describe", "defrag",
    "eta calibration", "ledger query" and others; InvalidArgument for an unknown one names all.

    `arguments` are the words before the options. What a ledger holds is read from disk, also of one
    that this process has open.

        lab.report("describe", "workload", "team-a/train", db="cluster.ledger")
    """
    text = _options({**({"arguments": list(arguments)} if arguments else {}), **options})
    said = asked("muster_report", verb.encode(), text, len(text))
    if verb == "ledger export":
        return [json.loads(line) for line in said.splitlines()]
    return json.loads(said)


def usage(ledger: Path, **options: Option) -> dict[str, Any]:
    """What held how much quota for how long: "rows" of each queue, or of what `by` says ("user",
    "namespace", "label:KEY"), between `since` and `until`; whole seconds of base units."""
    return dict(report("usage", db=ledger, **options))


def history(ledger: Path, **options: Option) -> list[dict[str, Any]]:
    """Events of a ledger, oldest first: behind commit number `after`, of at most `limit` commits
    that have some, or between `since` and `until`; `what="commits"` for one of each commit."""
    return list(report("ledger export", db=ledger, **options))


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
