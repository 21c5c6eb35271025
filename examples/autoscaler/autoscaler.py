"""A cluster autoscaler as the controller of an AdmissionCheck, like Kueue's ProvisioningRequests.

    autoscaler.py LEDGER NOW CLOUD

Looks once at the jobs in LEDGER that hold quota and have the check `provisioning`, and answers for
those of whose machines there is news at NOW (RFC 3339). CLOUD is a JSON file that plays the
provider: how many nodes it still has, how long one takes to come, how long they are booked for a
job that has not started, and what was requested so far.

One request for each attempt, and never the same name twice: a job that lost its quota asks anew.
A request that cannot be had fails after the same time; so does one whose nodes were not used before
their booking ended. The answer is a retry, 60 s later and then twice as long each time, until the
retries are used up: then the job is rejected, and so is one whose nodes the provider takes back.
Nodes that come belong to the job that asked, by annotations and a node selector of its pods.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile

CHECK, CLASS = "provisioning", "check-capacity.example.com"
MANAGED = "nvidia.com/gpu"  # podsets that ask for none of it need no nodes
MUSTER = os.environ.get("MUSTER", "muster")
BACKOFF_LIMIT, BACKOFF_BASE, BACKOFF_MAX = 3, 60, 1800


def muster(ledger, now, *words):
    """Runs a verb on the ledger at `now` and returns what it prints."""
    done = subprocess.run([MUSTER, *words, "--db", ledger, *(["--now", now] if now else [])],
                          check=True, capture_output=True, text=True)
    return done.stdout


def jobs_with_quota(ledger):
    """(workload, its check's status, its admission's podsets that need nodes, whether it runs)."""
    for item in json.loads(muster(ledger, None, "get", "workloads", "-o", "json"))["items"]:
        status = item.get("status", {})
        true = {each["type"] for each in status.get("conditions", []) if each["status"] == "True"}
        if "QuotaReserved" not in true or true & {"Finished", "Evicted"}:
            continue
        pod_sets = [each for each in status["admission"]["podSetAssignments"]
                    if MANAGED in each.get("flavors", {})]
        for check in status.get("admissionChecks", []):
            if check["name"] == CHECK:
                name = f"{item['metadata']['namespace']}/{item['metadata']['name']}"
                yield name, check, pod_sets, "Admitted" in true


def request(cloud, workload, check, nodes, now):
    """The request of this attempt; a new one takes its nodes from the stock, if they suffice."""
    mine = [each for each in cloud["requests"] if each["workload"] == workload]
    if mine and (check["state"] != "Pending" or mine[-1]["since"] == check["lastTransitionTime"]):
        return mine[-1]
    granted = nodes <= cloud["stock"]
    cloud["stock"] -= nodes if granted else 0
    due = now + datetime.timedelta(seconds=cloud["delaySeconds"])
    booked = due + datetime.timedelta(seconds=cloud["bookingSeconds"])
    made = {"name": f"{workload.split('/')[1]}-{CHECK}-{len(mine) + 1}", "workload": workload,
            "since": check["lastTransitionTime"], "nodes": nodes, "granted": granted,
            "due": due.isoformat(), "bookedUntil": booked.isoformat(), "revoked": False}
    cloud["requests"].append(made)
    print(f"{made['name']}: {nodes} {'node' if nodes == 1 else 'nodes'} requested")
    return made


def tell(ledger, now, workload, name, what, *words):
    """One answer to the ledger, and a line about it."""
    print(f"{name}: {what}; {muster(ledger, now, 'check', workload, CHECK, *words).strip()}")


def give(ledger, now, workload, made, pod_sets):
    """The nodes are there: all pods that need some are sent to them."""
    updates = [{"name": each["name"], "nodeSelector": {"request": made["name"]},
                "annotations": {
                    "autoscaling.x-k8s.io/consume-provisioning-request": made["name"],
                    "autoscaling.x-k8s.io/provisioning-class-name": CLASS}} for each in pod_sets]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(updates, file)
        file.flush()
        tell(ledger, now, workload, made["name"], "provisioned", "ready", "--message",
             f"provisioned by {made['name']}", "--pod-set-updates", file.name)


def refuse(ledger, now, workload, made, check, why):
    """Once more after a while, unless that was one attempt too many."""
    attempt = check.get("retryCount", 0) + 1
    if attempt > BACKOFF_LIMIT:
        return tell(ledger, now, workload, made["name"], why, "rejected", "--message",
                    f"{why} after {attempt} attempts")
    delay = min(BACKOFF_MAX, BACKOFF_BASE * 2 ** (attempt - 1))
    return tell(ledger, now, workload, made["name"], why, "retry", "--message", why,
                "--requeue-after", str(delay))


def look(ledger, now_text, cloud, workload, check, pod_sets, runs):
    """What there is to say about one job."""
    if not pod_sets:
        if check["state"] == "Pending":
            tell(ledger, now_text, workload, workload.split("/")[1], "needs no nodes", "ready")
        return
    now = datetime.datetime.fromisoformat(now_text.replace("Z", "+00:00"))
    nodes = sum(each["count"] for each in pod_sets)
    made = request(cloud, workload, check, nodes, now)
    if made["revoked"]:
        tell(ledger, now_text, workload, made["name"], "CapacityRevoked", "rejected", "--message",
             "the provider took its nodes back")
    elif check["state"] == "Pending" and datetime.datetime.fromisoformat(made["due"]) <= now:
        if made["granted"]:
            give(ledger, now_text, workload, made, pod_sets)
        else:
            refuse(ledger, now_text, workload, made, check, "no capacity")
    elif (check["state"] == "Ready" and not runs
          and datetime.datetime.fromisoformat(made["bookedUntil"]) <= now):
        cloud["stock"] += made["nodes"]
        refuse(ledger, now_text, workload, made, check, "BookingExpired")


def main():
    ledger, now_text, cloud_file = sys.argv[1:]
    with open(cloud_file, encoding="utf-8") as file:
        cloud = json.load(file)
    for job in list(jobs_with_quota(ledger)):
        look(ledger, now_text, cloud, *job)
    with open(cloud_file, "w", encoding="utf-8") as file:
        json.dump(cloud, file)


if __name__ == "__main__":
    main()
