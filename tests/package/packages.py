"""Makes the Debian packages of a build, unpacks them into a root and uses them from there.

  packages.py BUILD WORK

Shows that the packages hold all that a program in C, Python or Lua needs beside Debian's own, and
that lintian, where it is installed, finds no error in them.
"""

import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Package -> some of what it needs.
DEPENDS = {
    "libmuster1": ["libluajit-5.1-2", "libsqlite3-0", "libyaml-cpp", "libyaml-0-2"],
    "libmuster-cpp": ["libluajit-5.1-2", "libsqlite3-0", "libyaml-cpp", "libyaml-0-2"],
    "libmuster-dev": ["libmuster1 (=", "libmuster-cpp", "libsodium-dev", "pkgconf"],
    "muster": ["libluajit-5.1-2", "libjemalloc2"],
    "lua-muster": ["libmuster1 (=", "lua-dkjson", "libc6"],
    "python3-muster": ["libmuster1 (=", "python3"],
}
PROGRAM = """\
#include <muster.h>
#include <stdio.h>
int main(void) {
  puts(muster_version());
  return 0;
}
"""


def run(*words, **more):
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def name_of(path):
    """The package's name, without the version that is a part of it where C++ has no stable ABI."""
    return re.sub(r"(libmuster-cpp)\d+\.\d+\.\d+$", r"\1",
                  run("dpkg-deb", "--field", path, "Package").strip())


def check_depends(path):
    """Each names what it needs of Debian and of the others."""
    name = name_of(path)
    depends = run("dpkg-deb", "--field", path, "Depends")
    missing = [each for each in DEPENDS[name] if each not in depends]
    assert not missing, (name, missing, depends)


def unpack(build, work):
    """Makes the packages and returns a root with all of them, and their files."""
    run("cpack", "-G", "DEB", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", work,
        cwd=build)
    made = sorted(os.path.join(work, name) for name in os.listdir(work) if name.endswith(".deb"))
    names = {name_of(path) for path in made}
    assert names == set(DEPENDS), names
    root = os.path.join(work, "root")
    for path in made:
        run("dpkg-deb", "--extract", path, root)
        check_depends(path)
    return root, made


def check_documents(usr):
    """The tutorial is there, and what it links of the docs and of its examples."""
    page = os.path.join(usr, "share/doc/libmuster-dev/docs/embedding.md")
    with open(page, encoding="utf-8") as file:
        links = re.findall(r"\]\(([^)#:]+)[^):]*\)", file.read())
    linked = [each for each in links if not each.startswith("../") or "/examples/" in each]
    assert any("examples/gateway" in each for each in linked), links
    missing = [each for each in linked if not os.path.exists(os.path.join(os.path.dirname(page),
                                                                          each))]
    assert not missing, missing


def check_door(usr, package, *examples):
    """What comes with a door: its own page, whose links go on, the tutorial and an example."""
    folder = os.path.join(usr, "share/doc", package)
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        links = re.findall(r"\]\(([^)#:]+)[^):]*\)", file.read())
    assert "docs/hand-over.md" in links, links
    missing = [each for each in [*links, "docs/embedding.md", *examples]
               if not os.path.exists(os.path.join(folder, each))]
    assert not missing, (package, missing)


def libraries(root):
    """The folder of libmuster.so.1 in the root."""
    for folder, _, files in os.walk(os.path.join(root, "usr/lib")):
        if "libmuster.so.1" in files:
            return folder
    sys.exit("no package holds libmuster.so.1")


def main():
    build, work = map(os.path.abspath, sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    root, made = unpack(build, work)
    usr, folder = os.path.join(root, "usr"), libraries(root)
    found = {**os.environ, "LD_LIBRARY_PATH": folder}
    found.pop("MUSTER_LIBRARY", None)
    version = run(os.path.join(usr, "bin/muster"), "--version", env=found).split()[1]
    for name in ("man/man1/muster-schedule.1.gz", "bash-completion/completions/muster"):
        assert os.path.exists(os.path.join(usr, "share", name)), name
    check_documents(usr)
    check_door(usr, "lua-muster", "examples/gateway-in-lua/gateway.lua")
    check_door(usr, "python3-muster", "examples/gateway/gateway.py", "examples/gateway/web.py")

    source = os.path.join(work, "program.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    program = os.path.join(work, "program")
    flags = run("pkg-config", "--cflags", "--libs", "muster",
                env={**os.environ, "PKG_CONFIG_PATH": os.path.join(folder, "pkgconfig")}).split()
    assert any(flag.startswith("-L" + root) for flag in flags), flags
    run("cc", source, *flags, "-o", program)
    said = {"C": run(program, env=found)}
    packages = os.path.join(usr, "lib/python3/dist-packages")
    said["Python"] = run("/usr/bin/python3", "-B", "-c", "import muster; print(muster.__version__)",
                         env={**found, "PYTHONPATH": packages})
    for lua, number in (("luajit", "5.1"), ("lua5.1", "5.1"), ("lua5.3", "5.3"), ("lua5.4", "5.4")):
        said[lua] = run(lua, "-e", "print(require 'muster'.version)", env={
            **found, "LUA_PATH": os.path.join(usr, f"share/lua/{number}/?.lua;;"),
            "LUA_CPATH": os.path.join(usr, f"lib/lua/{number}/?.so")})
    wrong = {door: text for door, text in said.items() if text.strip() != version}
    assert not wrong, (version, wrong)

    if shutil.which("lintian"):
        print(run("lintian", "--allow-root", "--fail-on", "error", *made))
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
