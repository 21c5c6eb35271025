#!/usr/bin/env python3
"""Compares the benchmarks of two builds and says which differences are real.

    compare.py [--rounds N] [--filter REGEX] BASE PROGRAM

The two programs run in turn, N rounds, each benchmark once a round, so that what else the machine
does hits both alike. For each benchmark the ratio of times is taken round by round; a difference is
real when the median of the ratios is 3 % or more away from 1 and a sign test over the rounds finds
the chance of such a run of luck below 1 %.
"""

import argparse
import math
import os
import statistics
import sys
import types

from run import SECONDS, run_program, samples_of

LEAST = 0.03
CHANCE = 0.01


def times(program, pattern):
    """Benchmark name -> seconds of one run."""
    options = types.SimpleNamespace(repetitions=1, filter=pattern, smoke=False)
    samples = samples_of(run_program(program, options))
    return {name: runs[0]["real_time"] * SECONDS[runs[0]["time_unit"]]
            for name, runs in samples.items() if not runs[0].get("error_occurred")}


def chance(slower, rounds):
    """Two-sided probability of so uneven a split, were both equally quick."""
    uneven = max(slower, rounds - slower)
    tail = sum(math.comb(rounds, k) for k in range(uneven, rounds + 1)) / 2 ** rounds
    return min(1.0, 2 * tail)


def verdict(ratios):
    median = statistics.median(ratios)
    slower = sum(ratio > 1 for ratio in ratios)
    real = abs(median - 1) >= LEAST and chance(slower, len(ratios)) < CHANCE
    return median, ("slower" if median > 1 else "quicker") if real else "the same, as far as seen"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--filter", help="only benchmarks whose name matches this regex")
    parser.add_argument("base", metavar="BASE")
    parser.add_argument("program", metavar="PROGRAM")
    options = parser.parse_args()
    ratios = {}
    for round_number in range(options.rounds):
        programs = [options.base, options.program]
        if round_number % 2:
            programs.reverse()
        measured = {program: times(os.path.abspath(program), options.filter)
                    for program in programs}
        for name, seconds in measured[options.program].items():
            before = measured[options.base].get(name)
            if before:
                ratios.setdefault(name, []).append(seconds / before)
    if not ratios:
        sys.exit("compare.py: the two have no benchmark in common that matches")
    width = max(map(len, ratios))
    for name, values in ratios.items():
        median, words = verdict(values)
        print(f"{name:<{width}}  x {median:6.3f}  ({min(values):.3f} .. {max(values):.3f})  "
              f"{words}")


if __name__ == "__main__":
    main()
