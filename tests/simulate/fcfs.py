"""First come, first served on a machine of equal processors, as naively as it can be written.

Knows nothing of Muster: reads a log in the Standard Workload Format and says when each job starts
and ends. Jobs that did not run are left out, as `muster simulate` leaves them out.
"""

import gzip


def jobs_of(path, first=None):
    """(id, submit, run, processors) in order of submit, those of one second in the log's order."""
    jobs = []
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as log:
        for line in log:
            fields = line.split(";")[0].split()
            if not fields:
                continue
            submit, run = int(float(fields[1])), int(float(fields[3]))
            size = max(int(fields[4]), int(fields[7]))
            if run > 0 and size > 0:
                jobs.append((fields[0], submit, run, size))
    jobs.sort(key=lambda job: job[1])
    return jobs[:first]


def first_come_first_served(jobs, processors):
    """{id: (start, end)}: no job starts before one that came earlier."""
    running = []  # (end, size)
    spans = {}
    free = processors
    now = 0
    for name, submit, run, size in jobs:
        now = max(now, submit)
        while True:
            for span in [span for span in running if span[0] <= now]:
                running.remove(span)
                free += span[1]
            if free >= size:
                break
            now = min(end for end, _ in running)
        running.append((now + run, size))
        free -= size
        spans[name] = (now, now + run)
    return spans
