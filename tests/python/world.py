"""What the tests of the package begin with: two teams' queues, and a job of one pod."""

from datetime import datetime, timezone
from pathlib import Path

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
