"""commands.py finds every command, and a failing one fails the whole."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from unittest import mock

import commands


def outcome(markdown, *options):
    """Exit code and output of commands.py over a file with this text."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(markdown)
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["commands.py", path, *options]):
            with contextlib.redirect_stdout(said):
                return commands.main(), said.getvalue()


class Commands(unittest.TestCase):
    def test_are_taken_from_sh_blocks_only(self):
        text = "```sh\n# first\n$ a  # why\nb \\\n  c\n```\n```lua\nd\n```\n```sh\ne\n```\n"
        self.assertEqual(commands.commands(text), ["a", "b    c", "e"])

    def test_pass_when_all_pass(self):
        code, said = outcome("```sh\ntrue\nmake test\n```\n", "--ran", "make test")
        self.assertEqual(code, 0)
        self.assertTrue(said.endswith("1 commands passed, 0 commands failed\n"))

    def test_fail_when_one_fails(self):
        code, said = outcome("```sh\nfalse | cat\ntrue\n```\n")
        self.assertEqual(code, 1)
        self.assertTrue(said.endswith("1 commands passed, 1 commands failed\n"))

    def test_fail_when_there_are_none(self):
        self.assertEqual(outcome("nothing\n")[0], 1)


if __name__ == "__main__":
    unittest.main()
