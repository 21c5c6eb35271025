"""Runs the rules of this folder over the source tree.

    run.py --root DIR [--build DIR] [RULE...]     exit 1 when a rule is broken
    run.py --list                                 the rules' names
"""

import argparse
import sys

import code_rules
import coverage_rules
import include_rules
import text_rules
from tree import RULES, Tree

assert all((code_rules, coverage_rules, include_rules, text_rules))  # imported for their rules


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=".")
    parser.add_argument("--build", help="build directory, for the rules that compare with it")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("rules", nargs="*", metavar="RULE", help="default: all")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(RULES))
        return 0
    return report(Tree.from_disk(arguments.root, arguments.build), arguments.rules or RULES)


def report(tree, rules):
    """Prints what breaks `rules`; 1 when something does, else 0."""
    broken = 0
    for name in rules:
        complaints = sorted(set(RULES[name](tree)))
        for complaint in complaints:
            print(f"{complaint} [{name}]")
        broken += bool(complaints)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
