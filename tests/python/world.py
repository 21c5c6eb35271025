"""What the tests of the package begin with: two teams' queues, and a job of one pod."""

import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]
NOON = datetime(2026, 1, 1, 12, tzinfo=timezone.utc)
QUEUES = (TOP / "examples/gateway-in-c/queues.yaml").read_text("utf-8")


def job(cpu: str = "1") -> str:
    """Of team-a; its pod asks for `cpu`."""
    return f"""
apiVersion: batch/v1
kind: Job
metadata: {{namespace: team-a, name: shape, labels: {{kueue.x-k8s.io/queue-name: jobs}}}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {{name: main, image: none, resources: {{requests: {{cpu: {cpu}}}}}}}
"""


JOB = job()


def wait_for(found: Callable[[], Any], seconds: float = 120) -> Any:
    """What `found` returns once it is something."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if what := found():
            return what
        time.sleep(0.02)
    raise TimeoutError(str(found))
