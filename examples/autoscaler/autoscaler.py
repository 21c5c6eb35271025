"""A cluster autoscaler as the controller of an AdmissionCheck, like Kueue's ProvisioningRequests.

    autoscaler.py LEDGER NOW CLOUD

Looks once at the jobs in LEDGER that hold quota and wait for the check `provisioning`, and answers
for those whose request is decided at NOW (RFC 3339). CLOUD is a JSON file that plays the provider:
how many nodes it still has, how long one takes to come, and what was requested so far.

One request for each attempt, named with its number. A request that cannot be had fails after the
same time; the answer is a retry, 60 s later and then twice as long each time, until the attempts
are used up: then the job is rejected. Nodes that come belong to the job that asked,
by a node selector.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile

CHECK = "provisioning"
MUSTER = os.environ.get("MUSTER", "muster")
BACKOFF_LIMIT, BACKOFF_BASE, BACKOFF_MAX = 3, 60, 1800


def muster(ledger, now, *words):
    """Runs a verb on the ledger at `now` and returns what it prints."""
    done = subprocess.run([MUSTER, *words, "--db", ledger, *(["--now", now] if now else [])],
                          check=True, capture_output=True, text=True)
    return done.stdout


def waiting(ledger):
    """(workload, its check's status, nodes it needs) of the jobs that hold quota and wait."""
    for item in json.loads(muster(ledger, None, "get", "workloads", "-o", "json"))["items"]:
        status = item.get("status", {})
        if "admission" not in status:
            continue
        nodes = sum(each["count"] for each in status["admission"]["podSetAssignments"])
        for check in status.get("admissionChecks", []):
            if check["name"] == CHECK and check["state"] == "Pending":
                yield f"{item['metadata']['namespace']}/{item['metadata']['name']}", check, nodes


def request(cloud, name, nodes, now):
    """The request called `name`; a new one takes its nodes from the stock, if there are enough."""
    if name not in cloud["requests"]:
        granted = nodes <= cloud["stock"]
        cloud["stock"] -= nodes if granted else 0
        due = now + datetime.timedelta(seconds=cloud["delaySeconds"])
        cloud["requests"][name] = {"granted": granted, "due": due.isoformat()}
        print(f"{name}: {nodes} nodes requested")
    return cloud["requests"][name]


def answer(ledger, now, workload, attempt, name, granted):
    """Tells the ledger what became of a request."""
    if granted:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as pods:
            pods.write(f"- name: main\n  nodeSelector: {{request: {name}}}\n")
            pods.flush()
            said = muster(ledger, now, "check", workload, CHECK, "ready", "--message",
                          f"provisioned by {name}", "--pod-set-updates", pods.name)
    elif attempt <= BACKOFF_LIMIT:
        delay = min(BACKOFF_MAX, BACKOFF_BASE * 2 ** (attempt - 1))
        said = muster(ledger, now, "check", workload, CHECK, "retry", "--message", "no capacity",
                      "--requeue-after", str(delay))
    else:
        said = muster(ledger, now, "check", workload, CHECK, "rejected", "--message",
                      f"no capacity after {attempt} attempts")
    print(f"{name}: {'provisioned' if granted else 'failed'}; {said.strip()}")


def main():
    ledger, now_text, cloud_file = sys.argv[1:]
    now = datetime.datetime.fromisoformat(now_text.replace("Z", "+00:00"))
    with open(cloud_file, encoding="utf-8") as file:
        cloud = json.load(file)
    for workload, check, nodes in list(waiting(ledger)):
        attempt = check.get("retryCount", 0) + 1
        name = f"{workload.split('/')[1]}-{CHECK}-{attempt}"
        made = request(cloud, name, nodes, now)
        if datetime.datetime.fromisoformat(made["due"]) <= now:
            answer(ledger, now_text, workload, attempt, name, made["granted"])
    with open(cloud_file, "w", encoding="utf-8") as file:
        json.dump(cloud, file)


if __name__ == "__main__":
    main()
