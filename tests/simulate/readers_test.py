"""Every published log of the folder `shared`, as `muster simulate` reads it, against csv and split.

    readers_test.py MUSTER SHARED
"""

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime

from time_to_start import FLAVOR, QUEUE

MUSTER, TRACES = sys.argv[1], os.path.join(sys.argv[2], "traces")
FIRST = 150


def lines_of(path):
    """Text lines of a log, compressed or not."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(os.path.join(TRACES, path), "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def table(path):
    """Rows of a log with a header, without the comments before it."""
    lines = [line for line in lines_of(path) if not line.startswith("# ") and line.strip()]
    return list(csv.DictReader(lines))


def helios():
    """(name, queue, submit, run, size), as all below."""
    return [(row["job_id"], row["tenant"], int(row["submit_time"]) / 1e6, float(row["duration_s"]),
             int(row["num_chips"])) for row in table("helios-venus/helios_venus_2vc_sept.csv")]


def philly():
    """Its dates are taken as UTC."""
    rows = table("philly/philly_2017-09_2017-10.csv.gz")
    origin = datetime(1970, 1, 1)
    return [(None, row["cluster"],
             (datetime.fromisoformat(row["timestamp"]) - origin).total_seconds(),
             float(row["duration"]), int(row["num_gpus"])) for row in rows]


def gangs():
    """Sizes are the sums of shapes."""
    rows = table("philly/philly_gangs_2017-08_2017-10.csv.gz")
    return [(row["#job id"], "", float(row["arrival time (sec)"]), float(row["duration (sec)"]),
             sum(map(int, row["shape"].split("+")))) for row in rows]


def openb(path):
    """A pod that was never scheduled, or wants no GPU, is no job."""
    jobs = []
    for row in table(path):
        ran = row["scheduled_time"] and row["deletion_time"]
        run = float(row["deletion_time"]) - float(row["scheduled_time"]) if ran else 0
        jobs.append((row["name"], row["qos"], float(row["creation_time"]), run,
                     int(row["num_gpu"])))
    return jobs


def swf(path):
    """Size is what was given or asked for, whichever is more."""
    jobs = []
    for line in lines_of(path):
        words = line.split(";")[0].split()
        if not words:
            continue
        queue = words[14] if int(words[14]) >= 0 else ""
        jobs.append((words[0], queue, float(words[1]), float(words[3]),
                     max(int(words[4]), int(words[7]))))
    return jobs


LOGS = {
    "helios-venus/helios_venus_2vc_sept.csv": helios,
    "philly/philly_2017-09_2017-10.csv.gz": philly,
    "philly/philly_gangs_2017-08_2017-10.csv.gz": gangs,
    **{path: lambda path=path: openb(path)
       for path in ("openb/openb_pod_list_default.csv.gz",
                    "openb/openb_pod_list_gpuspec33.csv.gz")},
    **{path: lambda path=path: swf(path)
       for path in ("swf/SDSC-SP2-1998-4.2-cln.swf.gz",
                    "swf/SDSC-BLUE-2000-4.2-cln.weeks01-26.swf.gz",
                    "swf/lublin_256.swf.gz", "swf/lublin_256_new2.swf.gz")},
}


class Readers(unittest.TestCase):
    """One test a log."""

    def check(self, path, read):
        """The first jobs, one by one, and how many are left out of all."""
        jobs = read()
        kept = [job for job in jobs if job[3] > 0 and job[4] > 0]
        kept.sort(key=lambda job: job[2])
        with tempfile.TemporaryDirectory() as folder:
            cluster, each = (os.path.join(folder, name) for name in ("cluster.yaml", "each.csv"))
            with open(cluster, "w", encoding="utf-8") as out:
                out.write(FLAVOR + QUEUE.format(name="all", quota=100_000))
            said = subprocess.run(
                [MUSTER, "simulate", "-f", cluster, "--jobs", os.path.join(TRACES, path),
                 "--queue", "all", "--first", str(FIRST), "--each-job", each, "-o", "json"],
                check=True, capture_output=True, text=True)
            with open(each, encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(sum(json.loads(said.stdout)["leftOut"].values()), len(jobs) - len(kept))
        self.assertEqual(len(rows), FIRST)
        origin = float(rows[0]["submitted"]) - kept[0][2]
        for row, (name, queue, submit, run, size) in zip(rows, kept):
            self.assertEqual((row["queue"], int(row["size"])), (queue, size))
            if name is not None:
                self.assertEqual(row["job"], name)
            self.assertAlmostEqual(float(row["submitted"]), submit + origin, places=5)
            self.assertAlmostEqual(float(row["ended"]) - float(row["submitted"]), run, places=5)


for index, (log, reader) in enumerate(LOGS.items()):
    setattr(Readers, f"test_{index}_" + os.path.basename(log).split(".")[0].replace("-", "_"),
            lambda self, log=log, reader=reader: self.check(log, reader))

if __name__ == "__main__":
    if not os.path.isdir(TRACES):
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
