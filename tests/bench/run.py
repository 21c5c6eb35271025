#!/usr/bin/env python3
"""Runs benchmark programs, prints one table of their figures, writes them as JSON.

    run.py [--smoke] [--repetitions N] [--filter REGEX] [--json FILE] [--targets FILE]
           [--start NAME=COMMAND] PROGRAM...

Every benchmark is repeated N times, the repetitions of a program in random order, so that a mood of
the machine hits all alike; shown are median, least and greatest. A benchmark may name its floor:
the same work without the part that is measured, timed in the same run; the table has the ratio.
--start adds the time of a process from start to exit. --targets names what is aimed at: a line has
a limit (`<=` or `>=`, number, unit; `x` is the ratio to the floor) and the name of a figure; the
table says which are met. --smoke runs each benchmark once on a tiny input and is the test that they
work.
"""

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

SUFFIX = re.compile(r"(/(iterations|repeats|min_time):[^/]*|/manual_time|/real_time)+$")
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# What Google Benchmark says about every run; the other keys are a benchmark's own counters.
COMMON = {"name", "family_index", "per_family_instance_index", "run_name", "run_type",
          "repetitions", "repetition_index", "threads", "iterations", "real_time", "cpu_time",
          "time_unit", "label", "error_occurred", "error_message"}
FLOOR_COUNTER = "floor, s"
WORDS = {"items_per_second": "a second"}


