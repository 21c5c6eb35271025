"""Compares the calls of the tests with the functions of muster.h: random sequences have all of
them, and so has every_call.c, which memcheck looks at.
"""

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
    random = glob.glob(os.path.join(HERE, "calls_*.h")) + [os.path.join(HERE, "calls_fuzz.cc")]
    wrong = []
    for name, paths in (("calls_fuzz.cc or calls_more.h", random),
                        ("every_call.c", [os.path.join(HERE, "every_call.c")])):
        left = named(HEADER).difference(*map(named, paths))
        wrong += [f"{each} is not called; add it to {name}" for each in sorted(left)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
