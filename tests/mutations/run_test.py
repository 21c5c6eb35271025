"""The runner of mutations says what does not apply, and what survives."""

import contextlib
import io
import unittest

import run
from mutations import Mutation

SOURCE = "a < b; c < d;"


def mutation(text="a < b", becomes="a <= b", name="one"):
    return Mutation(name, "x.cc", text, becomes, "unit", "Law.*")


class FakeCopy:
    """A copy whose tests fail when the source is as in `noticed`."""

    def __init__(self, noticed="", said="[  FAILED  ] Law.Holds\n", compiles=True):
        self.noticed = noticed
        self.said = said
        self.compiles = compiles
        self.text = SOURCE

    def refresh(self):
        pass

    def configure(self):
        pass

    def put(self, _, text):
        self.text = text

    def compile(self, *_):
        return "" if self.compiles or self.text == SOURCE else "error"

    def test(self, *_):
        if self.text == self.noticed:
            return 1, self.said
        return 0, "[  PASSED  ] 3 tests.\n"


def judged(copy, *mutations):
    run.read_source = lambda _: SOURCE
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = run.judge(list(mutations), copy)
    return code, out.getvalue()


class Run(unittest.TestCase):
    def test_a_mutation_applies_exactly_once(self):
        for text, count in (("a < b", 0), ("a > b", 1), ("<", 1)):
            problems = run.misfits([mutation(text)], lambda _: SOURCE)
            self.assertEqual(len(problems), count, problems)

    def test_a_mutation_that_changes_nothing_is_named(self):
        self.assertEqual(len(run.misfits([mutation(becomes="a < b")], lambda _: SOURCE)), 1)

    def test_a_mutation_that_reddens_its_test_is_noticed(self):
        code, said = judged(FakeCopy(noticed="a <= b; c < d;"), mutation())
        self.assertEqual(code, 0)
        self.assertIn("one: Law.Holds", said)

    def test_a_crash_is_noticed_too(self):
        copy = FakeCopy("a <= b; c < d;", "[ RUN      ] Law.Holds\n")
        self.assertIn("Law.Holds ended with 1", judged(copy, mutation())[1])

    def test_a_survivor_is_an_exit_code(self):
        code, said = judged(FakeCopy(), mutation())
        self.assertEqual(code, 1)
        self.assertIn("SURVIVED", said)

    def test_what_does_not_compile_proves_nothing(self):
        with self.assertRaises(run.Wrong):
            judged(FakeCopy(compiles=False), mutation())

    def test_a_filter_without_a_test_proves_nothing(self):
        copy = FakeCopy()
        copy.test = lambda *_: (0, "[  PASSED  ] 0 tests.\n")
        with self.assertRaises(run.Wrong):
            judged(copy, mutation())

    def test_the_source_is_put_back(self):
        copy = FakeCopy()
        judged(copy, mutation())
        self.assertEqual(copy.text, SOURCE)


if __name__ == "__main__":
    unittest.main()
