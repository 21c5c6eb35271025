"""libmuster as ctypes sees it: structs and functions of muster.h, found and declared once.

The library is looked for in $MUSTER_LIBRARY, then beside this file (as the wheel has it), then
where the system looks.
"""

from __future__ import annotations

import ctypes as c
import os
from pathlib import Path

ABI_VERSION = 5
SYSTEM_CLOCK = -(2**63)

Text = c.c_char_p
Handle = c.c_void_p
Out = c.POINTER(c.c_void_p)


class Options(c.Structure):
    """muster_options."""

    _fields_ = [("size", c.c_uint32), ("must_exist", c.c_int32), ("allow_time_jump", c.c_int32),
                ("relaxed", c.c_int32), ("lock_wait_ms", c.c_int64)]


class Name(c.Structure):
    """muster_name."""

    _fields_ = [("size", c.c_uint32), ("reserved", c.c_uint32), ("ns", Text), ("name", Text),
                ("uid", Text), ("run", c.c_int64)]


class Job(c.Structure):
    """muster_job."""

    _fields_ = [("size", c.c_uint32), ("has_priority", c.c_int32), ("shape", Handle), ("ns", Text),
                ("name", Text), ("queue", Text), ("uid", Text), ("created", c.c_int64),
                ("priority", c.c_int32), ("count", c.c_int32)]


class PodCount(c.Structure):
    """muster_pod_count."""

    _fields_ = [("size", c.c_uint32), ("count", c.c_int32), ("pod_set", Text)]


class Changes(c.Structure):
    """muster_changes."""

    _fields_ = [("size", c.c_uint32), ("has_priority", c.c_int32), ("ns", Text), ("name", Text),
                ("priority", c.c_int32), ("active", c.c_int32), ("checkpointed", c.c_int64),
                ("counts", c.POINTER(PodCount)), ("counts_length", c.c_size_t),
                ("reclaimable", c.POINTER(PodCount)), ("reclaimable_length", c.c_size_t),
                ("open_gates", Text), ("uid", Text), ("run", c.c_int64)]


class Flavor(c.Structure):
    """muster_flavor_use."""

    _fields_ = [("size", c.c_uint32), ("reserved", c.c_uint32), ("resource", Text),
                ("flavor", Text), ("amount", c.c_int64)]


class PodSet(c.Structure):
    """muster_pod_set."""

    _fields_ = [("size", c.c_uint32), ("count", c.c_int32), ("name", Text),
                ("flavors", c.POINTER(Flavor)), ("flavor_count", c.c_size_t)]


class Decision(c.Structure):
    """muster_decision."""

    _fields_ = [("size", c.c_uint32), ("kind", c.c_int32), ("number", c.c_int64),
                ("at", c.c_int64), ("cycle", c.c_int64), ("ns", Text), ("name", Text),
                ("uid", Text), ("reason", Text), ("by_ns", Text), ("by_name", Text),
                ("cluster_queue", Text), ("pod_sets", c.POINTER(PodSet)),
                ("pod_set_count", c.c_size_t), ("stop", c.c_int32), ("reserved", c.c_int32),
                ("run", c.c_int64)]


class Domain(c.Structure):
    """muster_place."""

    _fields_ = [("size", c.c_uint32), ("count", c.c_int32), ("values", c.POINTER(Text))]


class Topology(c.Structure):
    """muster_topology."""

    _fields_ = [("size", c.c_uint32), ("reserved", c.c_uint32), ("levels", c.POINTER(Text)),
                ("level_count", c.c_size_t), ("domains", c.POINTER(Domain)),
                ("domain_count", c.c_size_t)]


class Cursor(c.Structure):
    """muster_cursor."""

    _fields_ = [("size", c.c_uint32), ("reserved", c.c_uint32), ("acknowledged", c.c_int64),
                ("last", c.c_int64)]


class Cycle(c.Structure):
    """muster_cycle."""

    _fields_ = [("size", c.c_uint32), ("at_rest", c.c_int32), ("number", c.c_int64),
                ("at", c.c_int64), ("admitted", c.c_int64), ("preempted", c.c_int64),
                ("evicted", c.c_int64), ("policy_failures", c.c_int64),
                ("rolled_back", c.c_int64)]


LogSink = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_char_p, c.c_size_t)

_CODE = c.c_int32
_SIZE = c.c_size_t
_I32 = c.c_int32
_I64 = c.c_int64
_I32_OUT = c.POINTER(c.c_int32)
_I64_OUT = c.POINTER(c.c_int64)
_SIZE_OUT = c.POINTER(c.c_size_t)
_NAMES = c.POINTER(Name)

