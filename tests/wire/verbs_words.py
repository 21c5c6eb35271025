"""What the fields of docs/verbs.schema.json mean, in words: verbs.py writes them there.

WORDS is by the name of a field: what it is, its unit, and what it says when it is empty, null or
left out. Where a name means another thing at one place, verbs_otherwise.py has that.
"""

import re

from verbs_otherwise import OTHERWISE

WORDS = {
    "a": "what the first policy makes of it, in words",
    "aborts": "lines of the policy that LuaJIT gave up to compile, so that they run interpreted",
    "acknowledged": "the highest decision number that the consumer has acknowledged; 0: none",
    "acknowledgedAt": "when it last acknowledged, RFC 3339; left out before the first time",
    "activated": "when the generation was activated, RFC 3339",
    "active": "true: at least one of its hooks decides somewhere now",
    "admitted": "workloads that got quota in this cycle, by namespace/name",
    "after": "that gang once the moves are made; as before where there are none",
    "ahead": "the workloads that will be looked at earlier in the same ClusterQueue",
    "amount": "what it holds of the resource in the flavor, as a Kubernetes quantity",
    "answers": "earlier estimates whose job has started since",
    "apiVersion": "group and version of the object, as kueue.x-k8s.io/v1beta2",
    "asked": "pods that the podset asks for",
    "at": "when, RFC 3339",
    "available": "what its queue could take now, borrowed quota included, as a Kubernetes quantity",
    "b": "what the second policy makes of it, in words",
    "before": "the largest gang of whole nodes that has a place in one domain as things are",
    "beforeP50": "of the answers, those whose job started before the p50 that was told",
    "beforeP90": "of the answers, those whose job started before the p90 that was told",
    "behind": "how many decisions there are after the last one that it acknowledged",
    "beyondNoise": "true: the range from low to high does not hold 0",
    "binding":
        "the quota or limit that stays short though all candidates leave; left out: none does",
    "boost": "what was added to its priority; left out: nothing",
    "boostedBy": "the policy package that added it; left out: none, or its annotation",
    "borrowedHours": "unit-hours used beyond nominal quota in the time that counts",
    "borrowedSeconds":
        "base units (thousandths of a cpu, bytes, pieces) times seconds held beyond nominal "
        "quota",
    "borrowing":
        "true: its ClusterQueue uses more than its nominal quota of the flavor and resource",
    "borrowingLevel":
        "from how many levels up in the tree of cohorts it would borrow; 0: from none",
    "by": "namespace/name of the workload that it makes room for; left out: of none",
    "callMemoryBytes": "bytes that one call of a hook may take beside what its file holds",
    "caller": "name of the caller whose command it was; left out: none was named",
    "candidates": "workloads that it could evict, in the order in which the search looks at them",
    "certificate": "what is proven of the search for victims; left out: it made none",
    "change":
        "what becomes of it with the change: starts, starts elsewhere, stays, leaves, restarts, "
        "waits, ends, is gone",
    "changed": "objects that were there and are another way now",
    "changes": "the workloads that fare otherwise with the change",
    "checkpointed": "when its present run last saved its work, RFC 3339; left out: it has not",
    "checks": "expectations that were compared with what came out",
    "chosen": "true: the workload would get this flavor",
    "classes": "figures by queue and size of job; the first is of all jobs",
    "closed":
        "why its queue starts nothing, as \"ClusterQueue a is stopped\"; left out: it is open",
    "clusterQueue": "name of the ClusterQueue that it is, or was, in",
    "clusterQueues": "figures of each ClusterQueue",
    "commit": "the commit that it was built from, with -dirty where files were changed",
    "compiler": "the compiler that built it, with its version",
    "cordon": "names of the nodes of the domain to keep new pods from while the moves are made",
    "costs": "what a call took, by the number of its items, ascending",
    "count": "how many workloads that is",
    "created": "objects that were not there before",
    "cure": "what would let it start; empty: time and its turn alone",
    "cycle": "number of the scheduling cycle since the ledger began",
    "cycles": "scheduling cycles that were run",
    "decides": "the hooks that decide somewhere now, with commas between; empty: none",
    "description": "what the package says of itself; may be empty",
    "detail": "where it runs or why it does not, and what it would be without the change, in words",
    "differences": "where the two sides differ",
    "different": "workloads that fare otherwise with the change",
    "differentTurns": "of these turns, those in which the two sides differ",
    "domain": "the domain that has it; empty: none",
    "domains": "the domains with pods of the podset",
    "drainSeconds": "so many seconds before the last arrival the time that counts ends",
    "dryRun": "true: nothing was stored; left out: it was",
    "earlier": "jobs that start earlier",
    "ended": "workloads that have ended",
    "estimate":
        "simulated: as the futures were run; tuned: put right by the answers of the earlier "
        "half; learning: by all that had come by then, as eta does; naive: by the waits of the "
        "last week",
    "estimates": "each way of telling, with what came of it",
    "evenness":
        "Jain's index of used / nominal over the queues with quota, mean over the time that "
        "counts; 1 is even",
    "events": "what happened to a workload, oldest first; left out for other kinds",
    "evictable": "true: the workload would evict it, or could evict it in place of another",
    "evicted":
        "workloads that a limit of time or a lost node made leave in this cycle, by "
        "namespace/name",
    "evicting": "how many workloads the call told to leave",
    "evictions":
        "how often jobs had to leave, by the cause, as InClusterQueue; left out or empty: never",
    "exact":
        "true: every set of jobs was thought of, so no plan is better; false: the search was "
        "cut",
    "expected": "what the scenario says, as text",
    "exponent":
        "the time of a call grows with this power of its items: 1 in proportion, 2 a loop in a "
        "loop; 0: one size was measured",
    "failed": "tests that failed or could not be run",
    "failures": "expectations that did not hold",
    "fewest": "so many candidates have to leave at least; left out: it takes none",
    "fewestPods":
        "true: flavors are about the fewest pods that it may start with; left out: about all",
    "field": "the field of its quota to raise: nominalQuota or borrowingLimit",
    "figure": "name of the figure: waitMean, waitP90, slowdownMean, utilisation or lostHours",
    "file": "path of the file that has the test",
    "fits":
        "so many pods of the podset would fit now, the other podsets as they are, and no larger "
        "number",
    "flavor": "name of the ResourceFlavor",
    "flavors": "the flavors that were looked at, in their order, once for each podset",
    "freeable":
        "what evictions could add to it at most, for this resource alone, as a Kubernetes "
        "quantity",
    "from": "the value as it is, as a Kubernetes quantity",
    "fuel": "fuel that it used: one unit a step of the policy's code (policies/README.md)",
    "fuelOfOneItem": "fuel that one item may use at most, of what its call has",
    "fuelPerCall": "fuel that a call gets beside that of its items",
    "fuelPerItem": "fuel that a call gets for each of its items",
    "futures": "futures that were played",
    "futuresWithoutStart": "of these futures, those in which it does not start within the horizon",
    "got": "what came out, as text",
    "group":
        "the ClusterQueue, namespace, user or label value; empty: of workloads without the "
        "label",
    "hash": "SHA-256 over the files of the package, in hex",
    "here": "what is in use here, in base units (thousandths of a cpu, bytes, pieces)",
    "high": "nine of ten means of drawn variations lie below this and above low",
    "hold": "why a policy holds it back; left out: none does",
    "holders": "workloads that hold what it is short of, not all where there are many",
    "holding": "workloads that hold quota",
    "hook": "name of the hook, as queue_order",
    "hooks": "the hooks that the package defines",
    "horizonSeconds": "how far the futures are played, in seconds from now",
    "idle": "nominal quota of that queue that is not in use, as a Kubernetes quantity",
    "inactive": "workloads that are not to run: spec.active is false",
    "instead": "what happened in its place",
    "interrupted": "true: the run was ended before all jobs had",
    "items": "what was found, as objects; left out where one object was asked for by name",
    "job": "the job, as the log names it",
    "jobs": "jobs that were played",
    "key": "the first part of the order in which it comes before, as priority",
    "kind": "kind of the object, as ClusterQueue",
    "kueue": "what Kueue says is reserved, in base units (thousandths of a cpu, bytes, pieces)",
    "largestGangs":
        "how large a gang of whole nodes had a place, by level of each topology; empty: no "
        "topology",
    "lastCycle": "what the newest cycle looked at; with --last-cycle, else left out",
    "later": "jobs that start later",
    "leastNodes": "so many nodes were there whenever it was looked; the smallest gang of all looks",
    "leftOut": "what was left out, by the reason; left out or empty: nothing",
    "level": "the level, a label of nodes",
    "levels": "the labels of the levels, from above",
    "limits": "what each hook may use before it fails",
    "line": "line in the file, from 1; 0: not known",
    "longest": "the job that waited longest, as the log names it; empty: none started",
    "lost":
        "work that is done again, in unit-hours, by resource: core-hours, byte-hours, "
        "piece-hours",
    "lostHours": "unit-hours of work that was not saved, so that it was done again",
    "lostSeconds": "seconds since it started, or since its last checkpoint, that are run again",
    "low": "nine of ten means of drawn variations lie above this and below high",
    "luajit": "version of LuaJIT",
    "makespan": "seconds from the first arrival to the last end",
    "maximum": "what its queue could have with nothing running, as a Kubernetes quantity",
    "mean": "mean over the variations of this policy's figure less the first policy's",
    "meanNodes": "nodes of the largest gang that had a place, mean over the time that counts",
    "medianLateSeconds":
        "median of the real wait less the p50 that was told, in seconds; above 0: jobs start "
        "later than told",
    "medianWidth50Seconds": "median width of the interval from p25 to p75, in seconds",
    "medianWidth90Seconds": "median width of the interval from p5 to p95, in seconds",
    "memoryBytes": "bytes that the file of the package may take when it is run",
    "mended": "true: earlier answers of this ledger have put these right; false: there are too few",
    "message": "why, in words; may be empty",
    "metadata": "name, namespace, labels and annotations, as Kubernetes has them",
    "missing": "so much is missing there though all candidates leave, as a Kubernetes quantity",
    "missingNamespaces":
        "namespaces that workloads are in and that the dump has not: none of their jobs can "
        "start",
    "mode":
        "how it fits, worst first: NoFit; NoCandidates: none may be evicted for it; Preempt; "
        "Reclaim; Fit",
    "more": "to less from, as a Kubernetes quantity",
    "moreCandidates": "true: there are candidates that are not listed; left out: there are none",
    "moreHolders": "holders that are not listed; left out: none",
    "most": "the largest moves each way, at most five, by seconds",
    "mostPods":
        "the largest numbers of pods that would fit now; left out where none would, or it fits",
    "moves":
        "jobs that are evicted and start again elsewhere, by workload; empty: none are needed "
        "or help",
    "muster": "version of Muster",
    "name": "name, with namespace/ before it where the kind stands in one",
    "nanoseconds": "nanoseconds for each item, the fastest of several calls",
    "nearest": "those nearest to the head of the queue, not all where there are many",
    "nesting": "how deep blocks and expressions of its file may be nested",
    "never": "true: it cannot start as objects are, whatever else leaves",
    "nodeHours": "hours of lost work times the nodes that it fills",
    "nodes": "how many whole nodes that is",
    "nominal": "nominal quota over all flavors, in units: cores, bytes, pieces",
    "nominalHours": "unit-hours used within nominal quota in the time that counts",
    "nominalSeconds":
        "base units (thousandths of a cpu, bytes, pieces) times seconds held within nominal "
        "quota",
    "notes": "what decides here against what one may think, in words; may be empty",
    "now": "the moment from which waits count, RFC 3339",
    "object": "the object as it may run",
    "objects": "one for each object",
    "of": "what the role is about, as cohort:NAME or localqueue:NAMESPACE/NAME; empty: everything",
    "oldestAt":
        "when the oldest decision was made that it has not acknowledged, RFC 3339; left out: "
        "there is none",
    "onlyAfter": "jobs that start under this policy and not under the first",
    "onlyBefore": "jobs that start under the first policy and not under this one",
    "orderPolicy": "what orders its queue: \"fifo-priority (native)\" or \"NAME@HASH FILE:LINE\"",
    "ours": "what this workload has there, as text",
    "outcome": "what the cycle made of it, as admitted, preempting, skipped, no fit",
    "outputBytes": "bytes that a hook may print: 0",
    "p25":
        "a quarter of the futures start it before; left out where it never starts or nothing is "
        "known",
    "p5":
        "one in twenty futures starts it before; left out where it never starts or nothing is "
        "known",
    "p50":
        "half of the futures start it before; left out where it never starts or nothing is "
        "known",
    "p75":
        "three quarters of the futures start it before; left out where it never starts or "
        "nothing is known",
    "p90":
        "nine in ten futures start it before; left out where it never starts or nothing is "
        "known",
    "p95":
        "nineteen in twenty futures start it before; left out where it never starts or nothing "
        "is known",
    "parked": "true: no cycle looks at it before something changes in its cohort",
    "passed": "tests that passed",
    "past": "how earlier answers came true, of jobs of this ledger that had to wait",
    "patch":
        "a JSON merge patch (RFC 7396) from the object as it waits to the object as it may run",
    "path": "the value that differs, as a path into the step",
    "pending": "workloads that wait after this cycle, by namespace/name",
    "phase": "where it is on its way",
    "place": "file:line where the hook stands",
    "podSet": "name of the podset",
    "podSets": "its podsets, in their order",
    "policies": "one for each policy; the others are compared with the first",
    "policy": "name of the policy",
    "policyFailure":
        "hook submit of a policy failed about it, so it was queued as submitted; left out: none "
        "did",
    "policyFailures": "calls of hooks that failed, so that the built-in rule decided",
    "position": "its place in the order of this cycle, from 1",
    "preempted": "workloads that were told to make room in this cycle, by namespace/name",
    "preemptedHours": "unit-hours that evicted jobs had run since they last started",
    "preemptedSeconds": "of both: base units times seconds of runs that ended by preemption",
    "preemptions": "how often a job was told to make room for another",
    "priority": "its priority as the order counts it, with its boost",
    "proof":
        "Minimal, Bound, Impossible, Refused or Open; docs/what-if.md says what each means",
    "queue": "the queue, as the log names it; empty: all",
    "reason": "why, in one word; empty: no cycle has looked at it",
    "reclaimWithinCohort": "which jobs that queue may evict to get it back: Any or LowerPriority",
    "reclaimableBy": "it borrows: the queues that may take that quota back by evicting it",
    "refused": "why the flavor was not considered, as a taint or selector; left out: it was",
    "registeredAt": "when the consumer was registered, RFC 3339",
    "requested":
        "what it asks for of the flavor, podsets before it included, as a Kubernetes quantity",
    "resource": "name of the resource, as nvidia.com/gpu",
    "resources": "one for each resource that the flavor was asked for; empty where it was refused",
    "result": "what came of it",
    "role": "what the token may do: admin, owner, submitter, viewer or agent",
    "rows": "one for each group, flavor and resource that was held",
    "rule":
        "BorrowWithinCohort, OwnQuota, FairSharing, Budget, Protection or Limits; "
        "docs/what-if.md says what each means",
    "runsLearnt": "ended runs in the ledger from which run times are expected",
    "same": "workloads that fare alike",
    "seconds": "seconds that it took",
    "secondsPerCycle": "seconds of a thread's time that all hooks of a cycle may take together",
    "shareError":
        "how far the queues' parts of use are from their parts of quota, mean over the time "
        "that counts: 0 each uses its own, 1 those without quota use all",
    "shortage": "requested less available, at least 0, as a Kubernetes quantity",
    "since": "beginning of the time that is added up, inclusive, RFC 3339",
    "size": "class of size, by what a job asks for of the resource: all, 1, 2-8, 9-64, 65+",
    "skipped": "files that were left out, since they are not for this engine",
    "slowdownMean":
        "mean bounded slowdown of jobs that ended: turnaround / run time, a run counted as 10 s "
        "at least",
    "slowdownP50": "median bounded slowdown of jobs that ended",
    "smaller":
        "candidates, namespace/name, as many as `fewest`, that would make room; left out: none are "
        "known, or it takes as few",
    "smallestChanges":
        "sets of raises, each of which alone would let it fit, and none of which could be "
        "smaller; left out: none was found",
    "sparedBy": "rules that spare candidates that would make room together; left out: none does",
    "spec": "as Kueue and Kubernetes have it",
    "started": "jobs that started",
    "starts": "how often jobs started",
    "state": "Pending, Parked, OnHold, Held, Reserved, Admitted, Evicting, Inactive or Finished",
    "status": "as Kueue has it, with more counters for some kinds",
    "step": "number of the step in the scenario, from 1",
    "steps": "one for each cycle that was run",
    "taken": "victims that were found; left out: none",
    "tests": "one for each test",
    "theirs": "what the one before it has there, as text",
    "to": "the value that it should have, as a Kubernetes quantity",
    "topology": "name of the Topology",
    "totals": "how many were created, changed and unchanged, by kind of object",
    "tried": "plans that were carried out on a copy of the state",
    "turnaroundMean": "mean seconds from arrival to end, of jobs that ended",
    "turnaroundP50": "median seconds from arrival to end, of jobs that ended",
    "turns": "with --recorded: moments of the past at which cycles were run, and both were asked",
    "type": "Normal, or Warning for what stops a job",
    "unchanged": "objects that were there just so",
    "understood": "objects that were read, by kind",
    "unfinished": "jobs that had not ended when nothing happened any more",
    "unknown": "true: in no future does it start, and how long what it waits for runs is not known",
    "until": "end of the time that is added up, exclusive, RFC 3339",
    "utilisation": "used part of the nominal quota of all ClusterQueues, in the time that counts",
    "value": "value of the priority class",
    "valueBytes": "bytes that one value of the file may take",
    "values": "the domain: the value of each level's label, from above",
    "verdict": "the cause, with figures, in a sentence",
    "waitMax": "longest wait from arrival to the first start, in seconds",
    "waitMean": "mean wait from arrival to the first start, in seconds",
    "waitP50": "median wait from arrival to the first start, in seconds",
    "waitP90": "wait that nine in ten jobs do not exceed, in seconds",
    "waitP99": "wait that 99 in 100 jobs do not exceed, in seconds",
    "waitSeconds": "seconds from now to the start; null: not within the horizon",
    "waiting": "workloads that wait",
    "waitingMean": "jobs that wait for a start, mean over the time that counts",
    "waitingMost": "jobs that wait for a start, the most at one moment of the time that counts",
    "warmUpSeconds": "so many seconds after the first arrival the time that counts begins",
    "warnings": "how many warnings were not printed, since --quiet was given",
    "why":
        "what it waited for at the end of a future in which it does not start; left out: there "
        "is none",
    "whyNot": "why it is not evictable; left out where it is",
    "within50":
        "of the answers, those whose job started between the p25 and the p75 that were told",
    "within90": "of the answers, those whose job started between the p5 and the p95 that were told",
    "workload": "namespace/name of the workload",
    "workloads": "one for each workload",
    "yamlcpp": "version of yaml-cpp that it was built with",
}


