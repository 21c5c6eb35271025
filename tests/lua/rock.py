"""Makes the rock of the Lua module with luarocks in a copy of its sources, and uses it from there.

  rock.py WORK LIBRARY

For Lua 5.1 (and LuaJIT), 5.3 and 5.4. dkjson is Debian's, so nothing is fetched.
"""

import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INTERPRETERS = {"5.1": ["lua5.1", "luajit"], "5.3": ["lua5.3"], "5.4": ["lua5.4"]}
USES = """
local muster = require "muster"
local engine = muster.memory()
local done = engine:apply [[
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: default}}]]
assert(done[1] == "created")
print(muster.version)
"""


def run(*words, **more):
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=300, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def main():
    work, library = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    sources = os.path.join(work, "source", "bindings", "lua")
    shutil.copytree(os.path.join(TOP, "bindings", "lua"), sources)
    include = os.path.join(TOP, "bindings", "c", "include")
    for version, interpreters in INTERPRETERS.items():
        tree = os.path.join(work, version)
        run("luarocks", "--lua-version", version, "--tree", tree, "make", "--deps-mode=none",
            f"MUSTER_INCDIR={include}", cwd=sources)
        for lua in interpreters:
            said = run(lua, "-e", USES, cwd=work, env={
                **os.environ, "MUSTER_LIBRARY": library,
                "LUA_PATH": os.path.join(tree, "share", "lua", version, "?.lua") + ";;",
                "LUA_CPATH": os.path.join(tree, "lib", "lua", version, "?.so")})
            print(lua, said.strip())
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
