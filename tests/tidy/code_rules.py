"""Rules about code: header guards, contracts in public headers, hash order, switched-off code."""

import re

from tree import Complaint, line_of, rule, without_comments

PUBLIC = ("engine/include/", "bindings/cpp/include/")


def guard_of(path):
    """MUSTER_ENGINE_MODEL_AMOUNT_H_; public headers go by the path their users write."""
    for public in PUBLIC:
        path = path.removeprefix(public + "muster/") if path.startswith(public) else path
    return "MUSTER_" + re.sub(r"[^A-Za-z0-9]", "_", path).upper() + "_"


@rule
def headers_are_guarded(tree):
    """A header's guard is its path."""
    for path, text in tree.named(".h"):
        guard = guard_of(path)
        wanted = rf"^#ifndef {guard}\n#define {guard}\n.*^#endif\s*(//|/\*) {guard}( \*/)?\n\Z"
        if not re.search(wanted, text, re.MULTILINE | re.DOTALL):
            yield Complaint(path, 1, f"guard the whole header with {guard}")


FUNCTION = re.compile(r"^\s*(?!return|using|typedef|friend|explicit operator)"
                      r"(?:[\w:<>,&*\[\]]+\s+)+[&*]?(?P<name>\w+)\((?!.*(\{|= default|= delete))")


@rule
def public_functions_are_documented(tree):
    """Each function declared in a public header has a comment beside it or before it in its block.

    One that is defined there on the same line shows what it does, and an overload may rest on the
    comment of another.
    """
    for path, text in tree.named(".h"):
        if path.startswith(PUBLIC):
            names = list(functions(text))
            documented = {name for _, name, commented in names if commented}
            for line, name, _ in names:
                if name not in documented:
                    yield Complaint(path, line, f"say what {name} promises, in a comment before it")


def functions(text):
    """(line, name, has a comment) of the functions; a block is the lines between blank ones."""
    number = 1
    code = re.sub(r"^ private:.*?^\};", lambda m: re.sub(r"[^\n]", "", m.group(0)),
                  without_comments(text), flags=re.MULTILINE | re.DOTALL)
    for block in code.split("\n\n"):
        lines = text.splitlines()[number - 1:number + block.count("\n")]
        for offset, line in enumerate(block.splitlines()):
            match = FUNCTION.match(line)
            if match:
                commented = any("//" in earlier for earlier in lines[:offset + 1])
                yield number + offset, match.group("name"), commented
        number += block.count("\n") + 2


HASHED = re.compile(r"\bunordered_(?:multi)?(?:map|set)\s*<[^;(){}]*>\s*&?\s*(\w+)")


@rule
def nothing_walks_a_hash_container(tree):
    """No loop over an unordered container: its order could reach a decision."""
    sources = tree.code("engine/", "db/", "bindings/")
    for path, text in sources:
        names = set(HASHED.findall(without_comments(text)))
        twin = path.removesuffix(".cc") + ".h"
        if path.endswith(".cc") and twin in tree.files:
            names |= set(HASHED.findall(without_comments(tree.files[twin])))
        for name in sorted(names):
            walk = rf"for\s*\([^;)]*:\s*(?:\w+(?:\.|->))*{name}\s*\)|\b{name}\.c?begin\(\)"
            for match in re.finditer(walk, without_comments(text)):
                yield Complaint(path, line_of(text, match.start()),
                                f"'{name}' is unordered; walk an ordered container or sort first")


CHARGES = re.compile(r"\b(AddUsage|RemoveUsage|Pretend)\(|\bUsageMark\b")
CHARGED_BY = ("engine/quota/", "engine/capacity/")


@rule
def only_capacity_charges(tree):
    """Usage is charged, released, tried and taken back by engine/capacity alone, so that whatever
    limits beside quota hears of it."""
    for path, text in tree.code("engine/", "db/", "bindings/"):
        if path.startswith(CHARGED_BY):
            continue
        for match in CHARGES.finditer(without_comments(text)):
            yield Complaint(path, line_of(text, match.start()),
                            "charge through Capacity, or a QuotaTrial where quota alone counts")


SWITCHED_OFF = [
    (r"^\s*#\s*if\s+0\b", (".h", ".cc", ".c")),
    (r"\bDISABLED_\w", (".h", ".cc", ".c", "CMakeLists.txt")),
    (r"^\s*//\s*(TYPED_)?TEST(_F|_P)?\s*\(", (".h", ".cc")),
    (r"^\s*//.*(\);|\w = \w+;|\) \{)\s*$", (".cc",)),
    (r"^\s*#\s*(add_test|add_executable|muster_add_test|add_subdirectory|target_sources)\s*\("
     r"(?!.*\):)",
     ("CMakeLists.txt", ".cmake")),
    (r"^\s*#\s*\"?[\w/]+_test\.cc", ("CMakeLists.txt", ".cmake")),
    (r"^\s*--\s*(it|describe)\s*\(|\bpending\s*\(", ("_spec.lua",)),
    (r"^\s*#\s*(def test_|@rule\b)|@unittest\.skip\b", (".py",)),
]


@rule
def nothing_is_switched_off(tree):
    """No test or code is commented out, disabled or excluded by the preprocessor."""
    for pattern, endings in SWITCHED_OFF:
        for path, number, line in tree.lines(*endings):
            if re.search(pattern, line) and "tests/tidy/" not in path:
                yield Complaint(path, number, "switched off; make it run or remove it")


@rule
def skipped_tests_say_why(tree):
    """GTEST_SKIP() is followed by a reason."""
    for path, text in tree.code("tests/"):
        for match in re.finditer(r"GTEST_SKIP\(\)\s*;", text):
            yield Complaint(path, line_of(text, match.start()), "write GTEST_SKIP() << reason")


@rule
def results_are_not_read_beside_their_call(tree):
    """`Check(Open(&error), error)` may read `error` before Open has written it: C and C++ take
    arguments in any order."""
    for path, text in tree.code():
        for match in re.finditer(r"&(\w+)\),\s*\1\)", without_comments(text)):
            yield Complaint(path, line_of(text, match.start()),
                            f"{match.group(1)} may be read before the call writes it; make the "
                            "call a statement of its own")
