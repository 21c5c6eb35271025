"""Runs every command of a Markdown file's `sh` blocks, as a reader would type them.

    commands.py README.md --path build/release/bin --ran 'git clone' --ran 'make test'

Commands run one by one from the top of the tree, each in its own bash that stops at the first
error; a line that ends in a backslash goes on in the next. `--ran` names the beginning of commands
that the caller has run already. `--path` is searched for programs first. The last line counts.
"""

import argparse
import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(markdown):
    """The commands of all `sh` blocks, comments and prompts left out."""
    found = []
    for block in BLOCK.findall(markdown):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"^\$ |(^|\s)#.*$", "", line.strip()).strip()
            if line:
                found.append(line)
    return found


def run(command, paths):
    """Exit code of `command`; what it says is shown only when it fails."""
    path = os.pathsep.join([*map(os.path.abspath, paths), os.environ["PATH"]])
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], check=False,
                          env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout, end="")
    return done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--path", action="append", default=[], help="folder of programs")
    parser.add_argument("--ran", action="append", default=[], help="beginning of a command")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:
        wanted = commands(file.read())
    codes = []
    for command in wanted:
        if command.startswith(tuple(arguments.ran)):
            print(f"{arguments.file}: ran before: {command}")
            continue
        codes.append(run(command, arguments.path))
        print(f"{arguments.file}: {'ok' if codes[-1] == 0 else 'FAILED'}: {command}", flush=True)
    failed = sum(code != 0 for code in codes)
    if not wanted:
        print(f"{arguments.file}: holds no command")
        return 1
    print(f"{len(codes) - failed} commands passed, {failed} commands failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
