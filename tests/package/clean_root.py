"""Installs the Debian packages of a build with apt in a Debian root that has nothing else.

  clean_root.py PACKAGES

Then a program in C, Python and each Lua, and every command of docs/embedding.md run in there.
Needs mmdebstrap, the rights of root and a Debian mirror.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What the programs of the test need beside what the packages bring.
TOOLS = ["gcc", "libc6-dev", "man-db", "luajit", "lua5.1", "lua5.3", "lua5.4", "procps"]
USES = """\
set -eu
muster --version
gcc examples/gateway-in-c/*.c $(pkg-config --cflags --libs muster) -o gateway
./gateway c.ledger examples/gateway-in-c/queues.yaml
gcc examples/why-in-c/*.c $(pkg-config --cflags --libs muster) -o why
./why why.ledger examples/why-in-c/queues.yaml
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


def commands_of(page):
    """The shell commands of a page, one script."""
    with open(os.path.join(TOP, page), encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    return "set -e\n" + "".join(blocks)


def main():
    packages = [os.path.join(sys.argv[1], name) for name in sorted(os.listdir(sys.argv[1]))
                if name.endswith(".deb")]
    if not packages:
        sys.exit(f"{sys.argv[1]} has no packages; make packages")
    work = tempfile.mkdtemp(prefix="muster-root.")
    root = os.path.join(work, "root")
    try:
        debs = os.path.join(work, "debs")
        tree = os.path.join(root, "srv", "muster")
        os.makedirs(debs)
        for path in packages:
            shutil.copy(path, debs)
        run("mmdebstrap", "--variant=apt", f"--include={','.join(TOOLS)}",
            f"--customize-hook=copy-in {debs} /srv",
            '--customize-hook=chroot "$1" apt-get update -q',
            '--customize-hook=chroot "$1" sh -c "apt-get install -y -q /srv/debs/*.deb"',
            "bookworm", root)
        for folder in ("examples", "policies"):
            shutil.copytree(os.path.join(TOP, folder), os.path.join(tree, folder))
        print(run("chroot", root, "bash", "-c", f"cd /srv/muster\n{USES}"))
        said = run("chroot", root, "bash", "-c",
                   f"cd /srv/muster\n{commands_of('docs/embedding.md')}")
        for wanted in ('{"created": 0}', "clean: "):
            if wanted not in said:
                sys.exit(f"the commands of docs/embedding.md do not say {wanted}:\n{said}")
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
