"""Decisions as the library hands them out, copied."""

from __future__ import annotations

import ctypes as c
from typing import Optional

from . import _library as lib
from ._library import LIBRARY
from .errors import text
from .model import Decision, Domain, Kind, PodSet, Topology


def copied(raw: lib.Decision, told: c.c_void_p, index: int) -> Decision:
    """A copy of decision `index` of those that the library owns."""
    by = f"{text(raw.by_ns)}/{text(raw.by_name)}" if raw.by_name else None
    return Decision(raw.number, Kind(raw.kind), raw.at, raw.cycle,
                    f"{text(raw.ns)}/{text(raw.name)}", text(raw.uid), text(raw.reason), by,
                    bool(raw.stop), text(raw.cluster_queue) or None,
                    tuple(_pod_set(raw.pod_sets[i], _topology(told, index, i))
                          for i in range(raw.pod_set_count)), raw.run)


def _topology(told: c.c_void_p, index: int, pod_set: int) -> Optional[Topology]:
    raw = LIBRARY.muster_decisions_topology(told, index, pod_set)
    if not raw:
        return None
    levels, topology = range(raw.contents.level_count), raw.contents
    domains = [topology.domains[i] for i in range(topology.domain_count)]
    return Topology(tuple(text(topology.levels[i]) for i in levels),
                    tuple(Domain(tuple(text(each.values[i]) for i in levels), each.count)
                          for each in domains))


def _pod_set(raw: lib.PodSet, topology: Optional[Topology]) -> PodSet:
    flavors = [raw.flavors[i] for i in range(raw.flavor_count)]
    return PodSet(text(raw.name), raw.count,
                  {text(each.resource): text(each.flavor) for each in flavors},
                  {text(each.resource): each.amount for each in flavors}, topology)
