"""Requests made of what openapi.yaml describes: each answer is as described, none is a fault.

Valid and spoilt input for every operation, by Hypothesis: what it finds it makes small, and says
how to get it again.
"""

import json
import os
import re
import unittest

import jsonschema
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roles_test import create
from service import ServiceTest, workload

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
with open(os.path.join(TOP, "bindings/http/openapi.yaml"), encoding="utf-8") as api_file:
    API = yaml.safe_load(api_file)
with open(os.path.join(TOP, "docs/wire.schema.json"), encoding="utf-8") as wire_file:
    WIRE = json.load(wire_file)

# Names that are there, so that not all is refused for a name.
NAMES = st.sampled_from(["team-a", "team-b", "team-a-cq", "main", "job", "default", "all", "x"])
TEXT = st.one_of(NAMES, st.text(max_size=12))
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXT)
ANYTHING = st.recursive(SCALARS, lambda inner: st.one_of(
    st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)), max_leaves=6)
NEVER_LONG = {"wait": 0, "futures": 3, "questions": 0}


def resolved(schema, root):
    """What a schema that only refers to another one means."""
    while "$ref" in schema:
        found = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


def values(schema, root, depth=4):
    """Values that fit `schema`, of the keywords that both files use."""
    schema = resolved(schema, root)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for name in ("oneOf", "anyOf"):
        if name in schema:
            return st.sampled_from(schema[name]).flatmap(lambda one: values(one, root, depth - 1))
    kind = schema.get("type")
    if kind == "integer":
        return st.integers(schema.get("minimum", -2**31), schema.get("maximum", 2**31))
    if kind == "boolean":
        return st.booleans()
    if kind == "string":
        return st.from_regex(schema["pattern"], fullmatch=True) if "pattern" in schema else TEXT
    if kind == "array":
        if depth <= 0:
            return st.just([])
        return st.lists(values(schema["items"], root, depth - 1), max_size=2)
    if kind == "object" and "properties" in schema:
        required = schema.get("required", [])
        members = {name: values(member, root, depth - 1)
                   for name, member in schema["properties"].items()
                   if name in required or depth > 0}
        return st.fixed_dictionaries(
            {name: member for name, member in members.items() if name in required},
            optional={name: member for name, member in members.items() if name not in required})
    return ANYTHING


def as_text(value):
    """As a parameter has it."""
    return value if isinstance(value, str) else json.dumps(value)


@st.composite
def bodies(draw, path):
    """A body and its type: one that fits, one that is spoilt, or no sense at all."""
    kind = draw(st.sampled_from(["fits"] * 4 + ["spoilt", "json", "bytes"]))
    if kind == "bytes":
        return draw(st.binary(max_size=40))
    value = draw(ANYTHING)
    if kind != "json":
        if path in ("/v1/commands", "/v1/what-if"):
            value = draw(values({"$ref": "#/$defs/Command"}, WIRE))
        elif path in ("/v1/tokens", "/v1/stop-policy"):
            request = API["paths"][path]["post"]["requestBody"]["content"]["application/json"]
            value = draw(values(request["schema"], API))
        else:
            value = workload(draw(TEXT), draw(st.sampled_from(["1", "9", "-1", "x"])),
                             ns=draw(NAMES))
    if kind == "spoilt" and isinstance(value, dict) and value:
        value[draw(st.sampled_from(sorted(value)))] = draw(ANYTHING)
    return json.dumps(value).encode()


@st.composite
def requests(draw):
    """An operation of openapi.yaml: its path and method as described, and what is sent."""
    path = draw(st.sampled_from(sorted(API["paths"])))
    method = draw(st.sampled_from(sorted(API["paths"][path])))
    operation = API["paths"][path][method]
    target, query = path, []
    for parameter in operation.get("parameters", []):
        parameter = resolved(parameter, API)
        name, schema = parameter["name"], parameter["schema"]
        if parameter["in"] == "path":
            value = draw(st.one_of(values(schema, API), NAMES, TEXT))
            target = target.replace("{" + name + "}", quoted(as_text(value)))
        elif parameter["in"] == "query" and (name in NEVER_LONG or draw(st.booleans())):
            value = NEVER_LONG[name] if name in NEVER_LONG else draw(
                st.one_of(values(schema, API), values(schema, API), TEXT))
            query.append(f"{name}={quoted(as_text(value))}")
    if draw(st.integers(0, 9)) == 9:
        query.append(f"{quoted(draw(TEXT))}={quoted(draw(TEXT))}")
    target += "?" + "&".join(query) if query else ""
    body = draw(bodies(path)) if method == "post" else None
    kind = draw(st.sampled_from(["application/json"] * 6 + ["application/yaml", "text/plain"]))
    return path, method, target, body, kind


def quoted(text):
    """Percent-encoded; none of it is left that means something in a target."""
    return re.sub(rb"[^A-Za-z0-9_.-]", lambda at: b"%%%02X" % at.group()[0],
                  text.encode("utf-8", "surrogatepass")).decode()


class PropertiesTest(ServiceTest):
    """One service for all requests of a test; an admin asks."""

    def begin(self):
        tokens = os.path.join(self.folder, "tokens.json")
        secret = create(tokens, "the-admin", "admin")
        self.server = self.serve("--tokens", tokens, token=secret)
        self.apply_queues()
        self.submit(workload("job"), workload("waits", "9"))
        self.connection = self.server.connect()
        self.addCleanup(self.connection.close)

    def described(self, path, method, status):
        """Types of an answer with this status, and their schemas."""
        responses = API["paths"][path][method]["responses"]
        response = responses.get(str(status)) or responses["default"]
        return {kind: media.get("schema", {})
                for kind, media in resolved(response, API).get("content", {}).items()}

    def check(self, request):
        """Sends it; the answer is as described."""
        path, method, target, body, kind = request
        if target.startswith("/v1/tokens/the-admin"):
            return
        fields = {"Content-Type": kind} if body is not None else {}
        answer = self.server.ask(method.upper(), target, body, fields, connection=self.connection)
        told = f"{method} {target} {body!r}: {answer.status} {answer.body[:300]!r}"
        self.assertLess(answer.status, 500, told)
        described = self.described(path, method, answer.status)
        media = answer.fields["content-type"].partition(";")[0]
        self.assertIn(media, described, told)
        if media == "application/json":
            schema = {**described[media], "components": API["components"]}
            jsonschema.Draft202012Validator(schema).validate(answer.json)

    def ask_many(self, count):
        """So many requests, the same ones every time."""
        @settings(max_examples=count, deadline=None, database=None, derandomize=True,
                  suppress_health_check=list(HealthCheck))
        @given(requests())
        def ask(request):
            self.check(request)
        ask()
        self.assertEqual(self.server.ask("GET", "/readyz").status, 200)


class Properties(PropertiesTest):
    """A few."""

    def test_answers_are_as_described(self):
        self.ask_many(600)


class LongProperties(PropertiesTest):
    """Many."""

    def test_answers_are_as_described(self):
        self.ask_many(10000)


if __name__ == "__main__":
    unittest.main()
