"""Holds what verbs print as JSON against docs/verbs.schema.json, or writes that anew.

  verbs.py          fails where a verb that prints JSON is not asked, has no schema, or prints
                    otherwise; MUSTER names the command
  verbs.py --write  widens the schema by what was printed; what stands there stays
                    but for the words of verbs_words.py

Answers to commands are those of docs/wire.schema.json. For the rest, the schema is made of what a
day printed (verbs_day.py): a field that always was there is required, an unknown one is refused.
Objects of Kubernetes are not described again: `metadata`, `spec` and `status` are Kueue's.
"""

import json
import os
import re
import sys
import tempfile

import jsonschema

import verbs_day
import verbs_words

TOP = verbs_day.TOP
STORED = os.path.join(TOP, "docs", "verbs.schema.json")
LINES = ("ledger export",)  # a line of JSON each, and no other form
WIRE = ("acknowledge", "consumer add", "consumer remove", "decisions")
# Fields whose value has names of jobs, resources or reasons as keys.
MAPS = {"admitted", "evicted", "evictions", "flavors", "leftOut", "pending", "preempted",
        "resourceUsage", "understood", "skipped", "labels", "params", "namespaces", "to", "totals",
        "lost", "where"}
OPEN = {"metadata", "spec", "status", "patch", "payload"}
POLICY_FAILURE = {"policyFailure": {"policy": "", "hook": "", "clusterQueue": "", "message": "",
                                    "instead": ""}}
MOVED = [{"job": "", "queue": "", "seconds": 1.0}]
FIGURE = [{"figure": "", "mean": 1.0, "low": 1.0, "high": 1.0, "beyondNoise": True}]
# Beyond the horizon; which job is depends on how long a day takes.
LATER = {"waitSeconds": None, "at": None}
# What no day shows: (verb, where) -> fields that are there at times, with an example each.
SELDOM = {
    ("apply", "[]"): POLICY_FAILURE,
    ("apply", "objects.[]"): POLICY_FAILURE,
    ("submit", "[]"): POLICY_FAILURE,
    ("describe", "events.[]"): {"caller": ""},
    ("eta", "workloads.[]"): {
        "why": "", **{f"p{part}": LATER for part in (5, 25, 50, 75, 90, 95)}},
    ("explain", ""): {
        "hold": {"policy": "", "reason": "", "until": None}, "moreHolders": 1, "boost": 1,
        "boostedBy": "", "checkpointed": "", "fewestPods": True, "moreCandidates": True,
        "certificate": {"proof": "", "candidates": 1, "text": ""},
        "notes": [""], "reclaimableBy": [{"clusterQueue": "", "flavor": "", "resource": "",
                                          "idle": "", "reclaimWithinCohort": ""}]},
    ("explain", "certificate"): {
        "moreCandidates": True, "taken": 1, "fewest": 1, "smaller": [""],
        "binding": {"kind": "", "name": "", "field": "", "flavor": "", "resource": "",
                    "missing": ""},
        "sparedBy": [{"rule": "", "policy": ""}]},
    ("explain", "certificate.sparedBy.[]"): {"policy": ""},
    ("explain", "ahead"): {"nearest": [{"workload": "", "key": "", "theirs": "", "ours": ""}]},
    ("explain", "flavors.[]"): {"refused": ""},
    ("explain", "holders.[]"): {"whyNot": ""},
    ("explain", "candidates.[]"): {"policy": ""},
    ("explain", "lastCycle.workloads.[].candidates.[]"): {"policy": ""},
    ("explain", "lastCycle.workloads.[]"): {"moreCandidates": True,
                                            "behind": {"workload": "", "by": ""}},
    ("explain", "lastCycle.workloads.[].flavors.[]"): {"refused": ""},
    ("get", "items.[]"): {"where": {"label": ""}},
    ("import kueue", ""): {
        "leftOut": {"Kind": 1}, "missingNamespaces": [""], "differences": [
            {"clusterQueue": "", "flavor": "", "resource": "", "here": "", "kueue": ""}]},
    ("policy test", "tests.[]"): {"message": ""},
    ("start-patch", "objects.[]"): {"podOf": ""},
    ("schedule", "steps.[].preempted.<>"): {"by": ""},
    ("schedule", "steps.[].pending.<>"): {"closed": "", "reason": "", "message": ""},
    ("schedule", "steps.[].admitted.<>.podSets.[]"): {
        "topology": {"levels": [""], "domains": [{"values": [""], "count": 1}]}},
    ("token list", "[]"): {"of": [""]},
}
# Lists and maps that are empty on that day, with an example.
EMPTY = {
    ("policy diff", "differences"): [{"workload": "", "clusterQueue": "", "times": 1, "cycle": 1,
                                      "at": "", "a": "", "b": ""}],
    ("policy bench", "aborts"): [{"line": 1, "reason": ""}],
    ("schedule", "shadow.samples"): [{"cycle": 1, "what": "", "decided": "", "candidate": ""}],
    ("schedule", "steps.[].evicted"): {"": {"clusterQueue": "", "reason": "", "quotaFree": True}},
}
for _verb in ("simulate", "backtest"):
    SELDOM[(_verb, "")] = {"leftOut": {"reason": 1}, "notes": [""]}
    SELDOM[(_verb, "policies.[]")] = {"evictions": {"reason": 1}, "differences": FIGURE}
    SELDOM[(_verb, "policies.[].clusterQueues.[]")] = {"evictions": {"reason": 1}}
    SELDOM[(_verb, "policies.[].change")] = {"most": MOVED}
