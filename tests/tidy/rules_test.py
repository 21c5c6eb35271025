"""Each rule is fed something bad, which it must find, and something good, which it must not.

Samples live in samples.py; a rule without both is itself a failure.
"""

import unittest

import run
import samples
from tree import RULES, Tree


class Rules(unittest.TestCase):
    def test_every_rule_has_samples(self):
        self.assertEqual(sorted(RULES), sorted(samples.BAD))
        self.assertEqual(sorted(RULES), sorted(samples.GOOD))

    def test_bad_samples_are_found(self):
        for name, bad in samples.BAD.items():
            for expected, files, build in bad:
                with self.subTest(rule=name, files=files):
                    found = [f"{c.path}:{c.line}" for c in RULES[name](Tree(files, build))]
                    self.assertEqual(sorted(set(found)), expected)

    def test_good_samples_are_not(self):
        for name, good in samples.GOOD.items():
            for files, build in good:
                with self.subTest(rule=name, files=files):
                    self.assertEqual([str(c) for c in RULES[name](Tree(files, build))], [])

    def test_a_broken_rule_is_an_exit_code(self):
        self.assertEqual(run.report(Tree({"a.cc": "x\t\n"}), ["whitespace_is_plain"]), 1)
        self.assertEqual(run.report(Tree({"a.cc": "x\n"}), ["whitespace_is_plain"]), 0)


if __name__ == "__main__":
    unittest.main()