# Function -> what it returns, what it takes. Those that return _CODE end with the error.
SIGNATURES: dict[str, tuple[object, list[object]]] = {
    "muster_abi_version": (c.c_uint32, []),
    "muster_version": (Text, []),
    "muster_now": (_I64, []),
    "muster_decision_kind": (Text, [_I32]),
    "muster_code_name": (Text, [_CODE]),
    "muster_set_log_level": (None, [_I32]),
    "muster_set_log_sink": (None, [LogSink, c.c_void_p]),
    "muster_bytes_data": (c.c_void_p, [Handle]),
    "muster_bytes_size": (_SIZE, [Handle]),
    "muster_bytes_free": (None, [Handle]),
    "muster_error_code": (_CODE, [Handle]),
    "muster_error_message": (Text, [Handle]),
    "muster_error_count": (_SIZE, [Handle]),
    "muster_error_place": (Text, [Handle, _SIZE]),
    "muster_error_what": (Text, [Handle, _SIZE]),
    "muster_error_cure": (Text, [Handle, _SIZE]),
    "muster_error_free": (None, [Handle]),
    "muster_open_memory": (_CODE, [c.POINTER(Options), Out, Out]),
    "muster_open": (_CODE, [Text, c.POINTER(Options), Out, Out]),
    "muster_read_ledger": (_CODE, [Text, Out, Out]),
    "muster_copy": (_CODE, [Handle, Out, Out]),
    "muster_close": (_CODE, [Handle, Out]),
    "muster_closed": (_CODE, [Handle, Out]),
    "muster_state_hash": (_CODE, [Handle, Out, Out]),
    "muster_check_time": (_CODE, [Handle, _I64, Out]),
    "muster_last_time": (_CODE, [Handle, _I64_OUT, Out]),
    "muster_check_invariants": (_CODE, [Handle, Out]),
    "muster_apply": (_CODE, [Handle, Text, _SIZE, Text, _I32, _I64, Out, Out]),
    "muster_validate": (_CODE, [Handle, Text, _SIZE, Text, _I32, Out]),
    "muster_advise": (_CODE, [Handle, Text, _SIZE, Text, _I32, Out, Out]),
    "muster_delete": (_CODE, [Handle, Text, Text, Text, _I32, _I64, Out]),
    "muster_check_owner": (_CODE, [Handle, Text, Text, _SIZE, Text, Out]),
    "muster_do": (_CODE, [Handle, Text, _SIZE, _I64, Out, Out]),
    "muster_eta": (_CODE, [Handle, Text, _SIZE, _I64, Out, Out]),
    "muster_set_caller": (_CODE, [Handle, Text, Out]),
    "muster_what_if": (_CODE, [Handle, Text, _SIZE, _I64, Out, Out]),
    "muster_schema": (_CODE, [Out, Out]),
    "muster_shape_parse": (_CODE, [Text, _SIZE, Text, Out, Out]),
    "muster_shape_free": (None, [Handle]),
    "muster_submit": (_CODE, [Handle, c.POINTER(Job), _SIZE, _I64, _SIZE_OUT, Out]),
    "muster_submit_warned": (_CODE, [Handle, c.POINTER(Job), _SIZE, _I64, _SIZE_OUT, Out, Out]),
    "muster_finish": (_CODE, [Handle, _NAMES, _SIZE, _I32, _I64, Out]),
    "muster_evicted": (_CODE, [Handle, _NAMES, _SIZE, _I64, Out]),
    "muster_cancel": (_CODE, [Handle, _NAMES, _SIZE, _I64, Out]),
    "muster_ready": (_CODE, [Handle, _NAMES, _SIZE, _I32, _I64, Out]),
    "muster_evict": (_CODE, [Handle, Text, Text, Text, _I64, Out]),
    "muster_evict_job": (_CODE, [Handle, c.POINTER(Name), Text, _I64, Out]),
    "muster_update": (_CODE, [Handle, c.POINTER(Changes), _I64, Out]),
    "muster_check": (_CODE, [Handle, Text, Text, Text, _I32, Text, _I64, _I32_OUT, Out]),
    "muster_check_job": (_CODE, [Handle, c.POINTER(Name), Text, _I32, Text, _I64, _I32_OUT, Out]),
    "muster_run_cycle": (_CODE, [Handle, _I64, c.POINTER(Cycle), Out, Out]),
    "muster_advance": (_CODE, [Handle, _I64, Out]),
    "muster_next_deadline": (_CODE, [Handle, _I64_OUT, Out]),
    "muster_register_consumer": (_CODE, [Handle, Text, _I64, _I64, c.POINTER(Cursor), Out]),
    "muster_acknowledge": (_CODE, [Handle, Text, _I64, _I64, c.POINTER(Cursor), Out]),
    "muster_remove_consumer": (_CODE, [Handle, Text, _I64, Out]),
    "muster_decisions_of": (_CODE, [Handle, Text, _SIZE, _I64, Out, Out]),
    "muster_decisions_after": (_CODE, [Handle, _I64, _SIZE, _I64, Out, Out]),
    "muster_wake": (None, [Handle]),
    "muster_decisions_count": (_SIZE, [Handle]),
    "muster_decisions_data": (c.POINTER(Decision), [Handle]),
    "muster_decisions_last": (_I64, [Handle]),
    "muster_decisions_topology": (c.POINTER(Topology), [Handle, _SIZE, _SIZE]),
    "muster_decisions_json": (_CODE, [Handle, Out, Out]),
    "muster_decisions_free": (None, [Handle]),
    "muster_pipeline_start": (_CODE, [Handle, _SIZE, Out]),
    "muster_pipeline_stop": (_CODE, [Handle, Out]),
    "muster_pipeline_ticket": (_CODE, [Handle, _I64_OUT, Out]),
    "muster_pipeline_wait": (_CODE, [Handle, _I64, Out]),
    "muster_pipeline_stored": (_CODE, [Handle, _I64, _I32_OUT, Out]),
    "muster_get": (_CODE, [Handle, Text, Text, Text, Text, Text, Out, Out]),
    "muster_start_patch": (_CODE, [Handle, Text, Text, Text, _SIZE, Text, Out, Out]),
    "muster_observe": (_CODE, [Handle, Text, _SIZE, Text, _I64, Out, Out]),
    "muster_explain": (_CODE, [Handle, Text, Text, Out, Out]),
    "muster_pod_set_updates": (_CODE, [Handle, Text, Text, Out, Out]),
    "muster_pod_requests": (_CODE, [Handle, Text, Text, Out, Out]),
    "muster_report": (_CODE, [Text, Text, _SIZE, Out, Out]),
    "muster_phase": (_CODE, [Handle, Text, Text, _I32_OUT, Out]),
    "muster_policy_check": (_CODE, [Text, Text, Out, Out]),
    "muster_policy_test": (_CODE, [Text, Out, _SIZE_OUT, Out]),
    "muster_policy_activate": (_CODE, [Handle, Text, Text, Text, Text, _I64, Out, Out]),
    "muster_policy_stage": (_CODE, [Handle, Text, Text, Text, Text, _I64, Out, Out]),
    "muster_policy_activate_staged": (_CODE, [Handle, Text, Text, Text, _I64, Out, Out]),
    "muster_policy_roll_back": (_CODE, [Handle, Text, Text, _I64, Out]),
    "muster_policy_shadow": (_CODE, [Handle, Text, Text, Out]),
    "muster_policy_shadow_report": (_CODE, [Handle, Out, Out]),
    "muster_simulate": (_CODE, [Text, _SIZE, Out, Out]),
    "muster_backtest": (_CODE, [Text, _SIZE, Out, Out]),
    "muster_scenario": (_CODE, [Text, _SIZE, Text, Out, _SIZE_OUT, Out]),
}


def check_platform(pointer: int) -> None:
    """Refuses pointers of another size than 8 bytes: structs lie otherwise there."""
    if pointer != 8:
        raise ImportError(f"Muster is made for 64 bits, and this Python has {8 * pointer}; "
                          "run it with one of 64 bits")


def _load() -> c.CDLL:
    """The library, with every function declared."""
    check_platform(c.sizeof(c.c_void_p))
    beside = Path(__file__).with_name("libmuster.so.1")
    path = os.environ.get("MUSTER_LIBRARY") or (str(beside) if beside.exists() else None)
    library = c.CDLL(path or "libmuster.so.1")
    for name, (returns, takes) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype = returns
        function.argtypes = takes
    found = library.muster_abi_version()
    if found < ABI_VERSION:
        raise ImportError(f"libmuster speaks version {found} of its interface, and this package "
                          f"needs {ABI_VERSION}; install a newer library")
    return library


LIBRARY = _load()
