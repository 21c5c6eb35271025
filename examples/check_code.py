"""Tries the code that a document shows, with the program in $MUSTER.

    check_code.py README.md c++ -std=c++20 -Iengine/include ...

Every `cpp` block must compile as a whole file, every `lua` block must be a sound package, every
`yaml` block must be a scenario that passes.
"""

import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(cpp|lua|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def command_for(language, text, folder, compiler):
    """Writes the block into `folder` and returns the command that judges it."""
    if language == "cpp":
        path = os.path.join(folder, "block.cc")
        command = [*compiler, "-fsyntax-only", path]
    elif language == "yaml":
        path = os.path.join(folder, "block.yaml")
        command = [os.environ["MUSTER"], "test", "-f", path]
    else:
        package = os.path.join(folder, re.search(r'name = "([^"]+)"', text).group(1))
        os.makedirs(package)
        path = os.path.join(package, "policy.lua")
        command = [os.environ["MUSTER"], "policy", "check", package]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return command


def main():
    readme, *compiler = sys.argv[1:]
    with open(readme, encoding="utf-8") as file:
        blocks = BLOCK.findall(file.read())
    failed = 0
    for language, text in blocks:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(command_for(language, text, folder, compiler), check=False)
        failed += done.returncode != 0
    print(f"{readme}: {len(blocks)} blocks, {failed} failed")
    return 1 if failed or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
