"""Runs an example's demo.sh and checks that it prints what the READMEs quote.

    check_demo.py examples/gpu-preemption/demo.sh examples/gpu-preemption/README.md README.md

Every line of a README's `text` blocks must appear in the output, in that order within its block;
a line `...` stands for any number of lines. The hash behind a policy's name is not compared.
Every ledger that the demo leaves behind can be repeated.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def plain(text):
    """Lines without what may differ: blanks at the end, hashes of policies."""
    return [re.sub(r"@[0-9a-f]{6,}", "@HASH", line.rstrip()) for line in text.splitlines()]


def first_missing(quoted, printed):
    """The first quoted line that is not printed after those before it, or None."""
    at = 0
    for line in quoted:
        if line in ("", "..."):
            continue
        if line not in printed[at:]:
            return line
        at = printed.index(line, at) + 1
    return None


def unrepeatable(demo, folder):
    """What is wrong with the ledgers in the folder that the demo was given for its files."""
    ledgers = sorted(pathlib.Path(folder).rglob("*.ledger"))
    if ".ledger" in pathlib.Path(demo).read_text(encoding="utf-8") and not ledgers:
        yield f"{demo}: leaves no ledger behind, also with MUSTER_DEMO_KEEPS"
    for ledger in ledgers:
        done = subprocess.run([os.environ["MUSTER"], "ledger", "verify", ledger, "--replay"],
                              check=False, capture_output=True, text=True)
        if done.returncode != 0:
            yield f"{demo}: {ledger.name} cannot be repeated: {done.stderr.strip()}"


def main():
    demo, *readmes = sys.argv[1:]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["bash", demo], check=False, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True,
                              env={**os.environ, "TMPDIR": folder, "MUSTER_DEMO_KEEPS": "yes"})
        faults += unrepeatable(demo, folder)
    if done.returncode != 0 or done.stderr:
        faults.append(f"{demo}: exit code {done.returncode}; {done.stderr.strip()}")
    if "\x1b" in done.stdout:
        faults.append(f"{demo}: prints escape codes into a pipe")
    for readme in readmes:
        with open(readme, encoding="utf-8") as file:
            blocks = BLOCK.findall(file.read())
        if not blocks:
            faults.append(f"{readme}: quotes nothing in a text block")
        for block in blocks:
            line = first_missing(plain(block), plain(done.stdout))
            if line is not None:
                faults.append(f"{readme}: quotes what {demo} does not print there: {line}")
    if faults:
        print(done.stdout, *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
