#!/usr/bin/env python3
"""mixed_manifests.py [COUNT]: prints COUNT manifests of every job kind as one file.

Those of examples/kinds in turn, each time under other names, so that no two are the same object.
What they refer to (queue, flavor, class, runtime, kinds of a team's own) comes first, once. What
`muster validate` and `muster apply` take for it is in docs/performance.md.
"""
import pathlib
import re
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "kinds"
ONCE = ("ResourceFlavor", "ClusterQueue", "LocalQueue", "WorkloadPriorityClass", "JobKind",
        "ClusterTrainingRuntime")
NAME = re.compile(r"^(metadata:(?: \{|\n  )name: )([a-z0-9-]+)", re.MULTILINE)
GROUP = re.compile(r"(pod-group-name: )([a-z0-9-]+)")
SELECTED = re.compile(r"(app: )([a-z0-9-]+)")


def examples():
    """What is needed once, and what is repeated, as texts."""
    once, repeated = [], []
    for path in sorted(EXAMPLES.glob("*.yaml")):
        for text in path.read_text(encoding="utf-8").split("\n---\n"):
            kind = re.search(r"^kind: (\w+)", text, re.MULTILINE).group(1)
            (once if kind in ONCE else repeated).append(text.rstrip("\n") + "\n")
    return once, repeated


def renamed(text, turn):
    for pattern in (NAME, GROUP, SELECTED):
        text = pattern.sub(rf"\g<1>\g<2>-{turn}", text)
    return text


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    once, repeated = examples()
    jobs = (renamed(repeated[i % len(repeated)], i // len(repeated)) for i in range(count))
    sys.stdout.write("---\n".join([*once, *jobs]))


if __name__ == "__main__":
    main()
