"""Compares the table of docs/hand-over.md with cases.json, or writes it anew.

  page.py          fails where the table is not what the cases say
  page.py --write  writes the table
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "docs", "hand-over.md")
MOMENTS = ["twice", "late", "out of order", "after a restart", "job is gone",
           "earlier job of the name", "earlier run of the job"]
BEGIN = "| call | " + " | ".join(MOMENTS) + " |\n"


def table(cases):
    """A row for each call, in the order of the cases."""
    rows = {}
    for case in cases:
        rows.setdefault(case["call"], {})[case["when"]] = case["means"]
    text = BEGIN + "|---" * (len(MOMENTS) + 1) + "|\n"
    for call, cells in rows.items():
        text += f"| `{call}` | " + " | ".join(cells.get(each, "") for each in MOMENTS) + " |\n"
    return text


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    with open(os.path.join(HERE, "cases.json"), encoding="utf-8") as file:
        wanted = table(json.load(file)["cases"])
    start = page.index(BEGIN)
    end = page.index("\n\n", start) + 1
    if sys.argv[1:] == ["--write"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page[:start] + wanted + page[end:])
    elif page[start:end] != wanted:
        print("docs/hand-over.md differs from cases.json; "
              "python3 tests/hand_over/page.py --write writes its table anew")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
