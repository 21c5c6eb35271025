#!/usr/bin/env python3
"""Counts the instructions of fixed inputs under callgrind and holds them to what is recorded.

    instructions.py [--record] --ceilings FILE PROGRAM

FILE has one line a benchmark: instructions, name. Only what runs inside Engine::RunCycle counts;
of `mixed`, all calls of a gateway's round. More than 3 % above the recorded figure is a failure;
less is a reason to record it anew (--record rewrites the figures). Time is never looked at:
times vary from run to run, a count does not.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ALLOWED = 1.03
COUNTED = "muster::Engine::RunCycle*"
COUNTED_OF = {"mixed": "muster::bench::Gateway::Round*"}  # by the first part of the name
SPECIAL = re.compile(r"([.^$*+?()\[\]{}|\\])")  # of the benchmark library's expressions


def count(program, name):
    """Instructions of what counts in the benchmark, over all its iterations."""
    counted = COUNTED_OF.get(name.split("/")[0], COUNTED)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--toggle-collect={counted}",
             f"--callgrind-out-file={os.path.join(folder, 'out')}", program,
             "--benchmark_filter=^" + SPECIAL.sub(r"\\\1", name) + "/"],
            capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found or found.group(1) == "0":
        sys.exit(f"instructions.py: {name} did not run:\n{done.stderr[-2000:]}")
    return int(found.group(1))


def read(path):
    """[(recorded, name)] and the lines of comment in front of them."""
    entries, comments = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                comments.append(line)
            elif line.strip():
                number, name = line.split(maxsplit=1)
                entries.append((int(number), name.strip()))
    return entries, comments


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--ceilings", required=True)
    parser.add_argument("program", metavar="PROGRAM")
    options = parser.parse_args()
    entries, comments = read(options.ceilings)
    measured, too_many = [], []
    for recorded, name in entries:
        now = count(os.path.abspath(options.program), name)
        measured.append((now, name))
        print(f"{now:>12}  {now / recorded - 1:+7.2%}  {name}")
        if now > recorded * ALLOWED:
            too_many.append(name)
    if options.record:
        with open(options.ceilings, "w", encoding="utf-8") as file:
            file.writelines(comments)
            file.writelines(f"{number:>12} {name}\n" for number, name in measured)
    elif too_many:
        sys.exit("instructions.py: more than recorded: " + "; ".join(too_many))


if __name__ == "__main__":
    main()
