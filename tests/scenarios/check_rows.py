"""Which rules of the model have a scenario: compares rows.txt with the scenarios' own comments.

    check_rows.py FOLDER [SPEC]   FOLDER/rows.txt and every .yaml below FOLDER

A scenario names the rules it shows in a comment at its top, `# covers: 10.2 Retry, 3.8 requeueAt`,
which may go on in the comment lines after it. Prints every row without a scenario, and every name
that is no row; the exit code is 1 when there is one. With SPEC, the reference that the rows are
taken from, also every field of its tables, reason of an eviction and section of the sections below
that no row speaks of, unless a line `# out: 10.8, 1.2 concurrentAdmissionPolicy` of rows.txt does.
"""

import pathlib
import re
import sys

SECTIONS = re.compile(r"1\.[1-6]|3\.6|3\.8|3\.9|4\.1|8|10\.\d")
HEADING = re.compile(r"^##+ (\d+(?:\.\d+)?)\b", re.MULTILINE)
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


def left_out(text):
    """What rows.txt says has no row on purpose."""
    lists = re.findall(r"^# out: (.*)", text, re.MULTILINE)
    return [name.strip() for names in lists for name in names.split(",")]


def demanded_by(spec):
    """(section, name) of everything that the reference names; the name may be empty."""
    parts = HEADING.split(spec)
    demanded = []
    for section, text in zip(parts[1::2], parts[2::2]):
        if not SECTIONS.fullmatch(section):
            continue
        demanded.append((section, ""))
        cells = re.findall(r"^\| ?([^|]*?) ?\|", text, re.MULTILINE)
        for cell in cells if section in ("1.1", "1.2", "1.5", "3.9") else ():
            if cell not in ("field", "setting") and not set(cell) <= set("-"):
                demanded += [(section, name.strip("….[]")) for name in cell.split(" / ")]
        for reasons in re.findall(r"Evicted reasons: ([^(]*)", text):
            demanded += [(section, name.strip()) for name in reasons.replace("\n", " ").split(",")]
    return demanded


def forgotten(rows, out, spec):
    """Complaints about what the reference names and no row does."""
    complaints = []
    for section, name in demanded_by(spec):
        last = name.replace("[]", "").rsplit(".", 1)[-1]
        known = [row for row in rows if row.split(" ")[0] == section
                 and (not last or last in re.findall(r"\w+", row))]
        if not known and f"{section} {name}".strip() not in out:
            complaints.append(f"no row for: {section} {name}".strip())
    return complaints


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
    text = (folder / "rows.txt").read_text(encoding="utf-8")
    rows = rows_of(text)
    scenarios = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
                 for path in sorted(folder.rglob("*.yaml"))}
    complaints = compare(rows, scenarios)
    if len(sys.argv) > 2:
        spec = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
        complaints += forgotten(rows, left_out(text), spec)
    print(*complaints, sep="\n")
    print(f"{len(rows)} rows, {len(scenarios)} scenarios, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
