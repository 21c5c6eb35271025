"""Compares the calls that random sequences are made of with the functions of muster.h: all of them."""

import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = os.path.join(HERE, "..", "..", "bindings", "c", "include", "muster.h")


def named(path):
    """Functions of the library that a file calls or declares."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.DOTALL)
    return set(re.findall(r"\b(muster_\w+)\s*\(", text))


def main():
    called = set()
    for path in glob.glob(os.path.join(HERE, "calls_*.h")) + [os.path.join(HERE, "calls_fuzz.cc")]:
        called |= named(path)
    left = sorted(named(HEADER) - called)
    print("\n".join(f"{name} is in no random sequence; add it to calls_fuzz.cc or calls_more.h"
                    for name in left))
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
