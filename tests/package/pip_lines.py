"""Types the lines of docs/embedding.md by which pip installs the package, as they stand there.

  pip_lines.py WORK

In a fresh clone, with the Python of Debian, which takes nothing from pip outside of a venv. What is
installed is used from the venv that the lines made. pip fetches scikit-build-core: where it cannot,
the test is skipped (77), but fails in CI.
"""

import os
import re
import shutil
import sys

from wheel import TOP, USES, need_build_tool, run, venv


def lines():
    """The lines of the page's first block that are about pip, with their remarks."""
    with open(os.path.join(TOP, "docs", "embedding.md"), encoding="utf-8") as file:
        block = re.search(r"^```console\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    found = [line for line in block.group(1).splitlines() if re.search(r"\bvenv\b|\bpip\b", line)]
    if not any("pip install" in line for line in found):
        sys.exit(f"docs/embedding.md installs nothing by pip: {block.group(1)}")
    return found


def main():
    work = os.path.abspath(sys.argv[1])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    need_build_tool(venv(os.path.join(work, "asks")), os.path.join(work, "download"))
    clone = os.path.join(work, "clone")
    run("git", "clone", "--quiet", "--no-hardlinks", TOP, clone)
    os.makedirs(os.path.join(work, "bin"))
    os.symlink("/usr/bin/python3", os.path.join(work, "bin", "python3"))
    with open(os.path.join(work, "uses.py"), "w", encoding="utf-8") as file:
        file.write(USES)
    script = "\n".join([f"export PATH={work}/bin:$PATH", "set -e", *lines(),
                        f"python3 {work}/uses.py"])
    said = run("bash", "-c", script, cwd=clone)
    if os.path.join(clone, ".venv") not in said.splitlines()[-1]:
        sys.exit(f"another package was imported: {said}")
    print(said.splitlines()[-1])
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
