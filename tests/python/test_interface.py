"""The declarations of the package against muster.h and muster_types.h: functions, structs."""

import ctypes
import re
from pathlib import Path

from muster import _library as lib

INCLUDE = Path(__file__).parents[2] / "bindings/c/include"
HEADER = "".join((INCLUDE / name).read_text("utf-8") for name in ("muster_types.h", "muster.h"))
CODE = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)
STRUCTS = {"muster_options": lib.Options, "muster_name": lib.Name, "muster_job": lib.Job,
           "muster_pod_count": lib.PodCount, "muster_changes": lib.Changes,
           "muster_flavor_use": lib.Flavor, "muster_pod_set": lib.PodSet,
           "muster_place": lib.Domain, "muster_topology": lib.Topology,
           "muster_decision": lib.Decision, "muster_cursor": lib.Cursor,
           "muster_cycle": lib.Cycle}


def test_every_function_is_declared_with_as_many_parameters() -> None:
    found = dict(re.findall(r"\b(muster_\w+)\s*\(([^)]*)\)", CODE))
    assert sorted(found) == sorted(lib.SIGNATURES)
    for name, takes in found.items():
        count = 0 if takes.strip() == "void" else takes.count(",") + 1
        assert len(lib.SIGNATURES[name][1]) == count, name


def test_every_struct_has_the_fields_of_the_header_in_order() -> None:
    found = dict(re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", CODE, re.DOTALL)[i][::-1]
                 for i in range(len(STRUCTS)))
    assert sorted(found) == sorted(STRUCTS)
    widths = {"uint32_t": 4, "int32_t": 4, "int64_t": 8, "size_t": 8}
    for name, body in found.items():
        fields = re.findall(r"^\s*(?:const )?(\w+) (\*?)(?:const \*)?(\w+);", body, re.MULTILINE)
        declared = [(field[0], ctypes.sizeof(field[1])) for field in STRUCTS[name]._fields_]
        assert [(field, 8 if star else widths[kind]) for kind, star, field in fields] == declared


def test_enums_have_the_numbers_of_the_header() -> None:
    import muster
    numbers = dict(re.findall(r"\bMUSTER_(\w+) = (\d+)", CODE))
    for kind in muster.Kind:
        word = "REFUSED" if kind.name == "REFUSE" else kind.name
        assert int(numbers[word]) == kind
    for prefix, names in (("PHASE_", muster.Phase), ("CHECK_", muster.CheckState),
                          ("", muster.Missing), ("", muster.Level)):
        for each in names:
            assert int(numbers[prefix + each.name]) == each
