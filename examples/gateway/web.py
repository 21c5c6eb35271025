"""The gateway over HTTP: jobs are posted, asked about and withdrawn; each is a real process.

    web.py STATE PORT [QUEUES.yaml]

    curl -H 'Content-Type: application/json' \\
        -d '{"name": "team-a/hello", "cpus": 1, "command": ["echo", "hello"]}' localhost:PORT/jobs
    curl localhost:PORT/jobs/team-a/hello
    curl -X DELETE localhost:PORT/jobs/team-a/hello

A port of 0 is one that is free; STATE/port says which. It knows no callers: any program of this
machine that reaches the port runs commands as the gateway, but no page of another site does.
"""

import sys
import threading
import time
from pathlib import Path

import muster
from gateway import HERE, Gateway
from routes import Routes

app = Routes({muster.NotFound: 404, muster.FailedPrecondition: 409, muster.MusterError: 400})
gateway = None


@app.route("POST", "/jobs")
def submit(body):
    created = gateway.take(body)
    return created, 201 if created["created"] else 200


@app.route("GET", "/jobs/<namespace>/<name>")
def job(namespace, name):
    """Where it is and, while it waits, why."""
    workload = f"{namespace}/{name}"
    phase = gateway.engine.phase(workload)
    told = {"name": workload, "phase": phase.name.lower()}
    if phase is muster.Phase.PENDING:
        why = gateway.engine.explain(workload)
        told.update(why=why["verdict"], cure=why["cure"])
    return told


@app.route("DELETE", "/jobs/<namespace>/<name>")
def cancel(namespace, name):
    """It is forgotten at once; its process is asked to leave by the loop."""
    gateway.engine.cancel([f"{namespace}/{name}"])
    return {"cancelled": f"{namespace}/{name}"}, 202


@app.route("GET", "/queues")
def queues():
    return gateway.engine.get("clusterqueues")


def main():
    global gateway
    state = Path(sys.argv[1])
    gateway = Gateway(state, Path(sys.argv[3]) if len(sys.argv) > 3 else HERE / "queues.yaml")
    server = app.listen(int(sys.argv[2]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (state / "port").write_text(f"{server.server_port}\n", "utf-8")
    while True:
        gateway.step()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
