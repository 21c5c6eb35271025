#!/usr/bin/env python3
"""Runs clang-tidy over every source of Muster that a build compiles.

    clang_tidy.py BUILD

BUILD needs only be configured, for clang, without precompiled headers and without sources joined
by CMake. The checks are in .clang-tidy; any finding makes the exit code 1. Tests are left to the
compilers.

Nearly all the time goes into the headers: a source alone takes 20 s of a processor, 60 that are
read as one take 25 to 40. So up to `MOST` sources of neighbouring folders are included by one file,
which asks of their names in anonymous namespaces that they differ there.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

MOST = 64
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = re.compile(r"(engine|db|bindings|examples)/")
# Written by the build, not by us.
GENERATED = re.compile(r"/(embedded|commit)\.cc$")


def sources(build):
    """Of each of our sources its path and the words of its compiler that matter: both sorted."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    found = {}
    for entry in entries:
        path = entry["file"]
        if not OURS.match(os.path.relpath(path, TOP)) or GENERATED.search(path):
            continue
        words = shlex.split(entry["command"])
        first = next(i for i, word in enumerate(words) if word.startswith("-"))
        found.setdefault(path, words[first:words.index("-o")])
    return sorted(found.items())


def units(build):
    """Files to look at, with their options, after those that include several were written."""
    folder = os.path.join(build, "tidy")
    os.makedirs(folder, exist_ok=True)
    made = []
    for language, most in ((".c", 1), (".cc", MOST)):  # each of C has a main
        left = [each for each in sources(build) if each[0].endswith(language)]
        while left:
            several, left = left[:most], left[most:]
            options = list(dict.fromkeys(pair for _, words in several for pair in paired(words)))
            name = os.path.join(folder, f"{len(made)}{language}")
            with open(name, "w", encoding="utf-8") as file:
                file.writelines(f'#include "{path}"\n' for path, _ in several)
            made.append((name, [word for pair in options for word in pair]))
    return made


def paired(words):
    """The options, with `-isystem FOLDER` and the like kept together."""
    rest = iter(words)
    return [(word, next(rest)) if word in {"-isystem", "-include", "-Xclang"} else (word,)
            for word in rest]


def look(unit):
    name, options = unit
    done = subprocess.run(["clang-tidy", "--quiet", name, "--", *options], cwd=TOP, check=False,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.returncode, done.stdout


def main(build):
    looked_at = units(os.path.abspath(build))
    if not looked_at:
        sys.exit(f"clang-tidy: {build}/compile_commands.json knows none of the sources")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(look, looked_at))
    for code, found in answers:
        if code != 0:
            print(found)
    if any(code != 0 for code, _ in answers):
        sys.exit(1)
    print(f"clang-tidy: {len(looked_at)} units, nothing found")


if __name__ == "__main__":
    main(*sys.argv[1:])
