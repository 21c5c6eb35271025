"""Says again at the end what failed, or passed in a second try only, and how its output ended.

    failures.py RESULT.xml ...

A log of an hour is often kept only in part, and its end is what people read. A file that is missing
or broken is named, so that nothing passes for "no failure".
"""

import os
import sys
import xml.etree.ElementTree

LINES = 40  # of a test's output: enough for the report of a sanitizer


def failed(path):
    """Name, what became of it, and output of each test of a JUnit file that failed at least once.

    Raises OSError or xml.etree.ElementTree.ParseError when the file cannot be read.
    """
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        if case.find("failure") is not None or case.find("error") is not None:
            yield case.get("name"), "FAILED", output
        elif case.get("status") == "unsteady":  # tests/ci/run_ctest.py
            yield case.get("name"), "UNSTEADY: it failed, and passed alone", output


def main(paths):
    for path in paths:
        suite = os.path.splitext(os.path.basename(path))[0]
        try:
            for name, end, output in failed(path):
                print(f"---- {suite}: {name} {end}; its last lines:")
                print("\n".join(output.rstrip().split("\n")[-LINES:]))
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            print(f"---- {suite}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