def words_of(verb, path):
    """What the field at the end of `path`, a list of names, means in `verb`; None: no words."""
    around = [verb, *path]
    for begin in range(len(around) - 1):
        found = OTHERWISE.get(".".join(around[begin:]))
        if found:
            return found
    return WORDS.get(path[-1])


def described(schema, verb, path=()):
    """The schema with a description of every field. What stands in a list or behind the keys of a
    map has the path of that."""
    result = dict(schema)
    if "properties" in schema:
        result["properties"] = {}
        for name, each in schema["properties"].items():
            words = f"of kind {name}" if name[0].isupper() else words_of(verb, [*path, name])
            inner = described({key: value for key, value in each.items() if key != "description"},
                              verb, (*path, name))
            result["properties"][name] = {"description": words, **inner} if words else inner
    for inside in ("items", "additionalProperties"):
        if isinstance(schema.get(inside), dict):
            result[inside] = described(schema[inside], verb, path)
    return result


def says_something(name, description):
    """Whether a description has a word that is neither in the field's name nor says nothing."""
    known = re.findall("[a-z]+", re.sub("([A-Z])", r" \1", name).lower())
    said = set(re.findall("[a-z]+", description.lower())) - set(known)
    return bool(said - {"the", "a", "an", "of", "its", "it", "is", "this"})


def undescribed(schema, verb, path=()):
    """Fields without a description, or with one that says no more than their name."""
    for name, each in schema.get("properties", {}).items():
        if not says_something(name, each.get("description", "")):
            yield ".".join([verb, *path, name])
        yield from undescribed(each, verb, (*path, name))
    for inside in ("items", "additionalProperties"):
        if isinstance(schema.get(inside), dict):
            yield from undescribed(schema[inside], verb, path)


def unused(stored):
    """Words for fields that no verb has."""
    named, ends = set(), set()
    def walk(schema, around):
        for name, each in schema.get("properties", {}).items():
            named.add(name)
            ends.update(".".join([*around, name][begin:]) for begin in range(len(around)))
            walk(each, [*around, name])
        for inside in ("items", "additionalProperties"):
            if isinstance(schema.get(inside), dict):
                walk(schema[inside], around)
    for verb, schema in stored.items():
        walk(schema, [verb])
    return sorted(set(WORDS) - named) + sorted(set(OTHERWISE) - ends)
