"""Each line of slow_with_sanitizers.txt begins the name of a test.

    slow_tests_test.py BUILD
"""

import json
import os
import subprocess
import sys

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slow_with_sanitizers.txt")


def main(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                            text=True, stdout=subprocess.PIPE).stdout
    names = [test["name"] for test in json.loads(listed[listed.index("{"):])["tests"]]
    with open(LIST, encoding="utf-8") as file:
        begins = [line.strip() for line in file if not line.startswith("#")]
    wrong = [each for each in begins if not any(name.startswith(each) for name in names)]
    print("\n".join(f"{LIST}: no test begins with {each}" for each in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
