""".ci/run counts what ran and fails whenever anything did.

Method: a repository of stubs, whose Makefile writes result files as ctest does, around the real
script; each test breaks one thing in it.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

MAKEFILE = """\
TEST = 5 0 1
all = @printf '<testsuite\\n\\ttests="%s"\\n\\tfailures="%s"\\n\\tdisabled="0"\\n\\tskipped="%s"\\n'
one = @printf '\\t<testcase name="%s" classname="x">\\n\\t\\t<skipped message="no"/>\\n'
MAY_SKIP = db/OneWriter.ALedgerMountedAsASingleFileIsRefused
.PHONY: test check demo
test:
\t$(all) $(TEST) > build/results/test.xml
\t$(one) $(MAY_SKIP) >> build/results/test.xml
check:
\t$(all) 2 0 0 > build/results/long.xml
\t$(all) 7 0 0 > build/results/asan.xml
demo:
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.said = ""
        self.addCleanup(shutil.rmtree, self.folder)
        for path in (".ci/run", "tests/ci/commands.py", "tests/ci/failures.py"):
            target = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(os.path.join(TOP, path), target)
        self.write("Makefile", MAKEFILE)
        self.write("README.md", "```sh\nmake test\ntrue\n```\n")
        self.write("examples/one/demo.sh", "true\n")
        self.write(".gitignore", "/build/\n")

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def outcome(self):
        """Exit code and the two closing lines of .ci/run over the stubs, committed first."""
        def git(*words):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words],
                           cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        git("init", "-q")
        git("add", ".")
        git("commit", "-q", "-m", "stubs")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
        done = subprocess.run(["bash", ".ci/run"], cwd=self.folder, check=False, text=True,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.said = done.stdout
        return done.returncode, *done.stdout.rstrip("\n").split("\n")[-2:]

    def test_adds_up_tests_examples_and_commands(self):
        # 5 + 2 + 7 tests less one skipped, the demo, one example, the README, a clean tree.
        self.assertEqual(self.outcome(), (0, "1 skipped", "17 passed, 0 failed"))

    def test_fails_when_a_test_fails(self):
        self.write("Makefile", MAKEFILE.replace("5 0 1", "5 2 1") + "\t@false\n")
        self.assertEqual(self.outcome()[0], 1)

    def test_says_at_the_end_which_tests_and_stages_failed_and_why(self):
        self.write("failing.xml", '<testsuite\n\ttests="2"\n\tfailures="1"\n\tdisabled="0"\n'
                   '\tskipped="0">\n<testcase name="http/Ends"><failure message=""/>'
                   '<system-out>one\ntook 3 s, more than 2\n</system-out></testcase>'
                   '<testcase name="http/Load"/></testsuite>\n')
        self.write("Makefile", re.sub(r"test:\n.*\n.*\n", "test:\n\tcp failing.xml "
                                      "build/results/test.xml\n\tfalse\n", MAKEFILE, count=1))
        self.write("examples/one/demo.sh", "false\n")
        self.assertEqual(self.outcome(), (1, "0 skipped", "13 passed, 2 failed"))
        end = self.said[self.said.rindex("nothing left behind: "):]
        for words in ("stage FAILED: examples/one", "test: http/Ends FAILED",
                      "took 3 s, more than 2"):
            self.assertIn(words, end)
        self.assertNotIn("http/Load", end)

    def test_fails_when_a_test_is_skipped_that_may_not_be(self):
        self.write("Makefile", MAKEFILE.replace("MAY_SKIP = ", "MAY_SKIP = other/"))
        self.assertEqual(self.outcome(), (1, "1 skipped", "17 passed, 1 failed"))

    def test_fails_when_the_build_fails_before_any_test(self):
        self.write("Makefile", re.sub(r"test:\n.*\n", "test:\n\tfalse\n", MAKEFILE, count=1))
        self.assertEqual(self.outcome()[0], 1)

    def test_fails_when_a_stage_leaves_no_results(self):
        self.write("Makefile", re.sub(r".*asan.xml\n", "", MAKEFILE))
        self.assertEqual(self.outcome(), (1, "1 skipped", "10 passed, 1 failed"))

    def test_fails_when_check_fails_without_a_failed_test(self):
        self.write("Makefile", MAKEFILE.replace("demo:", "\tfalse\ndemo:"))
        self.assertEqual(self.outcome(), (1, "1 skipped", "17 passed, 1 failed"))

    def test_fails_when_an_example_fails_or_has_no_script(self):
        self.write("examples/one/demo.sh", "false\n")
        self.write("examples/two/README.md", "nothing to run\n")
        self.assertEqual(self.outcome(), (1, "1 skipped", "16 passed, 2 failed"))

    def test_fails_when_the_readme_is_gone_or_wrong(self):
        self.write("README.md", "```sh\nfalse\n```\n")
        self.assertEqual(self.outcome(), (1, "1 skipped", "16 passed, 1 failed"))
        os.remove(os.path.join(self.folder, "README.md"))
        self.assertEqual(self.outcome(), (1, "1 skipped", "16 passed, 1 failed"))

    def test_fails_when_something_is_left_behind(self):
        self.write("examples/one/demo.sh", "echo > litter\n")
        self.assertEqual(self.outcome(), (1, "1 skipped", "16 passed, 1 failed"))


if __name__ == "__main__":
    unittest.main()