verbs_words.OTHERWISE.update({
    "ledger export.seq": "the number of the commit",
    "ledger export.time": "when, in RFC 3339",
    "ledger export.command": "the call that the commit stands for",
    "ledger export.subject": "what the event is about: namespace/name of a workload, or KIND/NAME",
    "ledger export.payload": "what the event says, by kind; docs/fields.md has the fields",
    "ledger export.engine": "the version that wrote the commit",
    "ledger export.firstEvent": "the number of its first event",
})
HEAD = {"$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What verbs of muster print with -o json",
        "description": "By verb. Answers to commands are in wire.schema.json."}


def of(value, field=""):
    """The schema of one value."""
    if value is None:
        return {"type": ["null", "string"]}  # all that may be null are texts
    if isinstance(value, bool):
        return {"type": ["boolean"]}
    if isinstance(value, (int, float)):
        return {"type": ["integer" if isinstance(value, int) else "number"]}
    if isinstance(value, str):
        return {"type": ["string"]}
    if isinstance(value, list):
        return {"type": ["array"], "items": merged_all(of(each) for each in value)}
    if field in OPEN:
        return {"type": ["object"]}
    if field in MAPS:
        return {"type": ["object"],
                "additionalProperties": merged_all(of(each) for each in value.values())}
    return {"type": ["object"], "properties": {key: of(each, key) for key, each in value.items()},
            "required": sorted(value), "additionalProperties": False}


def merged_all(schemas):
    result = {}
    for each in schemas:
        result = merged(result, each)
    return result


def merged(one, other):
    """A schema that takes what either takes; {}: nothing was seen."""
    if not one or not other:
        return one or other
    types = sorted(set(one["type"]) | set(other["type"]))
    if "number" in types and "integer" in types:
        types.remove("integer")
    if {"null", "integer", "string"} <= set(types):
        types.remove("string")  # a number that may be null
    result = {**other, **one, "type": types}
    if any(isinstance(each.get("additionalProperties"), dict) for each in (one, other)):
        # A map, also where it was none before.
        one, other = (as_map(each) for each in (one, other))
        result = {"type": types}
    if "items" in one or "items" in other:
        result["items"] = merged(one.get("items", {}), other.get("items", {}))
    if "properties" in one and "properties" in other:
        names = {**one["properties"], **other["properties"]}
        result["properties"] = {name: merged(one["properties"].get(name, {}),
                                             other["properties"].get(name, {})) for name in names}
        result["required"] = sorted(set(one["required"]) & set(other["required"]))
    elif isinstance(one.get("additionalProperties"), dict):
        result["additionalProperties"] = merged(one["additionalProperties"],
                                                other.get("additionalProperties", {}))
    return result


def as_map(schema):
    """The schema of an object whose names are any."""
    if "properties" not in schema:
        return schema
    values = merged_all(schema["properties"].values())
    return {"additionalProperties": {key: each for key, each in values.items()
                                     if key != "description"}}


def place(schema, where):
    """The part of the schema that a path of SELDOM names."""
    for step in filter(None, where.split(".")):
        schema = schema[{"[]": "items", "<>": "additionalProperties"}.get(step, "properties")]
        schema = schema if step in ("[]", "<>") else schema[step]
    return schema


