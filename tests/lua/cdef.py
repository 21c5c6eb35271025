"""Compares bindings/lua/muster/cdef.lua with the core of muster.h, or writes it anew.

  cdef.py          fails where the declarations are not those of the header
  cdef.py --write  writes them

Method: LuaJIT's FFI reads the core as it is; only comments are left out.
"""

import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = [os.path.join(TOP, "bindings", "c", "include", name)
           for name in ("muster_types.h", "muster.h")]
CDEF = os.path.join(TOP, "bindings", "lua", "muster", "cdef.lua")
OPENING = """\
-- What muster.h declares, for LuaJIT's FFI. Made of it by tests/lua/cdef.py --write.
return [[
"""


def declarations(header):
    """The core of a header without comments and blank lines."""
    core = re.search(r"core begins \*/\n(.*)/\* muster\.h: core ends", header, re.DOTALL).group(1)
    core = re.sub(r"/\*.*?\*/", "", core, flags=re.DOTALL)
    return "".join(line.rstrip() + "\n" for line in core.splitlines() if line.strip())


def main():
    wanted = OPENING
    for path in HEADERS:
        with open(path, encoding="utf-8") as file:
            wanted += declarations(file.read())
    wanted += "]]\n"
    if sys.argv[1:] == ["--write"]:
        with open(CDEF, "w", encoding="utf-8") as file:
            file.write(wanted)
        return 0
    with open(CDEF, encoding="utf-8") as file:
        if file.read() == wanted:
            return 0
    print("bindings/lua/muster/cdef.lua differs from muster.h; "
          "python3 tests/lua/cdef.py --write writes it anew")
    return 1


if __name__ == "__main__":
    sys.exit(main())
