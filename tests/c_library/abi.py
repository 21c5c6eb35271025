"""Compares the binary interface that muster.h describes with libmuster.abi, or writes it anew.

  abi.py COMPILER          fails where a program that was built before would see another library
  abi.py COMPILER --write  writes libmuster.abi

Method: libabigail reads types from debug information, which the shipped library does not have. So
a stub is compiled from the header's own declarations, with the version script of the library; that
the library shows just these functions is what symbols.py looks at.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
STORED = os.path.join(HERE, "libmuster.abi")
INCLUDE = os.path.join(TOP, "bindings", "c", "include")
MAP = os.path.join(TOP, "bindings", "c", "libmuster.map")


def stub():
    """A C source that defines every function of the header."""
    with open(os.path.join(INCLUDE, "muster.h"), encoding="utf-8") as file:
        header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    declared = re.findall(r"^((?!typedef)[a-z][^;{}#]*\bmuster_\w+\([^;{}]*\));", header,
                          re.MULTILINE)
    return '#include "muster.h"\n' + "".join(
        f"{function} {{ __builtin_trap(); }}\n" for function in declared)


def dump(compiler, folder):
    """The interface as libabigail writes it, in a file of `folder`."""
    source, library, abi = (os.path.join(folder, name)
                            for name in ("stub.c", "libmuster.so.1", "now.abi"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(stub())
    subprocess.run([compiler, "-std=c11", "-g", f"-ffile-prefix-map={folder}=.",
                    f"-ffile-prefix-map={TOP}=.", "-shared", "-fPIC", "-I", INCLUDE, source,
                    "-Wl,-soname,libmuster.so.1", f"-Wl,--version-script={MAP}", "-o", library],
                   check=True)
    subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
                    "--type-id-style", "hash", "--out-file", abi, library], check=True)
    return abi


def main():
    with tempfile.TemporaryDirectory() as folder:
        now = dump(sys.argv[1], folder)
        if sys.argv[2:] == ["--write"]:
            shutil.copyfile(now, STORED)
            return 0
        compared = subprocess.run(["abidiff", STORED, now], capture_output=True, text=True,
                                  check=False)
    if compared.returncode == 0:
        return 0
    print(compared.stdout + compared.stderr)
    print("The binary interface is not the one of libmuster.abi. What programs use may not change; "
          "after an addition:\n  python3 tests/c_library/abi.py cc --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
