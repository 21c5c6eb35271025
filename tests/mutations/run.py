#!/usr/bin/env python3
"""Puts each mutation into a copy of the sources and expects its tests to fail.

    run.py --check            every mutation applies exactly once; builds nothing
    run.py [--work DIR] [-j N] [NAME...]
                              builds and tests those whose name contains a NAME (all without);
                              exit 1 when one survives, 2 when something else is wrong

The copy stands in DIR (build/mutations), so that the tree itself is never touched. One source is
mutated at a time and put back afterwards: one object is compiled and one program linked for each.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time

import mutations

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
TEST_SECONDS = 300


class Wrong(Exception):
    """What keeps the mutations from being judged."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "mutations"))
    parser.add_argument("-j", "--jobs", default=str(os.cpu_count()))
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    chosen = [m for m in mutations.ALL
              if not arguments.names or any(name in m.name for name in arguments.names)]
    problems = misfits(mutations.ALL, read_source)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems or not chosen:
        return 2
    if arguments.check:
        return 0
    try:
        return judge(chosen, Copy(arguments.work, arguments.jobs))
    except Wrong as wrong:
        print(wrong, file=sys.stderr)
        return 2


def read_source(path):
    """The text of a source of the tree; empty where there is none."""
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def misfits(all_mutations, read):
    """What keeps a mutation from applying exactly once, in words."""
    problems = []
    names = [m.name for m in all_mutations]
    for m in all_mutations:
        count = read(m.file).count(m.text)
        if count != 1:
            problems.append(f"mutation \"{m.name}\": its text stands {count} times in {m.file}; "
                            "bring it up to date in tests/mutations/mutations.py")
        if m.text == m.becomes or names.count(m.name) > 1:
            problems.append(f"mutation \"{m.name}\" changes nothing, or shares its name")
    return problems


class Copy:
    """The tracked sources in a folder of their own, with a build beside them."""

    def __init__(self, work, jobs):
        self.tree = os.path.join(work, "tree")
        self.build = os.path.join(work, "build")
        self.jobs = jobs

    def refresh(self):
        """Makes the copy equal to the tree; what has not changed keeps its time."""
        listed = self._run("list the sources of", ["git", "-C", ROOT, "ls-files", "-z", "--cached",
                                                   "--others", "--exclude-standard"])
        paths = {p for p in listed.split("\0") if os.path.isfile(os.path.join(ROOT, p))}
        for folder, _, names in os.walk(self.tree):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.tree)
                if path not in paths:
                    os.remove(os.path.join(self.tree, path))
        for path in sorted(paths):
            with open(os.path.join(ROOT, path), "rb") as file:
                self._put(path, file.read(), os.path.join(ROOT, path))

    def _put(self, path, content, like=None):
        target = os.path.join(self.tree, path)
        try:
            with open(target, "rb") as file:
                if file.read() == content:
                    return
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(content)
        if like is not None:
            shutil.copymode(like, target)

    def put(self, path, text):
        self._put(path, text.encode())

    def configure(self):
        self._run("configure", ["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja",
                                "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
                                "--log-level=WARNING"])

    def compile(self, *binaries):
        """Nothing, or why it does not compile."""
        done = subprocess.run(["cmake", "--build", self.build, "-j", self.jobs, "--target",
                               *binaries], capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stdout[-3000:]

    def test(self, binary, tests):
        """(exit code, what it said) of the tests of a program; a hang ends with a code, too."""
        try:
            done = subprocess.run([os.path.join(self.build, "bin", binary),
                                   f"--gtest_filter={tests}"], capture_output=True, text=True,
                                  errors="replace", timeout=TEST_SECONDS, check=False)
        except subprocess.TimeoutExpired as hung:
            return 124, (hung.stdout or b"").decode(errors="replace")
        return done.returncode, done.stdout

    @staticmethod
    def _run(what, command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Wrong(f"cannot {what} the copy:\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout


def judge(chosen, copy):
    """Tries the mutations one by one and prints the table; 1 when one survives, else 0."""
    copy.refresh()
    copy.configure()
    failed = copy.compile(*sorted({m.binary for m in chosen}))
    if failed:
        raise Wrong(f"the copy does not build without a mutation:\n{failed}")
    for binary, tests in sorted({(m.binary, m.filter) for m in chosen}):
        code, said = copy.test(binary, tests)
        if code != 0 or not re.search(r"\[  PASSED  \] [1-9]", said):
            raise Wrong(f"{binary} --gtest_filter={tests} does not pass without a mutation")
    survivors = 0
    print(f"{'':9} {'seconds':>7}  mutation, and the test that failed first", flush=True)
    for m in chosen:
        start = time.monotonic()
        verdict, detail = attempt(m, copy)
        survivors += verdict != "noticed"
        print(f"{verdict:9} {time.monotonic() - start:7.0f}  {m.name}: {detail}", flush=True)
    print(f"{len(chosen)} mutations, {survivors} survived")
    return 1 if survivors else 0


def attempt(m, copy):
    """("noticed" or "SURVIVED", by which test) of one mutation; the copy is put back."""
    sound = read_source(m.file)
    try:
        copy.put(m.file, sound.replace(m.text, m.becomes))
        failed = copy.compile(m.binary)
        if failed:
            raise Wrong(f"mutation \"{m.name}\" does not compile:\n{failed}")
        code, said = copy.test(m.binary, m.filter)
    finally:
        copy.put(m.file, sound)
    first = re.search(r"\[  FAILED  \] ([\w/.]+)", said)
    running = re.findall(r"\[ RUN      \] ([\w/.]+)", said)
    if code == 0:
        return "SURVIVED", f"{m.binary} --gtest_filter={m.filter}"
    return "noticed", first.group(1) if first else f"{(running or ['?'])[-1]} ended with {code}"


if __name__ == "__main__":
    sys.exit(main())
