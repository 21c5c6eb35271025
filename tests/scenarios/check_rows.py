"""Which rules of the model have a scenario: compares rows.txt with the scenarios' own comments.

    check_rows.py FOLDER        FOLDER/rows.txt and every .yaml below FOLDER

A scenario names the rules it shows in a comment at its top, `# covers: 10.2 Retry, 3.8 requeueAt`,
which may go on in the comment lines after it. Prints every row without a scenario, and every name
that is no row; the exit code is 1 when there is one.
"""

import pathlib
import re
import sys

COVERS = re.compile(r"^# covers: (.*(?:\n#(?! covers:) .*)*)", re.MULTILINE)


def rows_of(text):
    """The rows of rows.txt: its lines but for blanks and comments."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def covered_by(text):
    """What one scenario says it covers."""
    names = []
    for block in COVERS.findall(text):
        joined = block.replace("\n#", "")
        names += [name.strip() for name in joined.split(",") if name.strip()]
    return names


def compare(rows, scenarios):
    """Complaints about rows and {path: text}; empty when every row has a scenario."""
    complaints = []
    if len(set(rows)) != len(rows):
        complaints.append("rows.txt: a row stands twice")
    covered = {}
    for path, text in scenarios.items():
        for name in covered_by(text):
            covered.setdefault(name, path)
    complaints += [f"no scenario covers: {row}" for row in rows if row not in covered]
    complaints += [f"{path}: covers what is no row: {name}"
                   for name, path in covered.items() if name not in rows]
    return complaints


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = rows_of((folder / "rows.txt").read_text(encoding="utf-8"))
    scenarios = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
                 for path in sorted(folder.rglob("*.yaml"))}
    complaints = compare(rows, scenarios)
    print(*complaints, sep="\n")
    print(f"{len(rows)} rows, {len(scenarios)} scenarios, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
