"""Submits a job: submit.py STATE NAMESPACE/NAME CPUS COMMAND..."""

import json
import socket
import sys


def submit(state, job):
    """Hands one job to the gateway of `state`; returns its answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"{state}/socket")
        connection.sendall(json.dumps(job).encode() + b"\n")
        return json.loads(connection.makefile().readline())


def main():
    state, name, cpus, *command = sys.argv[1:]
    print(json.dumps(submit(state, {"name": name, "cpus": int(cpus), "command": command})))


if __name__ == "__main__":
    main()
