"""Rules that compare one list with another: files with the build, invariants with their tests."""

import json
import os
import re

from tree import Complaint, line_of, rule

TEST = re.compile(r"\b(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")


def compiled_files(tree):
    """Paths from the top of everything the build compiles, or None without a build."""
    if tree.build is None:
        return None
    if isinstance(tree.build, (set, frozenset)):
        return tree.build
    with open(os.path.join(tree.build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    with open(os.path.join(tree.build, "CMakeCache.txt"), encoding="utf-8") as file:
        source = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", file.read(), re.MULTILINE)
    return {os.path.relpath(c["file"], source.group(1)) for c in commands}


@rule
def every_source_is_built(tree):
    """Each .cc file, tests above all, is compiled by the build."""
    compiled = compiled_files(tree)
    if compiled is None:
        yield Complaint("CMakeLists.txt", 1, "no build to compare with; give --build")
        return
    # A consumer of the installed package is built by its own project.
    found = [path for path, _ in tree.named(".cc") if not path.startswith("tests/package/")]
    tests = [path for path in found if path.endswith("_test.cc")]
    print(f"{len(tests)} test files found, {len(compiled.intersection(tests))} built; "
          f"{len(found)} sources found, {len(compiled.intersection(found))} built")
    for path in found:
        if path not in compiled:
            yield Complaint(path, 1, "is not built; add it to a target or remove it")


@rule
def test_files_hold_tests(tree):
    """A file named _test holds a test, and each test name is used once in its folder."""
    seen = {}
    for path, text in tree.named("_test.cc"):
        tests = list(TEST.finditer(text))
        if not tests:
            yield Complaint(path, 1, "holds no test")
        for match in tests:
            name = (os.path.dirname(path), ".".join(match.groups()))
            if name in seen:
                yield Complaint(path, line_of(text, match.start()),
                                f"{name[1]} exists already in {seen[name]}")
            seen[name] = path


INVARIANT = re.compile(r"^\W*\**(I\d+)\**\b", re.MULTILINE)
INVARIANTS = "engine/README.md"


@rule
def invariants_have_assert_and_test(tree):
    """Each invariant I<n> of engine/README.md names code that checks it and a test, both real."""
    text = tree.files.get(INVARIANTS)
    if text is None:
        yield Complaint(INVARIANTS, 1, "is missing")
        return
    marks = list(INVARIANT.finditer(text))
    if not marks:
        yield Complaint(INVARIANTS, 1, "names no invariant; begin lines with I1, I2, ...")
    code = "\n".join(source for _, source in tree.code("engine/"))
    tests = {".".join(m) for _, source in tree.named(".cc") for m in TEST.findall(source)}
    for mark, following in zip(marks, marks[1:] + [None]):
        block = text[mark.start():following.start() if following else len(text)]
        words = re.findall(r"`([^`]+)`", block)
        line, name = line_of(text, mark.start(1)), mark.group(1)
        named_tests = [w for w in words if re.fullmatch(r"[A-Z]\w*\.\w+", w)]
        for word in named_tests:
            if word not in tests:
                yield Complaint(INVARIANTS, line, f"{name} names a test that is not there: {word}")
        if not named_tests:
            yield Complaint(INVARIANTS, line, f"{name} names no test as `Suite.Name`")
        checks = [w.removesuffix("()").split("::")[-1] for w in words
                  if re.fullmatch(r"(\w+::)*\w+(\(\))?", w)]
        if not any(re.search(rf"\b{check}\s*\(", code) for check in checks):
            yield Complaint(INVARIANTS, line, f"{name} names no engine function as its assert")
