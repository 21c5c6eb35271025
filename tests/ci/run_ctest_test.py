"""A second try passes what only the clock failed, says so, and hides nothing else.

Method: a directory of ctest with commands of one line; one that fails the first time keeps a file.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ONCE = "test -e {0} || {{ touch {0}; echo {1}; false; }}"


class RunCtest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.result = os.path.join(self.folder, "result.xml")

    def run_tests(self, **tests):
        """Exit code of ctest over tests, name=(label, shell command), and what CI says at the end.
        """
        with open(os.path.join(self.folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            for name, (label, command) in tests.items():
                run = f"sh -c [==[{command}]==]" if command else "/there/is/no/such/program"
                file.write(f"add_test({name} {run})\n"
                           f"set_tests_properties({name} PROPERTIES LABELS \"{label}\" "
                           f"SKIP_RETURN_CODE 77 WORKING_DIRECTORY {self.folder})\n")
        code = subprocess.run(
            [sys.executable, os.path.join(HERE, "run_ctest.py"), "--test-dir", self.folder,
             "--no-tests=error", "-j2", "--output-junit", self.result], check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        said = subprocess.run([sys.executable, os.path.join(HERE, "failures.py"), self.result],
                              check=True, text=True, stdout=subprocess.PIPE).stdout
        return code, said

    def test_nothing_is_said_where_all_pass(self):
        self.assertEqual(self.run_tests(a=("", "true"), b=("clock", "true")), (0, ""))

    def test_a_test_of_the_clock_that_passes_alone_is_named_as_unsteady(self):
        code, said = self.run_tests(a=("", "true"), b=("x;clock", ONCE.format("b", "took 3 s")),
                                    c=("", "exit 77"))
        self.assertEqual(code, 0)
        self.assertIn("result: b UNSTEADY", said)
        self.assertIn("took 3 s", said)
        with open(self.result, encoding="utf-8") as file:
            self.assertIn('failures="0"', file.read())

    def test_it_fails_when_it_fails_again(self):
        code, said = self.run_tests(a=("clock", "echo late; false"))
        self.assertNotEqual(code, 0)
        self.assertIn("result: a FAILED", said)

    def test_no_other_test_is_tried_again(self):
        code, said = self.run_tests(a=("", ONCE.format("a", "no")))
        self.assertNotEqual(code, 0)
        self.assertIn("result: a FAILED", said)

    def test_nor_one_beside_another_that_failed(self):
        code, said = self.run_tests(a=("clock", ONCE.format("a", "no")), b=("", "false"))
        self.assertNotEqual(code, 0)
        self.assertIn("result: a FAILED", said)
        self.assertIn("result: b FAILED", said)

    def test_nor_beside_one_whose_program_is_missing(self):
        self.assertNotEqual(self.run_tests(a=("clock", ONCE.format("a", "no")), b=("", ""))[0], 0)

    def test_one_that_is_skipped_alone_has_not_passed(self):
        self.assertNotEqual(self.run_tests(
            a=("clock", "test -e a && exit 77; touch a; false"))[0], 0)

    def test_nor_after_the_report_of_a_sanitizer_or_a_crash(self):
        for report in ("AddressSanitizer: heap-use-after-free", "x.cc:1: runtime error: overflow",
                       "terminate called"):
            code, said = self.run_tests(a=("clock", ONCE.format("a", f'"{report}"')))
            self.assertNotEqual(code, 0)
            self.assertIn(report, said)
            os.remove(os.path.join(self.folder, "a"))
        crash = "test -e a || { touch a; kill -SEGV $$; }"
        self.assertNotEqual(self.run_tests(a=("clock", crash))[0], 0)

    def test_nor_when_many_fail_at_once(self):
        names = "abcd"
        code, said = self.run_tests(**{n: ("clock", ONCE.format(n, "no")) for n in names})
        self.assertNotEqual(code, 0)
        self.assertEqual(said.count("FAILED"), len(names))


if __name__ == "__main__":
    unittest.main()
