"""Muster: an admission engine for shared clusters.

    import muster

    with muster.Engine("cluster.ledger") as engine:
        engine.apply(open("queues.yaml").read())
        engine.register("gateway")
        engine.cycles()
        for decision in engine.hand_over("gateway"):
            if decision.starts:
                start(decision.workload, decision.uid)
            elif decision.stop:
                stop(decision.workload, decision.uid)
"""

from ._library import LIBRARY as _LIBRARY
from ._policies import check_policy
from .engine import Engine, Shape
from .errors import (DataLoss, FailedPrecondition, Internal, InvalidArgument, Mistake, MusterError,
                     MusterWarning, NotFound, Unavailable)
from .log import Level, log_to, set_log_level
from .model import (CheckState, Cursor, Cycle, Decision, Domain, Job, Kind, Missing, Phase, PodSet,
                    Topology)
from .pipeline import Pipeline

__version__: str = _LIBRARY.muster_version().decode()

__all__ = ["CheckState", "Cursor", "Cycle", "DataLoss", "Decision", "Domain", "Engine",
           "FailedPrecondition", "Internal", "InvalidArgument", "Job", "Kind", "Level", "Missing",
           "Mistake", "MusterError", "MusterWarning",
           "NotFound", "Phase", "Pipeline", "PodSet", "Shape",
           "Topology", "Unavailable", "check_policy", "log_to", "set_log_level"]
