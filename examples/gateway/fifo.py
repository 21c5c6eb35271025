"""A job gateway as companies have them: first come, first served, on four CPUs.

    fifo.py STATE

It takes jobs over STATE/socket and starts real processes. One big job at the front blocks all
others, a team that submits a thousand jobs has the cluster, and nothing ever makes room.
"""

import sys
import time
from pathlib import Path

from door import Door
from runs import Runs

CPUS = 4


def main():
    state = Path(sys.argv[1])
    runs = Runs(state / "runs")
    waiting = []

    def take(job):
        waiting.append(job)
        return {"created": 1}

    door = Door(state / "socket", take)
    number = 0
    while door:
        for run in runs.unreported():
            run.mark("reported")
        free = CPUS - sum(run.job["cpus"] for run in runs if run.exit is None)
        while waiting and waiting[0]["cpus"] <= free:
            job = waiting.pop(0)
            free -= job["cpus"]
            number += 1
            runs.start(f"{number:09}", job)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
