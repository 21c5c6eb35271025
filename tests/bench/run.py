#!/usr/bin/env python3
"""Runs benchmark programs, prints one table of their figures, writes them as JSON.

    run.py [--smoke] [--repetitions N] [--filter REGEX] [--json FILE] PROGRAM...

Every benchmark is repeated N times, the repetitions of a program in random order, so that a mood of
the machine hits all alike; shown are median, least and greatest. A benchmark may name its floor:
the same work without the part that is measured, timed in the same run; the table has the ratio.
--smoke runs each benchmark once on a tiny input and is the test that they work.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

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
        ratios = [time / run[FLOOR_COUNTER] for time, run in zip(times, runs)]
        figures[0]["floor"] = {"ratio": statistics.median(ratios), "name": "plain SQLite"}
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


def readable(value, unit):
    """(number, unit) with at most four digits that matter."""
    if unit == "s":
        for name, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
            if value * factor >= 1 or name == "ns":
                return f"{value * factor:.4g}", name
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}", unit


def print_table(figures):
    """One line a figure; the unit is that of the median, and the spread is in it too."""
    rows = [("what", "median", "least", "greatest", "unit", "x floor")]
    for entry in figures:
        if "skipped" in entry:
            rows.append((entry["what"], entry["skipped"], "", "", "", ""))
            continue
        median, unit = readable(entry["median"], entry["unit"])
        factor = 1 / SECONDS.get(unit, 1.0) if entry["unit"] == "s" else 1.0
        spread = [readable(entry[key] * factor, "")[0] for key in ("min", "max")]
        ratio = f"{entry['floor']['ratio']:.2f}" if "floor" in entry else ""
        rows.append((entry["what"], median, *spread, unit, ratio))
    # A message instead of figures may run over the columns to its right.
    widths = [max(len(row[i]) for row in rows if i == 0 or row[2]) for i in range(6)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [row[i].rjust(widths[i]) for i in (1, 2, 3)]
        cells += [row[4].ljust(widths[4]), row[5].rjust(widths[5])]
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
    if not figures:
        sys.exit("run.py: no benchmark matches")
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
