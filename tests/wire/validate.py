"""Validates examples against docs/wire.schema.json with python3-jsonschema.

The examples are those of docs/wire.md, in ```json blocks, and what `muster` itself writes. To show
that the schema refuses anything, each example is damaged in several ways too.
"""

import copy
import json
import os
import re
import sys

import jsonschema

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(name):
    with open(os.path.join(TOP, "docs", name), encoding="utf-8") as file:
        return file.read()


def damaged(example):
    """Versions of an example that are none."""
    yield {**example, "unknownField": 1}
    for name, value in example.items():
        if name in ("command", "answer"):
            yield {**example, name: "no-such-word"}
            yield {key: other for key, other in example.items() if key != name}
        elif not isinstance(value, bool):
            yield {**example, name: True}
        else:
            yield {**example, name: "true"}
    for name, value in example.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            inner = copy.deepcopy(example)
            inner[name][0]["unknownField"] = 1
            yield inner


def main():
    schema = json.loads(read("wire.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    examples = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", read("wire.md"),
                                                        re.DOTALL)]
    wrong = 0
    for example in examples:
        for error in validator.iter_errors(example):
            print("an example is none by the schema:", json.dumps(example)[:200], error.message)
            wrong += 1
        for other in damaged(example) if isinstance(example, dict) else ():
            if validator.is_valid(other):
                print("the schema takes what is none:", json.dumps(other)[:300])
                wrong += 1
    kinds = {word for example in examples for word in [example.get("command")] if word}
    known = {name.split(".")[1] for name in schema["$defs"] if name.startswith("Command.")}
    for kind in sorted(known - kinds):
        print(f"docs/wire.md has no example of command {kind}")
        wrong += 1
    print(f"{len(examples)} examples, {wrong} mistakes")
    return 1 if wrong or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