def verbs_with_json(day):
    """Verbs whose help says that they print JSON, with their first words."""
    listed = re.findall(r"^  ([a-z][a-z-]*(?: [a-z]+)?) {2,}\S", day.run("--help"), re.MULTILINE)
    found = {}
    for verb in [each for each in listed if not each.startswith("muster")] + ["version"]:
        text = day.run(*verb.split(), "--help")
        if verb in LINES or re.search(r"^  -o, --output \S*json\b", text, re.MULTILINE):
            found[verb] = text.split("\n")[0].split(": ", 1)[1]
    return found


def damaged(value):
    """The value with a field that is none; None where it has no fields of its own."""
    if isinstance(value, dict):
        return {**value, "noSuchField": 1}
    return [{**value[0], "noSuchField": 1}] + value[1:] if value else None


def checked(printed, stored, wire):
    """What is wrong with what was printed."""
    for verb, value in printed:
        if verb in WIRE:
            schema = wire
        elif verb in stored["$defs"]:
            schema = {**HEAD, **stored["$defs"][verb]}
        else:
            yield f"docs/verbs.schema.json has no {verb}"
            continue
        validator = jsonschema.Draft202012Validator(schema)
        for error in validator.iter_errors(value):
            yield f"{verb}: {'.'.join(map(str, error.absolute_path))}: {error.message[:300]}"
        other = damaged(value)
        if other and verb != "ledger query" and validator.is_valid(other):
            yield f"{verb}: an unknown field is taken"


def written(printed, stored, first_words):
    """The stored schema, widened by what was printed."""
    made = {name: {key: value for key, value in each.items() if key != "description"}
            for name, each in stored.get("$defs", {}).items()}
    for verb, value in printed:
        if verb in WIRE:
            continue
        schema = of(value)
        if verb == "ledger query":  # its columns are those of the SELECT
            schema = {"type": ["array"], "items": {"type": ["object"]}}
        made[verb] = merged(made.get(verb, {}), schema)
    for (verb, where), fields in SELDOM.items():
        schema = place(made[verb], where)
        schema["required"] = sorted(set(schema["required"]) - set(fields))
        known = schema["properties"]
        for field, example in fields.items():
            known[field] = merged(known.get(field, {}), of(example, field))
    for (verb, where), example in EMPTY.items():
        schema = place(made[verb], where)
        schema.update(merged(schema, of(example, where.split(".")[-1])))
    return {**HEAD, "$defs": {verb: {"description": first_words[verb],
                                     **verbs_words.described(made[verb], verb)}
                              for verb in sorted(made)}}


def main():
    with open(os.path.join(TOP, "docs", "wire.schema.json"), encoding="utf-8") as file:
        wire = json.load(file)
    stored = {}
    if os.path.exists(STORED):
        with open(STORED, encoding="utf-8") as file:
            stored = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        day = verbs_day.Day(os.path.abspath(os.environ["MUSTER"]), folder)
        first_words = verbs_with_json(day)
        day.live()
    if sys.argv[1:] == ["--write"]:
        with open(STORED, "w", encoding="utf-8") as file:
            file.write(json.dumps(written(day.printed, stored, first_words), indent=1) + "\n")
        return 0
    asked = {verb for verb, _ in day.printed}
    wrong = [f"verbs_day.py does not ask {verb}" for verb in sorted(set(first_words) - asked)]
    wrong += [f"the help of {verb} does not say that it prints JSON"
              for verb in sorted(asked - set(first_words))]
    wrong += [f"{verb}: its description is not what its help says" for verb, each in
              stored["$defs"].items() if each["description"] != first_words.get(verb)]
    for verb, each in stored["$defs"].items():
        wrong += [f"{field} has no description; verbs_words.py takes it"
                  for field in verbs_words.undescribed(each, verb)]
    wrong += [f"verbs_words.py describes {field}, which no verb prints"
              for field in verbs_words.unused(stored["$defs"])]
    wrong += list(checked(day.printed, stored, wire))
    print("\n".join(wrong) + ("\nAfter an addition: tests/wire/verbs.py --write" if wrong else ""))
    print(f"{len(asked)} verbs, {len(day.printed)} answers, {len(wrong)} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
