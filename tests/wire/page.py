"""Compares the tables of docs/wire.md with docs/wire.schema.json, or writes them anew.

  page.py          fails where a field has no row, a row no field, a cell is not what the schema
                   says, or a row does not say what the field is for
  page.py --write  writes the tables; what stands in the last column stays

The schema is what the field lists say (a unit test sees to that), so the page is too.
"""

import json
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(TOP, "docs", "wire.md")
SCHEMA = os.path.join(TOP, "docs", "wire.schema.json")
BEGIN = "## Every field\n"
HEAD = "| field | value | left out | what it is |\n|---|---|---|---|\n"
ROW = re.compile(r"^\| `(\w+)` \|(?:[^|]*\|){2} ?(.*?) ?\|$")


def words(values):
    """The words of an enum; "" is one of some."""
    return ", ".join('`""`' if value == "" else f"`{value}`" for value in values)


def type_of(schema):
    """What may stand there, in words."""
    if "$ref" in schema:
        name = schema["$ref"].split("/")[-1]
        plain = {"Quantity": "quantity", "Time": "time", "Duration": "duration", "Object": "object"}
        return plain.get(name) or f"[{name}](#{name.lower()})"
    if "const" in schema:
        return words([schema["const"]])
    if "enum" in schema:
        return words(schema["enum"])
    if schema["type"] == "array":
        return "list: " + type_of(schema["items"])
    if schema["type"] == "object":
        return "names: " + type_of(schema["additionalProperties"])
    if schema["type"] == "integer":
        return "whole number, " + ("32" if schema["maximum"] < 2**31 else "64") + " bits"
    return {"string": "text", "boolean": "`true`, `false`", "number": "number"}[schema["type"]]


def default_of(name, struct):
    """What the field is when it is left out."""
    if name in struct.get("required", []):
        return "a mistake"
    schema = struct["properties"][name]
    if "default" in schema:
        return f"`{json.dumps(schema['default'])}`"
    return {"array": "none", "object": "none", "string": '`""`'}.get(schema.get("type"), "unset")


def struct_table(name, struct, meanings):
    """The table of one struct; `meanings` has the last column by (struct, field)."""
    rows = [f"| `{field}` | {type_of(schema)} | {default_of(field, struct)} | "
            f"{meanings.get((name, field), '')} |\n"
            for field, schema in struct["properties"].items()]
    return HEAD + "".join(rows) if rows else "No field.\n"


def tables(schema, meanings):
    """All tables, those of alternatives without the field that tells them apart."""
    text = []
    for name, struct in schema["$defs"].items():
        if "properties" not in struct:
            continue
        tag = next((f for f, s in struct["properties"].items() if "const" in s), None)
        shown = {**struct, "properties": {f: s for f, s in struct["properties"].items()
                                          if f != tag}}
        if tag is not None and shown["properties"] == schema["$defs"].get(
                name.split(".")[1], {}).get("properties"):
            continue  # Object.Workload has the fields of a Workload
        title = name if tag is None else f'`"{tag}": "{struct["properties"][tag]["const"]}"`'
        text.append(f"### {title}\n{struct_table(name, shown, meanings)}\n")
    return "".join(text).rstrip("\n") + "\n"


def headings(schema):
    """Heading -> name of the definition."""
    found = {}
    for name, struct in schema["$defs"].items():
        tag = next((f for f, s in struct.get("properties", {}).items() if "const" in s), None)
        title = name if tag is None else f'`"{tag}": "{struct["properties"][tag]["const"]}"`'
        found[title] = name
    return found


def meanings_of(page, schema):
    """(struct, field) -> last column."""
    names, found, struct = headings(schema), {}, None
    for line in page.splitlines():
        if line.startswith("### "):
            struct = names.get(line[4:])
        match = ROW.match(line)
        if match:
            found[struct, match.group(1)] = match.group(2)
    return found


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    prose, before = page.split(BEGIN)
    intro = before[:before.index("### ")] if "### " in before else before
    meanings = meanings_of(BEGIN + before, schema)
    after = intro + tables(schema, meanings)
    if sys.argv[1:] == ["--write"]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(prose + BEGIN + after)
        return 0
    wrong = [f"docs/wire.md has not: {line}" for line in after.splitlines()
             if line not in before.splitlines()]
    wrong += [f"docs/wire.md has but must not: {line}" for line in before.splitlines()
              if line not in after.splitlines()]
    if not wrong and before != after:
        wrong.append("docs/wire.md has the tables in another order")
    wrong += [f"docs/wire.md does not say what this is: {line}" for line in after.splitlines()
              if line.endswith("|  |")]
    for line in wrong:
        print(line)
    if wrong:
        print("python3 tests/wire/page.py --write writes the tables anew; say in the last column "
              "what a new field is for")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
