#!/usr/bin/env python3
"""Two builds of the program print the same bytes for the recorded cases.

    same_bytes.py MUSTER OTHER_MUSTER [--cases FOLDER...] [--stride N]

Every N-th case of each family is played by both and everything they print is compared, messages
too. Exit code 1 names the cases that differ; without cases nothing is compared, and it says so.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("MUSTER_SHARED", TOP.parent / "shared"))


def choose(folders: list[pathlib.Path], stride: int) -> list[pathlib.Path]:
    families = collections.defaultdict(list)
    for folder in folders:
        for case in sorted(folder.glob("*.yaml")):
            families[folder.name, case.stem.rsplit("-", 1)[0]].append(case)
    return [case for cases in families.values() for case in cases[::stride]]


def decide(muster: str, case: pathlib.Path) -> tuple[int, bytes]:
    done = subprocess.run([muster, "schedule", "-f", str(case), "-o", "json"],
                          capture_output=True, check=False)
    if not done.stdout:
        sys.exit(f"{muster} printed nothing for {case.name}: {done.stderr.decode()}")
    return done.returncode, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("muster", nargs=2)
    parser.add_argument("--cases", type=pathlib.Path, nargs="+",
                        default=[SHARED / "conformance" / name for name in ("cases", "more")])
    parser.add_argument("--stride", type=int, default=8)
    options = parser.parse_args()
    cases = choose(options.cases, options.stride)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = [pool.map(decide, [muster] * len(cases), cases) for muster in options.muster]
        differ = [case.name for case, one, other in zip(cases, *said) if one != other]
    print(f"{len(cases)} cases by two builds, {len(differ)} differ" if cases
          else "skipped: no cases in " + ", ".join(map(str, options.cases)), *differ, sep="\n  ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
