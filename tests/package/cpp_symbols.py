"""Compares what libmuster-cpp.so shows with what the public headers of C++ declare.

  cpp_symbols.py LIBRARY VERSION ARCHIVE...

The archives are the static libraries with the same objects. What the headers declare and the
archives define is shown, nothing else is: no class behind the headers, and nothing of a library
that is linked. The SONAME and the version of the symbols are the whole version.
"""

import glob
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "c_library"))
from facade import public_calls  # pylint: disable=wrong-import-position

HEADERS = [path for folder in ("engine", "bindings/cpp")
           for path in glob.glob(os.path.join(TOP, folder, "include", "muster", "*.h"))]
# What the headers declare and public_calls does not see: members that functions in the headers
# call, and operators.
MORE = {"Text.Find", "Text.Drop", "Pipeline.MakeRoom", "Pipeline.Note", "Pipeline.Thrown",
        "Engine.operator=", "operator<<", "operator*", "operator=="}
# Embedders derive from these.
TYPES = {f"{what} for muster::{name}" for name in ("Journal", "Policy")
         for what in ("typeinfo", "typeinfo name")}


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def defined(*words):
    """Global symbols that nm prints, with their arguments."""
    found = set()
    for line in output("nm", "--demangle", "--defined-only", "--extern-only", *words).splitlines():
        parts = line.split(" ", 2)
        if len(parts) == 3 and parts[1] in "TDBRVWu":
            found.add((parts[1], parts[2]))
    return found


def name_of(symbol):
    """"Class.Function" as public_calls has it; a constructor or destructor is "Class"."""
    parts = symbol.split("(")[0].replace("[abi:cxx11]", "").split("::")[1:]
    if len(parts) == 2 and parts[0] == parts[1].strip("~"):
        return parts[0]
    return ".".join(parts)


def main():
    library, version, *archives = sys.argv[1:]
    public = set(MORE)
    for path in HEADERS:
        with open(path, encoding="utf-8") as file:
            public |= public_calls(file.read())
    wanted = {symbol for kind, symbol in defined(*archives)
              if kind in "TDBR" and symbol.startswith("muster::") and name_of(symbol) in public}
    wanted |= TYPES
    node = f"MUSTER_CPP_{version}"
    listed = {symbol for _, symbol in defined("--dynamic", "--with-symbol-versions", library)}
    shown = {re.sub(r"@@\S+$", "", symbol) for symbol in listed}
    wrong = [f"{symbol} is declared and not shown; add it to libmuster-cpp.map.in"
             for symbol in sorted(wanted - shown)]
    wrong += [f"the library shows {symbol}, which no public header declares; hide it"
              for symbol in sorted(shown - wanted)]
    wrong += [f"{symbol} has not the version {node}" for symbol in sorted(listed)
              if not symbol.endswith("@@" + node)]
    soname = re.search(r"\(SONAME\).*\[(.*)\]", output("readelf", "--dynamic", library)).group(1)
    if soname != f"libmuster-cpp.so.{version}":
        wrong.append(f"its SONAME is {soname}")
    print("\n".join(wrong[:30]))
    print(f"{len(shown)} symbols, {len(wrong)} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
