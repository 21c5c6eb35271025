"""The cases of tests/hand_over through Python: calls that come twice, late, out of order, ...

Each is played by commands as data, and by the typed functions of Engine.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import muster

FILE = json.loads((Path(__file__).parents[1] / "hand_over" / "cases.json").read_text("utf-8"))
Step = dict[str, Any]
SECOND = 1_000_000_000
NOON = 1_767_268_800 * SECOND
CODES = {"InvalidArgument": muster.InvalidArgument, "NotFound": muster.NotFound,
         "FailedPrecondition": muster.FailedPrecondition}
PHASES = {"Pending": muster.Phase.PENDING, "QuotaReserved": muster.Phase.RESERVED,
          "Admitted": muster.Phase.ADMITTED, "Evicting": muster.Phase.EVICTING,
          "Inactive": muster.Phase.INACTIVE, "Finished": muster.Phase.FINISHED}


class Player:
    """Plays a case on an engine with a ledger."""

    def __init__(self, ledger: Path) -> None:
        self.ledger = ledger
        self.now = NOON
        self.engine = self.opened()

    def opened(self) -> muster.Engine:
        return muster.Engine(self.ledger, allow_time_jump=True, relaxed=True)

    def do(self, command: str, earlier: int = 0) -> dict[str, Any]:
        self.now += SECOND
        return self.engine.do(FILE["commands"][command], self.now - earlier * SECOND)

    def told(self, step: Step) -> list[str]:
        decisions = self.engine.decisions(step.get("to"), after=step.get("behind"))
        return [f"{each.number} {each.kind.name.lower().replace('_', '-')} {each.workload}"
                + (f" for {each.by}" if each.by else "") + (", stop" if each.stop else "")
                + (f", run {each.run}" if each.run != 1 else "")
                for each in decisions]

    def play(self, step: Step) -> None:
        if "restart" in step:
            before = self.engine.state_hash()
            self.engine.close()
            self.engine = self.opened()
            assert self.engine.state_hash() == before
        elif "phase" in step:
            assert self.engine.phase("team/" + step["of"]) == PHASES[step["phase"]]
        elif "told" in step:
            assert self.told(step) == step["told"]
        else:
            answer = self.do(step["do"], step.get("earlier", 0))
            for field, value in step.get("gives", {}).items():
                assert answer[field] == value

    def step(self, step: Step) -> None:
        if "refused" not in step:
            self.play(step)
            return
        with pytest.raises(CODES[step["refused"]]) as refused:
            self.play(step)
        assert step["says"] in str(refused.value)


class TypedPlayer(Player):
    """Carries commands out by the functions for them; objects alone come as commands."""

    def do(self, command: str, earlier: int = 0) -> dict[str, Any]:
        self.now += SECOND
        told: dict[str, Any] = dict(FILE["commands"][command])
        kind = told.pop("command").replace("-", "_")
        if kind == "apply":
            return self.engine.do(FILE["commands"][command], self.now)
        answer = getattr(self, kind)(told, self.now - earlier * SECOND)
        return {} if answer is None else dict(answer)

    def names(self, told: dict[str, Any]) -> list[str]:
        return [f"{each['namespace']}/{each['name']}" for each in told["workloads"]]

    def name(self, told: dict[str, Any]) -> str:
        return f"{told['workload']['namespace']}/{told['workload']['name']}"

    def submit(self, told: dict[str, Any], now: int) -> dict[str, Any]:
        jobs = [muster.Job(f"{each['key']['namespace']}/{each['key']['name']}", shape_of(each),
                           queue=each["queue"], priority=each.get("priority"), uid=each.get("uid"))
                for each in told["workloads"]]
        created = self.engine.submit(jobs, now)
        return {"objects": ["created"] * created + ["unchanged"] * (len(jobs) - created)}

    def cycle(self, told: dict[str, Any], now: int) -> dict[str, Any]:
        ran = self.engine.cycle(now)
        return {"admitted": [None] * ran.admitted, "preempted": [None] * ran.preempted,
                "atRest": ran.at_rest}

    def ready(self, told: dict[str, Any], now: int) -> None:
        self.engine.ready(self.names(told), now, uids=told.get("uids"),
                          runs=told.get("runs"))

    def finish(self, told: dict[str, Any], now: int) -> None:
        self.engine.finish(self.names(told), now, uids=told.get("uids"),
                           runs=told.get("runs"))

    def evicted(self, told: dict[str, Any], now: int) -> None:
        self.engine.evicted(self.names(told), now, uids=told.get("uids"),
                            runs=told.get("runs"))

    def cancel(self, told: dict[str, Any], now: int) -> None:
        self.engine.cancel(self.names(told), now, uids=told.get("uids"),
                           runs=told.get("runs"))

    def evict(self, told: dict[str, Any], now: int) -> None:
        self.engine.evict(self.name(told), told["reason"], now, uid=told.get("uid"),
                          run=told.get("run"))

    def update(self, told: dict[str, Any], now: int) -> None:
        assert {"priority", "workload"} <= set(told) <= {"priority", "run", "uid", "workload"}
        self.engine.update(self.name(told), now, priority=told["priority"], uid=told.get("uid"),
                           run=told.get("run"))

    def check(self, told: dict[str, Any], now: int) -> dict[str, Any]:
        state = muster.CheckState[told["state"].upper()]
        phase = self.engine.check(self.name(told), told["check"], state, now=now,
                                  uid=told.get("uid"), run=told.get("run"))
        return {"phase": next(word for word, each in PHASES.items() if each == phase)}

    def register_consumer(self, told: dict[str, Any], now: int) -> dict[str, Any]:
        return vars(self.engine.register(told["consumer"], after=told.get("after"), now=now))

    def acknowledge(self, told: dict[str, Any], now: int) -> dict[str, Any]:
        return vars(self.engine.acknowledge(told["consumer"], told["upto"], now))

    def remove_consumer(self, told: dict[str, Any], now: int) -> None:
        self.engine.remove(told["consumer"], now)


def shape_of(workload: dict[str, Any]) -> muster.Shape:
    """The podsets of a command's workload, as a manifest has them."""
    sets = [{"name": each["name"], "count": each["count"], "template": {"spec": {"containers": [
                {"name": one["name"], "resources": {"requests": one["requests"]}}
                for one in each["pods"]["containers"]]}}}
            for each in workload["podSets"]]
    return muster.Shape(json.dumps({
        "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
        "metadata": {"namespace": "team", "name": "shape"},
        "spec": {"queueName": workload["queue"], "podSets": sets}}))


@pytest.mark.parametrize("player", [Player, TypedPlayer], ids=["as commands", "typed"])
@pytest.mark.parametrize("case", FILE["cases"], ids=lambda case: f"{case['call']} {case['when']}")
def test_case(case: dict[str, Any], player: type[Player], tmp_path: Path) -> None:
    playing = player(tmp_path / "ledger")
    for command in ["objects", "register gateway", *case["given"]]:
        playing.do(command)
    for step in case["steps"]:
        playing.step(step)
    playing.engine.check_invariants()
    playing.engine.close()