def run_program(program, options):
    """Google Benchmark's own report of one program."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.json")
        command = [program, f"--benchmark_out={out}", "--benchmark_out_format=json",
                   f"--benchmark_repetitions={options.repetitions}",
                   "--benchmark_enable_random_interleaving=true"]
        if options.filter:
            command.append(f"--benchmark_filter={options.filter}")
        if options.smoke:
            command.append("--smoke")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as file:
            text = file.read()
    # A program in which the filter leaves nothing writes nothing.
    return json.loads(text) if text.strip() else {"context": {}, "benchmarks": []}


def samples_of(report):
    """Benchmark name -> its runs, in the order of registration."""
    runs = [run for run in report["benchmarks"] if run["run_type"] == "iteration"]
    by_name = {}
    for run in sorted(runs, key=lambda run: run["family_index"]):
        by_name.setdefault(SUFFIX.sub("", run["name"]), []).append(run)
    return by_name


def figure(what, unit, values):
    return {"what": what, "unit": unit, "median": statistics.median(values), "min": min(values),
            "max": max(values), "values": values}


def figures_of(name, runs):
    """The time of a benchmark, then its counters; or why there is none."""
    skipped = [run["error_message"] for run in runs if run.get("error_occurred")]
    if skipped:
        return [{"what": name, "skipped": skipped[0]}]
    times = [run["real_time"] * SECONDS[run["time_unit"]] for run in runs]
    figures = [figure(name, "s", times)]
    if FLOOR_COUNTER in runs[0]:
        ratios = [taken / run[FLOOR_COUNTER] for taken, run in zip(times, runs)]
        figures[0]["floor"] = {"ratio": statistics.median(ratios), "name": "measured beside it"}
    for counter in runs[0]:
        if counter not in COMMON and counter != FLOOR_COUNTER:
            values = [run[counter] for run in runs]
            figures.append(figure(f"{name}: {WORDS.get(counter, counter)}", "", values))
    return figures


def add_floors(samples, figures):
    """Ratios to the benchmarks that others name as their floor."""
    times = {entry["what"]: entry["median"] for entry in figures if entry.get("unit") == "s"}
    for name, runs in samples.items():
        floor = runs[0].get("label", "").removeprefix("floor=")
        for entry in figures:
            if entry["what"] == name and floor in times and "median" in entry:
                entry["floor"] = {"ratio": entry["median"] / times[floor], "name": floor}


def time_start(start, repetitions):
    """The figure of NAME=COMMAND: the processor time aside, what a user waits for."""
    name, command = start.split("=", 1)
    times = []
    for _ in range(10 * repetitions):
        begin = time.perf_counter()
        subprocess.run(shlex.split(command), check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begin)
    return figure(f"start/{name}", "s", times)


TARGET = re.compile(r"(<=|>=)\s+([0-9.]+)\s*(s|ms|us|ns|x|)\s{2,}(\S.*)")


def add_targets(path, figures):
    """Puts the limit that a figure should keep, and whether its median does, into the figure."""
    by_name = {entry["what"]: entry for entry in figures}
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    for line in lines:
        if not line or line.startswith("#"):
            continue
        found = TARGET.fullmatch(line)
        if not found:
            sys.exit(f"run.py: {path}: not a target: {line}")
        sign, number, unit, what = found.groups()
        entry = by_name.get(what)
        if entry is None or "median" not in entry:
            continue
        value = entry["floor"]["ratio"] if unit == "x" else entry["median"]
        limit = float(number) * SECONDS.get(unit, 1.0)
        met = value <= limit if sign == "<=" else value >= limit
        entry["target"] = {"limit": f"{sign} {number} {unit}".strip(), "met": met}


def readable(value, unit):
    """(number, unit) with at most four digits that matter."""
    if unit == "s":
        for name, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
            if value * factor >= 1 or name == "ns":
                return f"{value * factor:.4g}", name
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}", unit


def print_table(figures):
    """One line a figure; the unit is that of the median, and the spread is in it too."""
    rows = [("what", "median", "least", "greatest", "unit", "x floor", "target", "")]
    for entry in figures:
        if "skipped" in entry:
            rows.append((entry["what"], entry["skipped"], "", "", "", "", "", ""))
            continue
        median, unit = readable(entry["median"], entry["unit"])
        factor = 1 / SECONDS.get(unit, 1.0) if entry["unit"] == "s" else 1.0
        spread = [readable(entry[key] * factor, "")[0] for key in ("min", "max")]
        ratio = f"{entry['floor']['ratio']:.2f}" if "floor" in entry else ""
        target = entry.get("target", {"limit": "", "met": True})
        verdict = ("met" if target["met"] else "MISSED") if target["limit"] else ""
        rows.append((entry["what"], median, *spread, unit, ratio, target["limit"], verdict))
    # A message instead of figures may run over the columns to its right.
    widths = [max(len(row[i]) for row in rows if i == 0 or row[2]) for i in range(8)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [row[i].rjust(widths[i]) for i in (1, 2, 3)]
        cells += [row[4].ljust(widths[4]), row[5].rjust(widths[5]), row[6].ljust(widths[6]), row[7]]
        print("  ".join(cells).rstrip())


def commit():
    answer = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True,
                            text=True, check=False, cwd=os.path.dirname(os.path.abspath(__file__)))
    return answer.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--smoke", action="store_true", help="each once, on a tiny input")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--filter", help="only benchmarks whose name matches this regex")
    parser.add_argument("--json", help="where the figures go")
    parser.add_argument("--targets", help="what is aimed at, a figure a line")
    parser.add_argument("--start", help="a process to time from start to exit")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    options = parser.parse_args()
    if options.smoke:
        options.repetitions = 1
    figures, context = [], {}
    for program in options.programs:
        report = run_program(os.path.abspath(program), options)
        samples = samples_of(report)
        own = [entry for name, runs in samples.items() for entry in figures_of(name, runs)]
        add_floors(samples, own)
        figures += own
        context = context or report["context"]
    if options.start and not options.filter:
        figures.append(time_start(options.start, options.repetitions))
    if not figures:
        sys.exit("run.py: no benchmark matches")
    if options.targets:
        add_targets(options.targets, figures)
    print_table(figures)
    failed = [e["what"] for e in figures if not e.get("skipped", "skipped:").startswith("skipped:")]
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"commit": commit(), "repetitions": options.repetitions, "context": context,
                       "figures": figures}, file, indent=1)
            file.write("\n")
    if failed:
        sys.exit("run.py: failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
