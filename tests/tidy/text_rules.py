"""Rules about text: size, width, tabs, words that do not belong in a source tree."""

import re

from tree import CODE, SCRIPTS, Complaint, rule

MAX_LINES = 500
MAX_COLUMNS = 100

# Spelled with brackets so that this file does not break its own rule.
FORBIDDEN = [
    (r"\bTO[D]O\b|\bFIX[M]E\b|\bX[X]X\b", "unfinished work; do it or leave it out"),
    (r"(?<![\w.$}])/(?:work|root|home|Users)/\w", "a path of one machine; take it from the caller"),
    (r"[\"'`=\s(]/tm[p]/\w", "a fixed path; make a temporary directory"),
    (r"(?i)\b(?:issue|ticket|pull request)s? #?\d", "a tracker's number; say the reason itself"),
    (r"(?:^|[\s(])(?<!argument )#\d+\b(?![0-9a-fA-F]*[;\"'])",
     "a tracker's number; say the reason itself"),
]


@rule
def files_are_short(tree):
    """No source, test or script is longer than 500 lines."""
    for path, text in tree.named(*CODE, *SCRIPTS):
        count = text.count("\n")
        if count > MAX_LINES:
            yield Complaint(path, MAX_LINES, f"{count} lines; split it by idea below {MAX_LINES}")


@rule
def lines_are_short(tree):
    """No line of code is wider than 100 columns, but for text that a test expects verbatim."""
    for path, text in tree.named(*CODE, *SCRIPTS):
        if path.endswith("_test.cc"):
            text = re.sub(r'R"(\w*)\(.*?\)\1"', lambda m: re.sub(r"[^\n]", "", m.group(0)), text,
                          flags=re.DOTALL)
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > MAX_COLUMNS:
                yield Complaint(path, number, f"{len(line)} columns; wrap at {MAX_COLUMNS}")


@rule
def whitespace_is_plain(tree):
    """No tabs, no trailing blanks, no carriage returns; files end in one newline."""
    for path, text in tree.named(*CODE, *SCRIPTS, ".md", ".yaml", ".yml", ".json", ".sql"):
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line.lstrip("\t" if path.endswith("Makefile") else ""):
                yield Complaint(path, number, "tab; write spaces")
            if line != line.rstrip():
                yield Complaint(path, number, "blanks at the end of the line; remove them")
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            yield Complaint(path, len(text.splitlines()), "end the file in exactly one newline")


@rule
def words_belong_here(tree):
    """No unfinished work, machine paths or tracker numbers."""
    for path, number, line in tree.lines(""):
        if path == "LICENSE":
            continue
        for pattern, cure in FORBIDDEN:
            match = re.search(pattern, line)
            if match:
                yield Complaint(path, number, f"'{match.group(0).strip()}' is {cure}")


@rule
def files_open_with_their_purpose(tree):
    """Every file opens with a comment; a source may open with the header that speaks for it."""
    openings = {CODE: ("//", "/*"), (".lua",): ("--",), (".py",): ('"""',),
                (".sh", ".cmake", "CMakeLists.txt", ".ci/run"): ("#",)}
    for endings, starts in openings.items():
        for path, text in tree.named(*endings):
            lines = [line for line in text.splitlines() if not line.startswith("#!")]
            stem = re.sub(r"(_test)?\.\w+$", "", path.split("/")[-1])
            own = path.endswith(".cc") and lines and re.fullmatch(
                rf'#include "(.*/)?{re.escape(stem)}\.h"', lines[0])
            if not lines or not (lines[0].startswith(starts) or own):
                yield Complaint(path, 1, "open the file with a comment: purpose, then method")
