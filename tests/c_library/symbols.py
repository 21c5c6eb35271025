"""Compares what libmuster.so shows with what muster.h declares and libmuster.map lists.

  symbols.py LIBRARY
"""

import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(TOP, "bindings", "c")


def read(*path):
    with open(os.path.join(FOLDER, *path), encoding="utf-8") as file:
        return file.read()


def main():
    header = re.sub(r"/\*.*?\*/", "", read("include", "muster.h"), flags=re.DOTALL)
    declared = set(re.findall(r"\b(muster_\w+)\s*\(", header))
    listed = set(re.findall(r"^    (muster_\w+);$", read("libmuster.map"), re.MULTILINE))
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", sys.argv[1]], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    shown = {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] != "A"}
    wrong = [f"{name} is declared, and libmuster.map does not list it"
             for name in sorted(declared - listed)]
    wrong += [f"{name} is listed in libmuster.map, and muster.h does not declare it"
              for name in sorted(listed - declared)]
    wrong += [f"{name} is declared, and the library does not show it"
              for name in sorted(declared - shown)]
    wrong += [f"the library shows {name}; hide it" for name in sorted(shown - declared)]
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
