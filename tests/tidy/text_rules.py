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

# Workloads, queues and programs are "it". Only people are "who", right behind a word for them.
PERSONAL = re.compile(
    r"\b(?:who|whom|whoever|whomever|nobody|somebody|everybody|anybody|someone|everyone|anyone"
    r"|he|him|his|himself)\b", re.IGNORECASE)
OF_PEOPLE = re.compile(
    r"\b(?:people|persons?|users?|authors?|operators?|administrators?|attackers?|readers?)"
    r"(?: who\b)", re.IGNORECASE)
# What may say so all the same: a path, and a phrase that must still stand there. Add one for what
# is quoted; rather write the sentence anew.
MAY_BE_PERSONAL = [
    ("LICENSE", "on behalf of whom a Contribution has been received"),
    ("tests/unit/manifest/bad/syntax-unknown-alias.yaml", "*everyone"),
]
# Where the words themselves are data.
TELLS_OF_WORDS = ("tests/tidy/text_rules.py", "tests/tidy/samples.py", "docs/glossary.md")


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
def only_people_are_who(tree):
    """Workloads, queues and programs are "it": no nobody, no whom, in comments, messages, docs."""
    for path, phrase in MAY_BE_PERSONAL:
        if path in tree.files and phrase not in tree.files[path]:
            yield Complaint("tests/tidy/text_rules.py", 1,
                            f"{path} no longer says '{phrase}'; take it out of MAY_BE_PERSONAL")
    for path, number, line in tree.lines(""):
        if path in TELLS_OF_WORDS or path.endswith(".ledger"):
            continue
        rest = OF_PEOPLE.sub("", line)
        for allowed, phrase in MAY_BE_PERSONAL:
            if path == allowed:
                rest = rest.replace(phrase, "")
        match = PERSONAL.search(rest)
        if match:
            yield Complaint(path, number, f"'{match.group(0)}': say it, what, which, none, or name "
                                          "the one meant: the queue, an operator")


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
