"""The source tree as the rules see it: paths from the top and the text of each file.

A rule is a function from a Tree to complaints, so its own test can hand it a tree of three lines.
"""

import os
import re
from typing import NamedTuple

SKIPPED = re.compile(r"(^|/)(\.git|\.cache|__pycache__|build|build-[^/]*)(/|$)")
BINARY = (".png", ".ico", ".gz", ".db", ".pyc")
CODE = (".h", ".cc", ".c")
SCRIPTS = (".py", ".sh", ".lua", ".cmake", "CMakeLists.txt", "Makefile", ".ci/run")


class Complaint(NamedTuple):
    """One breach of a rule, with its place and its cure."""

    path: str
    line: int
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text}"


class Tree:
    """`files` maps paths from the top to text; `build` is a build directory, or None."""

    def __init__(self, files, build=None):
        self.files = dict(sorted(files.items()))
        self.build = build

    @classmethod
    def from_disk(cls, root, build=None):
        files = {}
        for folder, folders, names in os.walk(root):
            inner = os.path.relpath(folder, root)
            folders[:] = [f for f in folders if not SKIPPED.search(os.path.join(inner, f))]
            for name in names:
                path = os.path.normpath(os.path.join(inner, name))
                if path.endswith(BINARY) or SKIPPED.search(path):
                    continue
                with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                    files[path] = file.read()
        return cls(files, build)

    def named(self, *endings):
        """(path, text) of the files whose path ends in one of `endings`."""
        return [(p, t) for p, t in self.files.items() if p.endswith(endings)]

    def code(self, *folders):
        """(path, text) of the C and C++ files under one of `folders` (all without)."""
        return [(p, t) for p, t in self.named(*CODE) if not folders or p.startswith(folders)]

    def lines(self, *endings):
        """(path, line number, line) of the files whose path ends in one of `endings`."""
        for path, text in self.named(*endings):
            for number, line in enumerate(text.splitlines(), 1):
                yield path, number, line


RULES = {}


def rule(function):
    """Registers a rule: a generator of Complaints, named and described by its function."""
    RULES[function.__name__] = function
    return function


def line_of(text, offset):
    """Number of the line that holds the character at `offset`."""
    return text.count("\n", 0, offset) + 1


def without_comments(text):
    """C++ text with comments and string contents blanked, line numbers kept."""

    def blank(match):
        found = match.group(0)
        if found.startswith('"'):
            return '""' + " " * (len(found) - 2)
        return re.sub(r"[^\n]", " ", found)

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.DOTALL)
