"""Installs the Debian packages of a build with apt in a Debian root that has nothing else.

  clean_root.py BUILD

Then a program in C, Python and each Lua, and every command of docs/embedding.md run in there.
Needs mmdebstrap, the rights of root and a Debian mirror: where one is not there, the test says so
and is skipped (77), but fails in CI.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What the programs of the test need beside what the packages bring.
TOOLS = ["g++", "libc6-dev", "man-db", "luajit", "lua5.1", "lua5.3", "lua5.4", "procps"]
USES = """\
set -eu
muster --version
gcc examples/gateway-in-c/*.c $(pkg-config --cflags --libs muster) -o gateway
./gateway c.ledger examples/gateway-in-c/queues.yaml
gcc examples/why-in-c/*.c $(pkg-config --cflags --libs muster) -o why
./why why.ledger examples/why-in-c/queues.yaml
for kind in muster-cpp muster-cpp-static; do
  g++ -std=c++20 consumer/durable.cc $(pkg-config --cflags --libs $kind) -o $kind
  ./$kind $kind.ledger
done
python3 -c 'import muster; print(muster.__version__)'
for lua in luajit lua5.1 lua5.3 lua5.4; do "$lua" -e "print(require 'muster'.version)"; done
man -w muster-schedule
bash -n /usr/share/bash-completion/completions/muster
muster ledger verify c.ledger --replay
"""


def run(*words, **more):
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=1200, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)[:400]}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def cannot(why):
    """Ends the test where it cannot run."""
    print(f"packages are not installed into a clean root: {why}")
    sys.exit(1 if "CI" in os.environ else 77)


def check_needs(folder):
    """What the test needs of the machine, before it does anything long."""
    if os.geteuid() != 0:
        cannot("it takes the rights of root, which apt needs in the root that it installs into")
    if not shutil.which("mmdebstrap"):
        cannot("mmdebstrap is not installed; cmake/deps.sh deps-dev does that")
    asked = subprocess.run(["mmdebstrap", "--variant=extract", "--include=base-files",
                            "bookworm", os.path.join(folder, "asked.tar")], check=False, text=True,
                           timeout=600, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if asked.returncode != 0:
        cannot("mmdebstrap makes no root here, for lack of a Debian mirror or of the rights to "
               f"mount; it says\n{asked.stdout}")


def made_packages(build, folder):
    """The packages of the build, made now: those of an earlier day would be tested else."""
    run("cpack", "-G", "DEB", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", folder,
        cwd=build)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
            if name.endswith(".deb")]


def commands_of(page):
    """The shell commands of a page, one script."""
    with open(os.path.join(TOP, page), encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    return "set -e\n" + "".join(blocks)


def in_root(root, script):
    """What a bash script says that runs in the root, with a /proc as every system has. What it
    starts ends with it, and the mount is seen by nothing else."""
    return run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
               'mount -t proc proc "$0/proc" && exec chroot "$0" bash -c "$1"',
               root, f"cd /srv/muster\n{script}")


def main():
    work = tempfile.mkdtemp(prefix="muster-root.")
    root = os.path.join(work, "root")
    try:
        debs = os.path.join(work, "debs")
        tree = os.path.join(root, "srv", "muster")
        os.makedirs(debs)
        check_needs(work)
        for path in made_packages(os.path.abspath(sys.argv[1]), os.path.join(work, "made")):
            shutil.copy(path, debs)
        run("mmdebstrap", "--variant=apt", f"--include={','.join(TOOLS)}",
            f"--customize-hook=copy-in {debs} /srv",
            '--customize-hook=chroot "$1" apt-get update -q',
            '--customize-hook=chroot "$1" sh -c "apt-get install -y -q /srv/debs/*.deb"',
            "bookworm", root)
        for folder in ("examples", "policies"):
            shutil.copytree(os.path.join(TOP, folder), os.path.join(tree, folder))
        shutil.copytree(os.path.join(TOP, "tests", "package", "consumer"),
                        os.path.join(tree, "consumer"))
        print(in_root(root, USES))
        said = in_root(root, commands_of("docs/embedding.md"))
        for wanted in ('{"created": 0}', "clean: "):
            if wanted not in said:
                sys.exit(f"the commands of docs/embedding.md do not say {wanted}:\n{said}")
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
