"""Rules that compare one list with another: files with the build, invariants with their tests."""

import json
import os
import re

from include_rules import edges
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
    compiled = set()
    for path in (command["file"] for command in commands):
        compiled.update(parts_of(path) if os.path.basename(path).startswith("unity_") else [path])
    return {os.path.relpath(path, source.group(1)) for path in compiled}


def parts_of(path):
    """The sources that a file which CMake wrote to compile them as one includes."""
    with open(path, encoding="utf-8") as file:
        return re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)


@rule
def every_source_is_built(tree):
    """Each .cc file, tests above all, is compiled by the build."""
    compiled = compiled_files(tree)
    if compiled is None:
        yield Complaint("CMakeLists.txt", 1, "no build to compare with; give --build")
        return
    # A consumer of the installed package is built by its own project.
    found = [path for path, _ in tree.named(".cc") if not path.startswith("tests/package/")]
    tests = [path for path in found if re.fullmatch(r"tests/.*_test\.cc", path)]
    print(f"{len(tests)} test files found, {len(compiled.intersection(tests))} built; "
          f"{len(found)} sources found, {len(compiled.intersection(found))} built")
    for path in found:
        if path not in compiled:
            yield Complaint(path, 1, "is not built; add it to a target or remove it")


@rule
def every_header_is_included(tree):
    """Each header is included by a file other than its own source; public ones need not be."""
    used = set()
    for path, _, target in edges(tree):
        if path.removesuffix(".cc") != target.removesuffix(".h"):
            used.add(target)
    for path, _ in tree.named(".h"):
        if path not in used and "/include/" not in path:
            yield Complaint(path, 1, "no file includes it; use it or remove it")


# What shows that a package of cmake/deps.sh is used, besides the tools that a build cannot miss.
USED_BY = {
    "libluajit-5.1-dev": "#include <lua.hpp>",
    "libyaml-cpp-dev": "#include <yaml-cpp/",
    "libyaml-dev": "#include <yaml.h>",
    "libspdlog-dev": "#include <spdlog/",
    "libfmt-dev": "#include <fmt/",
    "libsqlite3-dev": "#include <sqlite3.h>",
    "libpq-dev": "#include <libpq-fe.h>",
    "libsodium-dev": "#include <sodium",
    "nlohmann-json3-dev": "#include <nlohmann/",
    "libcli11-dev": "#include <CLI/",
    "libboost-dev": "#include <boost/",
    "libjemalloc-dev": "#include <jemalloc/",
    "libgtest-dev": "#include <gtest/",
    "libgmock-dev": "#include <gmock/",
    "libbenchmark-dev": "#include <benchmark/",
}
PACKAGE = re.compile(r"^([a-z0-9.+-]+) +\| \S", re.MULTILINE)


@rule
def dependencies_are_used(tree):
    """Each library that cmake/deps.sh installs is included somewhere, and the list is complete."""
    path = "cmake/deps.sh"
    listed = PACKAGE.findall(tree.files.get(path, ""))
    code = "\n".join(text for _, text in tree.code())
    for package, include in USED_BY.items():
        if package in listed and include not in code:
            yield Complaint(path, 1, f"{package} is installed but nothing has {include}")
        if package not in listed and include in code:
            yield Complaint(path, 1, f"{include} is used but {package} is not installed")


@rule
def every_example_has_a_demo(tree):
    """.ci/run starts demo.sh in each folder of examples."""
    folders = {"/".join(path.split("/")[:2]) for path in tree.files
               if re.match(r"examples/[^/]+/", path)}
    for folder in sorted(folders):
        if f"{folder}/demo.sh" not in tree.files:
            yield Complaint(f"{folder}/demo.sh", 1, "is missing; show there what the example does")


@rule
def test_files_hold_tests(tree):
    """A file named _test holds a test, and each test name is used once in its folder."""
    seen = {}
    for path, text in tree.named("_test.cc"):
        if not path.startswith("tests/"):
            continue
        tests = list(TEST.finditer(text))
        if not tests:
            yield Complaint(path, 1, "holds no test")
        for match in tests:
            name = (os.path.dirname(path), ".".join(match.groups()))
            if name in seen:
                yield Complaint(path, line_of(text, match.start()),
                                f"{name[1]} exists already in {seen[name]}")
            seen[name] = path


# What makes a function an assert: a check of its own, or that of everything.
ASSERTION = re.compile(r"\bMUSTER_CHECK\s*\(|\bCheckEverything\s*\(")


def bodies_of(name, code):
    """The texts between the braces of each definition of a function of that name."""
    bodies = []
    for match in re.finditer(rf"\b{name}\s*\((?:[^;{{}}()]|\([^()]*\))*\)[^;{{}}()]*\{{", code):
        depth, at = 1, match.end()
        while at < len(code) and depth > 0:
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        bodies.append(code[match.end():at])
    return bodies


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
        said = re.search(r"\bAsserts?((?:,?\s+`[\w:]+`)+)", block)
        checks = [w.split("::")[-1] for w in re.findall(r"[\w:]+", said.group(1))] if said else []
        if not checks:
            yield Complaint(INVARIANTS, line, f'{name} names no function as "Assert `Name`"')
        for check in checks:
            bodies = bodies_of(check, code)
            if not bodies:
                yield Complaint(INVARIANTS, line,
                                f"{name} names a function that is not there: {check}")
            elif not any(ASSERTION.search(body) for body in bodies):
                yield Complaint(INVARIANTS, line, f"{name}: {check} asserts nothing")
